import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const lockFile = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      link: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression that the author states; null when there is none. */
  readonly licence: string | null;
  /** True when only developers need it. */
  readonly isDev: boolean;
  /** True when npm runs a script of it on installation. */
  readonly hasInstallScript: boolean;
}

/** The packages that `npm ci` installs in the folder, read from the lock file alone. */
export function readLockFile(folder: string): readonly LockedPackage[] {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { name, version = '', license = null, dev, hasInstallScript }]) => ({
      name: name ?? path.replace(/^.*node_modules\//u, ''),
      version,
      licence: license,
      isDev: dev,
      hasInstallScript,
    }));
}
