import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The package, packed and installed in a new folder, without the dependencies of development. */
export interface InstalledPackage {
  readonly folder: string;
  readonly tarball: string;
  /** The folder of the package in `node_modules`. */
  readonly home: string;
  /** The file of the command. */
  readonly main: string;
  remove(): Promise<void>;
}

export async function installPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-package-'));
  // An empty folder: without a package.json, npm would look for one above.
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder]);
  const [, filename = ''] = /"filename": "(?<name>[^"]+)"/u.exec(stdout) ?? [];
  const tarball = join(folder, filename);
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', folder];
  await run('npm', ['install', ...options, tarball]);
  const home = join(folder, 'node_modules/kb-gateway');
  return { folder, tarball, home, main: join(home, 'dist/main.js'), remove: () => rm(folder, { recursive: true }) };
}
