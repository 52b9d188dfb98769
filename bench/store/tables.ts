import type { Table } from '../report/tables.ts';
import type { StoreRun } from './figures.ts';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const short = (value: number) => (value >= 100 ? whole(value) : value.toPrecision(3));
const megabytes = (bytes: number) => whole(bytes / 1024 ** 2);

export const costTable = (runs: readonly StoreRun[]): Table => ({
  head: [
    '',
    'articles',
    'items per call',
    'µs per item',
    'CPU µs per item',
    'p99 ms of the call',
    'updates/s, 8 callers',
  ],
  rows: runs.flatMap(({ engine, articles, cost }) =>
    cost.map((row) => [
      engine,
      whole(articles),
      whole(row.items),
      short(row.microsecondsPerItem),
      short(row.cpuPerItem),
      short(row.p99),
      whole(row.itemsPerSecondOf8),
    ]),
  ),
});

export const memoryTable = (runs: readonly StoreRun[]): Table => ({
  head: ['heap MiB (resident MiB) after', ...(runs[0]?.memory ?? []).map(({ calls }) => `${whole(calls)} calls`)],
  rows: runs.map(({ engine, articles, memory }) => [
    `${engine}, ${whole(articles)} articles`,
    ...memory.map(({ heapUsed, rss }) => `${megabytes(heapUsed)} (${megabytes(rss)})`),
  ]),
});

export const fillTable = (runs: readonly StoreRun[]): Table => ({
  head: ['', 'articles', 'seconds', 'articles/s'],
  rows: runs.map(({ engine, articles, fillSeconds }) => [
    engine,
    whole(articles),
    short(fillSeconds),
    whole(articles / fillSeconds),
  ]),
});
