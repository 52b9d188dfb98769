import { readFileSync, writeFileSync } from 'node:fs';
import { printSchemaSdl } from '../src/schema/schema.ts';

// Writes schema.graphql from the code; with --check, only reports whether it is current.
const file = 'schema.graphql';
const current = printSchemaSdl();

if (!process.argv.includes('--check')) {
  writeFileSync(file, current);
} else if (readFileSync(file, 'utf8') !== current) {
  console.error(`${file} differs from the code: run npm run schema`);
  process.exitCode = 1;
}
