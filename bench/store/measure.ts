import { setTimeout } from 'node:timers/promises';
import { type LocalBackend, openLocalBackend } from '../../src/backend/local/local-backend.ts';
import { silent } from '../../src/domain/log.ts';
import { median, percentile } from '../rig/statistics.ts';
import { updatesOf } from './articles.ts';
import type { CostRow, MemoryRow, StoreFigures } from './figures.ts';

/* Run by itself, with --expose-gc: measures a store that was filled, and sends the figures to whoever has started it. */
const [databaseUrl = '', articlesText = '', secondsText = ''] = process.argv.slice(2);
const articles = Number(articlesText);
const seconds = Number(secondsText);
const caller = { apiToken: 'token', requestId: 'bench', deadline: Number.POSITIVE_INFINITY };

const CALLERS = 8;
const WARM_UP_CALLS = 3;
const MIN_CALLS = 5;
const WINDOWS = 10;
const CALLS_A_WINDOW = 200;
const ITEMS_OF_MEMORY = 100;

type Call = () => Promise<void>;

/** The next bulk update of so many items; one whose items are not all updated ends the measurement. */
function callOf(store: LocalBackend, items: number): Call {
  const updates = updatesOf(articles, items);
  return async () => {
    const answer = await store.bulkUpdateArticles(caller, updates.next().value);
    const isWhole = answer.ok && answer.value.outcomes.every(({ kind }) => kind === 'updated');
    if (!isWhole) throw new Error('A bulk update has failed.');
  };
}

/** One call after the other: what an item costs. */
async function measureCost(call: Call, items: number): Promise<Omit<CostRow, 'itemsPerSecondOf8'>> {
  for (let count = 0; count < WARM_UP_CALLS; count += 1) await call();
  const durations: number[] = [];
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  while (performance.now() - start < seconds * 1_000 || durations.length < MIN_CALLS) {
    const begun = performance.now();
    await call();
    durations.push(performance.now() - begun);
  }
  const cpu = process.cpuUsage(cpuBefore);
  const sorted = durations.toSorted((one, other) => one - other);
  return {
    items,
    calls: durations.length,
    microsecondsPerItem: (median(durations) / items) * 1_000,
    cpuPerItem: (cpu.user + cpu.system) / (durations.length * items),
    p99: percentile(sorted, 0.99),
  };
}

/** Eight callers at once: what the store takes in a second. */
async function measureThroughput(call: Call, items: number): Promise<number> {
  let calls = 0;
  const start = performance.now();
  const keepCalling = async () => {
    while (performance.now() - start < seconds * 1_000) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, keepCalling));
  return (calls * items) / ((performance.now() - start) / 1_000);
}

async function measureMemory(call: Call): Promise<readonly MemoryRow[]> {
  const rows: MemoryRow[] = [];
  for (let window = 0; window <= WINDOWS; window += 1) {
    globalThis.gc?.();
    await setTimeout(10);
    const { rss, heapUsed } = process.memoryUsage();
    rows.push({ calls: window * CALLS_A_WINDOW, rss, heapUsed });
    for (let count = 0; count < CALLS_A_WINDOW && window < WINDOWS; count += 1) await call();
  }
  return rows;
}

const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silent });
const cost: CostRow[] = [];
for (const items of [1, 100, 1_000, 10_000]) {
  const call = callOf(store, items);
  cost.push({ ...(await measureCost(call, items)), itemsPerSecondOf8: await measureThroughput(call, items) });
}
const figures: StoreFigures = { cost, memory: await measureMemory(callOf(store, ITEMS_OF_MEMORY)) };
await store.close();
process.send?.(figures, () => process.exit());
