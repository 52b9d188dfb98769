import { setTimeout } from 'node:timers/promises';
import { silentLog } from '../../src/core/base/log.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { type LocalBackend, openLocalBackend } from '../../src/store/local-backend.ts';
import { median, percentile } from '../harness/statistics.ts';
import { NEIGHBOUR_STRIDE, SCATTERED_STRIDE, updatesOf } from './articles.ts';
import type { CostRow, ItemCost, MemoryRow, StoreFigures } from './figures.ts';
import { openMeter } from './meter.ts';

/* A process (with --expose-gc) that measures a filled store and sends the figures to its parent. */
const [databaseUrl = '', articlesText = '', secondsText = ''] = process.argv.slice(2);
const articles = Number(articlesText);
const seconds = Number(secondsText);
const caller = {
  apiToken: 'token',
  address: '',
  request: createRequestFacts({ id: 'bench' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};

const CALLERS = 8;
const WARM_UP_CALLS = 3;
const MIN_CALLS = 5;
const WINDOWS = 10;
const CALLS_A_WINDOW = 200;
const ITEMS_OF_MEMORY = 100;

type Call = () => Promise<void>;

/** Makes the next bulk update of a number of items. Throws if an item is not updated. */
function callOf(store: LocalBackend, items: number, stride = SCATTERED_STRIDE): Call {
  const updates = updatesOf({ articles, items, stride });
  return async () => {
    const result = await store.bulkUpdateArticles(caller, updates.next().value);
    const isUpdated = result.ok && result.value.outcomes.every(({ kind }) => kind === 'updated');
    if (!isUpdated) throw new Error('A bulk update has failed.');
  };
}

interface Series {
  readonly cost: ItemCost;
  readonly calls: number;
  readonly p99: number;
}

/** Measures the cost of an item with sequential calls. */
async function measureCost(call: Call, items: number): Promise<Series> {
  for (let count = 0; count < WARM_UP_CALLS; count += 1) await call();
  const durations: number[] = [];
  const workBefore = await meter.read();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  while (performance.now() - start < seconds * 1_000 || durations.length < MIN_CALLS) {
    const begun = performance.now();
    await call();
    durations.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const work = await meter.read();
  const perItem = (total: number) => total / (durations.length * items);
  const since = (now: number | null, before: number | null) =>
    now === null || before === null ? null : perItem(now - before);
  return {
    cost: {
      microseconds: (median(durations) / items) * 1_000,
      cpu: perItem(user + system),
      serverCpu: since(work.serverCpu, workBefore.serverCpu),
      written: since(work.writtenBytes, workBefore.writtenBytes),
    },
    calls: durations.length,
    p99: percentile(
      durations.toSorted((one, other) => one - other),
      0.99,
    ),
  };
}

/** Items per second with eight concurrent callers. */
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

async function measureRow(items: number): Promise<CostRow> {
  const neighbours = await measureCost(callOf(store, items, NEIGHBOUR_STRIDE), items);
  const call = callOf(store, items);
  const { cost: scattered, calls, p99 } = await measureCost(call, items);
  const itemsPerSecondOf8 = await measureThroughput(call, items);
  return { items, calls, scattered, neighbours: neighbours.cost, p99, itemsPerSecondOf8 };
}

const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silentLog });
const meter = await openMeter(databaseUrl);
const cost: CostRow[] = [];
for (const items of [1, 100, 1_000, 10_000]) cost.push(await measureRow(items));
const figures: StoreFigures = { cost, memory: await measureMemory(callOf(store, ITEMS_OF_MEMORY)) };
await meter.close();
await store.close();
process.send?.(figures, () => process.exit());
