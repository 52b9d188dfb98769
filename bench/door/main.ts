import { parseArgs } from 'node:util';
import { measureBodies, measureReads, measureSlow } from './bounds.ts';
import { measureAllBeside, measureAllBursts } from './bursts.ts';
import { measureSaturation } from './saturation.ts';

/*
 * `npm run bench:door [-- SECTION …]`: what the door promises, over a service that takes 5 and 500 ms, or over the store.
 * Ends with 1 where something is out of its bounds.
 */

const SECTIONS = {
  bursts: measureAllBursts,
  beside: measureAllBeside,
  saturation: measureSaturation,
  reads: measureReads,
  bodies: measureBodies,
  slow: measureSlow,
} satisfies Record<string, () => Promise<void>>;

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !(name in SECTIONS));
if (unknown.length > 0)
  throw new Error(`No section ${unknown.join(', ')}: name some of ${Object.keys(SECTIONS).join(', ')}.`);

for (const [name, measure] of Object.entries(SECTIONS))
  if (positionals.length === 0 || positionals.includes(name)) await measure();
process.exit();
