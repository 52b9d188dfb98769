import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readLockFile } from './lock-file.ts';

// Fails when npm would run an install script that has not been reviewed: `allowScripts` in package.json lists each
// reviewed package as true (run) or false (not run). It reads the lock file, so it covers the packages of other
// platforms too. On this machine, `npm ci --strict-allow-scripts` refuses the same before anything is run.
const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

function unreviewed(folder: string): readonly string[] {
  const { allowScripts } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return readLockFile(folder)
    .filter(({ hasInstallScript }) => hasInstallScript)
    .filter(
      ({ name, version }) => !Object.hasOwn(allowScripts, name) && !Object.hasOwn(allowScripts, `${name}@${version}`),
    )
    .map(({ name, version }) => `${name}@${version}`);
}

for (const folder of process.argv.slice(2)) {
  for (const name of unreviewed(folder)) {
    console.error(
      `${name} has an install script: read it, then add it to allowScripts in ${join(folder, 'package.json')}`,
    );
    process.exitCode = 1;
  }
}
