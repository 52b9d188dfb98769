import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundle.ts';
import { consolePackages } from './console-page.ts';
import { type LockedPackage, readLockFile } from './lock-file.ts';

/** The packages of the folder that reach whoever installs it: those that npm installs with it, and those in its bundles. */
export async function readShippedPackages(folder: string): Promise<readonly LockedPackage[]> {
  const bundled = existsSync(join(folder, 'src')) ? await readBundledPackages() : new Set<string>();
  const locked = readLockFile(folder);
  const unknown = bundled.difference(new Set(locked.map(({ name, version }) => `${name}@${version}`)));
  if (unknown.size > 0) throw new Error(`package-lock.json lacks ${[...unknown].join(', ')}, which the bundles hold.`);
  return locked.filter(({ isDev, name, version }) => !isDev || bundled.has(`${name}@${version}`));
}

/** The names and versions of the packages in the program, the library and the console. */
const readBundledPackages = async (): Promise<ReadonlySet<string>> =>
  new Set(
    (await Promise.all([bundledPackages(), consolePackages()])).flat().map(({ name, version }) => `${name}@${version}`),
  );
