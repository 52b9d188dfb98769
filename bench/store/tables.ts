import type { Table } from '../report/tables.ts';
import type { ItemCost, StoreRun } from './figures.ts';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const short = (value: number) => (value >= 100 ? whole(value) : value.toPrecision(3));
const megabytes = (bytes: number) => whole(bytes / 1024 ** 2);

const orDash = (value: number | null, show: (value: number) => string) => (value === null ? '' : show(value));
const kilobytes = (bytes: number) => short(bytes / 1024);

const costCells = ({ microseconds, cpu, serverCpu, written }: ItemCost): readonly string[] => [
  short(microseconds),
  short(cpu),
  orDash(serverCpu, short),
  orDash(written, kilobytes),
];

const COST_HEAD = ['µs', 'CPU µs, gateway', 'CPU µs, server', 'KB written'];

/** Costs per item for calls of items that are scattered over the store. */
export const costTable = (runs: readonly StoreRun[]): Table => ({
  head: ['', 'articles', 'items per call', ...COST_HEAD, 'p99 ms of the call', 'updates/s, 8 callers'],
  rows: runs.flatMap(({ engine, articles, cost }) =>
    cost.map(({ items, scattered, p99, itemsPerSecondOf8 }) => [
      engine,
      whole(articles),
      whole(items),
      ...costCells(scattered),
      short(p99),
      whole(itemsPerSecondOf8),
    ]),
  ),
});

/** Costs per item for calls of items that are next to each other. */
export const neighboursTable = (runs: readonly StoreRun[]): Table => ({
  head: ['', 'articles', 'items per call', ...COST_HEAD],
  rows: runs.flatMap(({ engine, articles, cost }) =>
    cost.map(({ items, neighbours }) => [engine, whole(articles), whole(items), ...costCells(neighbours)]),
  ),
});

/** At the beginning, in the middle and at the end: the plot has all. */
const someOf = ({ memory }: StoreRun) => memory.filter((_, index) => (2 * index) % (memory.length - 1) === 0);

export const memoryTable = (runs: readonly StoreRun[]): Table => ({
  head: [
    'heap MiB (resident MiB) after',
    ...runs.slice(0, 1).flatMap((run) => someOf(run).map(({ calls }) => `${whole(calls)} calls`)),
  ],
  rows: runs.map((run) => [
    `${run.engine}, ${whole(run.articles)} articles`,
    ...someOf(run).map(({ heapUsed, rss }) => `${megabytes(heapUsed)} (${megabytes(rss)})`),
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
