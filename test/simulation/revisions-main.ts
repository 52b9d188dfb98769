import './virtual-modules.ts';
import { parseArgs } from 'node:util';

/* Editors with and without revisions: node test/simulation/revisions-main.ts --from 1 --seeds 300, or --broken */

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '300' },
    broken: { type: 'boolean', default: false },
  },
});

// Loaded after the modules that stand for those of Node.
const { simulateRevisions, BREAKAGES } = await import('./revisions.ts');

const print = (line: string) => process.stdout.write(`${line}\n`);
const first = Number(values.from);
const count = Number(values.seeds);

/** Runs the seeds until one fails, or all; the number of those that fail. */
async function trySeeds(breakage: (typeof BREAKAGES)[string] = {}): Promise<number> {
  const sums: Record<string, number> = {};
  let failed = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const { violations, met } = await simulateRevisions(seed, breakage);
    for (const [name, n] of Object.entries(met)) sums[name] = (sums[name] ?? 0) + n;
    if (violations.length === 0) continue;
    failed += 1;
    print(`seed ${seed}: ${violations.slice(0, 5).join('; ')}`);
    if (values.broken) return failed;
  }
  print(JSON.stringify(sums));
  return failed;
}

async function tryBroken(): Promise<boolean> {
  let missed = 0;
  for (const [fault, breakage] of Object.entries(BREAKAGES)) {
    const isCaught = (await trySeeds(breakage)) > 0;
    missed += Number(!isCaught);
    print(`${isCaught ? 'caught' : 'MISSED'} ${fault}`);
  }
  print(`${Object.keys(BREAKAGES).length - missed} caught, ${missed} missed`);
  return missed === 0;
}

async function tryAll(): Promise<boolean> {
  const failed = await trySeeds();
  print(`${count - failed} passed, ${failed} failed, 0 skipped`);
  return failed === 0;
}

process.exitCode = (await (values.broken ? tryBroken() : tryAll())) ? 0 : 1;
