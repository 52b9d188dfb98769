import './virtual-modules.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '300' },
    broken: { type: 'boolean', default: false },
  },
});

// Loaded after the modules that stand for those of Node.
const { simulate } = await import('./simulate.ts');
const { BROKEN_LEDGERS } = await import('./broken-ledgers.ts');

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The most seeds that are tried before a fault counts as missed. */
const MAX_BROKEN_SEEDS = 300;

/** The first seed by which the fault is found; null where it is missed. */
async function findFault(breakLedger: (typeof BROKEN_LEDGERS)[string]): Promise<string | null> {
  for (let seed = 1; seed <= MAX_BROKEN_SEEDS; seed += 1) {
    const { violations } = await simulate(seed, breakLedger);
    if (violations.length > 0) return `seed ${seed}: ${violations[0]}`;
  }
  return null;
}

async function tryBroken(): Promise<boolean> {
  const found: (string | null)[] = [];
  for (const [fault, breakLedger] of Object.entries(BROKEN_LEDGERS)) {
    const violation = await findFault(breakLedger);
    found.push(violation);
    print(`${violation === null ? 'MISSED' : 'caught'} ${fault} (${violation ?? `${MAX_BROKEN_SEEDS} seeds`})`);
  }
  const missed = found.filter((violation) => violation === null).length;
  print(`${found.length - missed} caught, ${missed} missed`);
  return missed === 0;
}

async function trySeeds(first: number, last: number): Promise<boolean> {
  const sums = { runs: 0, steps: 0, kills: 0, received: 0, rateLimited: 0, unknown: 0, readBack: 0 };
  let failed = 0;
  for (let seed = first; seed <= last; seed += 1) {
    const { violations, steps, met, ...report } = await simulate(seed);
    if (first === last) print(JSON.stringify({ ...report, steps, met, violations }, null, 2));
    sums.runs += 1;
    sums.steps += steps;
    sums.kills += met.kills;
    sums.received += met.received;
    sums.rateLimited += met.rateLimited;
    sums.unknown += met.unknown;
    sums.readBack += met.readBack;
    if (violations.length === 0) continue;
    failed += 1;
    print(`seed ${seed}: ${violations.slice(0, 5).join('; ')}`);
    print(`  again: npm run test:simulate -- --seed ${seed}`);
  }
  print(JSON.stringify(sums));
  print(`${sums.runs - failed} passed, ${failed} failed, 0 skipped`);
  return failed === 0;
}

const first = Number(values.seed ?? values.from);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;
const isFound = await (values.broken ? tryBroken() : trySeeds(first, last));
process.exitCode = isFound ? 0 : 1;
