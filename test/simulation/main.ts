import './virtual-modules.ts';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
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
const { BREAKAGES } = await import('./broken-ledgers.ts');

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The most seeds that are tried before a fault counts as missed. */
const MAX_BROKEN_SEEDS = 300;

/** The first seed by which the fault is found; null where it is missed. */
async function findFault(breakage: (typeof BREAKAGES)[string]): Promise<string | null> {
  for (let seed = 1; seed <= MAX_BROKEN_SEEDS; seed += 1) {
    const { violations } = await simulate(seed, breakage);
    if (violations.length > 0) return `seed ${seed}: ${violations[0]}`;
  }
  return null;
}

async function tryBroken(): Promise<boolean> {
  const found: (string | null)[] = [];
  for (const [fault, breakage] of Object.entries(BREAKAGES)) {
    const violation = await findFault(breakage);
    found.push(violation);
    print(`${violation === null ? 'MISSED' : 'caught'} ${fault} (${violation ?? `${MAX_BROKEN_SEEDS} seeds`})`);
  }
  const missed = found.filter((violation) => violation === null).length;
  print(`${found.length - missed} caught, ${missed} missed`);
  return missed === 0;
}

const SUM_NAMES = [
  'runs',
  'failed',
  'steps',
  'kills',
  'stops',
  'received',
  'rateLimited',
  'unknown',
  'readBack',
  'published',
] as const;

type Sums = Record<(typeof SUM_NAMES)[number], number>;

const noSums = (): Sums => ({
  ...{ runs: 0, failed: 0, steps: 0, kills: 0, stops: 0 },
  ...{ received: 0, rateLimited: 0, unknown: 0, readBack: 0, published: 0 },
});

async function trySeeds(first: number, last: number): Promise<Sums> {
  const sums = noSums();
  for (let seed = first; seed <= last; seed += 1) {
    const { violations, steps, met, ...report } = await simulate(seed);
    if (first === last) print(JSON.stringify({ ...report, steps, met, violations }, null, 2));
    sums.runs += 1;
    sums.steps += steps;
    sums.kills += met.kills;
    sums.stops += met.stops;
    sums.received += met.received;
    sums.rateLimited += met.rateLimited;
    sums.unknown += met.unknown;
    sums.readBack += met.readBack;
    sums.published += met.published;
    if (violations.length === 0) continue;
    sums.failed += 1;
    print(`seed ${seed}: ${violations.slice(0, 5).join('; ')}`);
    print(`  again: npm run test:simulate -- --seed ${seed}`);
  }
  return sums;
}

/** The runs of one process. What waits in processes that were killed stays in its memory. */
const BATCH_SEEDS = 2_000;

/** Runs the batches in processes of their own, one for each core. */
async function tryInBatches(first: number, last: number): Promise<Sums> {
  const starts = Array.from({ length: Math.ceil((last - first + 1) / BATCH_SEEDS) }, (_, n) => first + n * BATCH_SEEDS);
  const sums = noSums();
  const tryNext = async (): Promise<void> => {
    const from = starts.shift();
    if (from === undefined) return;
    const count = Math.min(BATCH_SEEDS, last - from + 1);
    const args = [import.meta.filename, '--from', `${from}`, '--seeds', `${count}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    const batch: Partial<Sums> = JSON.parse(lines.at(-2) ?? '{}');
    for (const name of SUM_NAMES) sums[name] += batch[name] ?? 0;
    // A process that ends before its last run has failed as a whole.
    sums.failed += batch.runs === count ? 0 : 1;
    for (const line of lines.slice(0, -2)) print(line);
    await tryNext();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, tryNext));
  return sums;
}

async function tryAll(first: number, last: number): Promise<boolean> {
  const sums = await (last - first < BATCH_SEEDS ? trySeeds(first, last) : tryInBatches(first, last));
  print(JSON.stringify(sums));
  print(`${sums.runs - sums.failed} passed, ${sums.failed} failed, 0 skipped`);
  return sums.failed === 0 && sums.runs === last - first + 1;
}

const first = Number(values.seed ?? values.from);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;
const isFound = await (values.broken ? tryBroken() : tryAll(first, last));
process.exitCode = isFound ? 0 : 1;
