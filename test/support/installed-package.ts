import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

/** The package, installed in a new folder, without the dependencies of development. */
export interface InstalledPackage {
  readonly folder: string;
  /** The folder of the package in `node_modules`. */
  readonly home: string;
  /** The file of the command. */
  readonly main: string;
  remove(): Promise<void>;
}

/** Installs the package, and others beside it, in a folder whose package.json has more members than these. */
export async function installPackage(others: readonly string[] = [], members: object = {}): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-package-'));
  // An empty folder: without a package.json, npm would look for one above.
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...members }));
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', folder];
  await promisify(execFile)('npm', ['install', ...options, inject('tarball'), ...others]);
  const home = join(folder, 'node_modules/kb-gateway');
  return { folder, home, main: join(home, 'dist/main.js'), remove: () => rm(folder, { recursive: true }) };
}
