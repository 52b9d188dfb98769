import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { silentLog } from '../src/core/base/log.ts';
import { createRequestFacts } from '../src/core/callers/request-facts.ts';
import { type LocalBackend, openLocalBackend } from '../src/store/local-backend.ts';
import { startPostgres } from '../test/support/embedded-postgres.ts';
import { percentile } from './harness/statistics.ts';
import { knowledgeBase, NEIGHBOUR_STRIDE, updatesOf } from './store/articles.ts';

/* `npm run bench:store:gateways` measures gateways that share one PostgreSQL, for docs/store.md. */

const GATEWAYS = 50;
const ARTICLES = 10_000;
const SECONDS = 3;
const caller = {
  apiToken: 'token',
  address: '',
  request: createRequestFacts({ id: 'bench' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};

const server = await startPostgres({});
const open = (poolSize: number) =>
  openLocalBackend({ databaseUrl: server.url, apiTokens: ['token'], log: silentLog, poolSize });
const print = (line: string) => process.stdout.write(`${line}\n`);
const closeAll = (stores: readonly LocalBackend[]) => Promise.all(stores.map((store) => store.close()));

async function update(store: LocalBackend, from: number, items: number): Promise<void> {
  const updates = updatesOf({ articles: ARTICLES, items, stride: NEIGHBOUR_STRIDE, from }).next().value;
  const result = await store.bulkUpdateArticles(caller, updates);
  if (!result.ok || result.value.outcomes.some(({ kind }) => kind !== 'updated')) throw new Error('An update failed.');
}

/** Measures the start of gateways, each of which takes the lock of the migrations. */
async function measureStarts(): Promise<void> {
  const begun = performance.now();
  const stores = await Promise.all(Array.from({ length: GATEWAYS }, () => open(1)));
  const each = (performance.now() - begun) / GATEWAYS;
  print(`${GATEWAYS} gateways that open the store at once: ${each.toFixed(1)} ms each, one after the other`);
  await closeAll(stores);
}

const MEMORY = /^Private_\w+: +(\d+) kB$/gmu;

/** Measures the private memory of the server's process of a connection after bulk updates. */
async function measureConnections(): Promise<void> {
  const store = await open(GATEWAYS);
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: GATEWAYS }, (_, n) => update(store, n * 100, 100)));
  }
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'kb-gateway'`,
  );
  await client.end();
  const kilobytes = rows.map(({ pid }) =>
    [...readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(MEMORY)].reduce(
      (sum, [, kB]) => sum + Number(kB),
      0,
    ),
  );
  const mean = kilobytes.reduce((sum, kB) => sum + kB, 0) / kilobytes.length / 1024;
  print(`memory of its own, each of ${rows.length} connections that have made bulk updates: ${mean.toFixed(1)} MiB`);
  await store.close();
}

/** Measures gateways that update single articles as fast as they can. */
async function measureWrites(gateways: number, articleOf: (gateway: number) => number): Promise<string> {
  const stores = await Promise.all(Array.from({ length: gateways }, () => open(1)));
  const durations: number[] = [];
  const until = performance.now() + SECONDS * 1_000;
  const keepWriting = async (store: LocalBackend, gateway: number) => {
    while (performance.now() < until) {
      const begun = performance.now();
      await update(store, articleOf(gateway), 1);
      durations.push(performance.now() - begun);
    }
  };
  await Promise.all(stores.map(keepWriting));
  await closeAll(stores);
  const sorted = durations.toSorted((one, other) => one - other);
  const [median, p99] = [0.5, 0.99].map((share) => percentile(sorted, share).toFixed(1));
  return `${Math.round(durations.length / SECONDS)} updates/s, median ${median} ms, p99 ${p99} ms`;
}

try {
  await measureStarts();
  const store = await open(1);
  await store.importKnowledgeBase(knowledgeBase({ from: 0, to: ARTICLES, articles: ARTICLES }), () => {});
  await store.close();
  await measureConnections();
  for (const gateways of [1, 8, GATEWAYS]) {
    print(`${gateways} gateways, each its own article: ${await measureWrites(gateways, (gateway) => gateway)}`);
    print(`${gateways} gateways, the same article: ${await measureWrites(gateways, () => 0)}`);
  }
} finally {
  await server.stop();
}
