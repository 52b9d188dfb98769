import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readLockFile } from './lock-file.ts';

// Fails where npm would run something of a package that nobody has judged: `allowScripts` in package.json has each of them
// as true (run) or false (not run). Reads what is locked, so it knows those of other platforms too. On this machine
// `npm ci --strict-allow-scripts` refuses the same before anything is run.
const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

function unjudged(folder: string): readonly string[] {
  const { allowScripts } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return readLockFile(folder)
    .filter(({ hasInstallScript }) => hasInstallScript)
    .filter(
      ({ name, version }) => !Object.hasOwn(allowScripts, name) && !Object.hasOwn(allowScripts, `${name}@${version}`),
    )
    .map(({ name, version }) => `${name}@${version}`);
}

for (const folder of process.argv.slice(2)) {
  for (const name of unjudged(folder)) {
    console.error(
      `${name} has an install script: read it, then add it to allowScripts in ${join(folder, 'package.json')}`,
    );
    process.exitCode = 1;
  }
}
