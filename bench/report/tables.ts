import type { FairnessRow } from '../sections/fairness.ts';
import type { GrowthRow } from '../sections/growth.ts';
import type { LocalRow } from '../sections/local.ts';
import type { MemoryRow } from '../sections/memory.ts';
import type { ProfileRow } from '../sections/profiles.ts';
import type { StoreRow } from '../sections/store.ts';
import type { WorkloadRow } from '../sections/workloads.ts';
import { MERCURIUS, OURS, OURS_ALONE } from '../targets.ts';
import type { WorkloadReport } from './report.ts';

/** A table of texts. The first column has names, the others mostly figures. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const REFERENCE = 'Mercurius';

export const whole = (value: number) => Math.round(value).toLocaleString('en-US');
export const short = (value: number) => (value >= 100 ? whole(value) : value.toPrecision(3));
const megabytes = (bytes: number) => whole(bytes / 1024 ** 2);

export function workloadTable({ rows }: WorkloadReport): Table {
  const reference = rows.find(({ target }) => target === REFERENCE);
  return {
    head: [
      '',
      'CPU µs/request',
      `× ${REFERENCE}`,
      '± %',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'peak MiB',
      'calls/request',
    ],
    rows: rows.map((row) => [
      row.target,
      short(row.cpuPerRequest),
      reference ? (row.cpuPerRequest / reference.cpuPerRequest).toFixed(2) : '–',
      row.rounds > 1 ? ((row.spread / 2) * 100).toFixed(0) : '–',
      whole(row.requestsPerSecond),
      short(row.p50),
      short(row.p99),
      megabytes(row.peakRssBytes),
      row.upstreamCallsPerRequest.toFixed(3),
    ]),
  };
}

/** CPU microseconds per request, with one row per target and one column per workload. */
export function overviewTable(workloads: readonly WorkloadReport[]): Table {
  const targets = [...new Set(workloads.flatMap(({ rows }) => rows.map(({ target }) => target)))];
  const cell = (target: string) => (workload: WorkloadReport) => {
    const row = workload.rows.find((candidate) => candidate.target === target);
    return row ? short(row.cpuPerRequest) : '–';
  };
  return {
    head: ['CPU µs/request', ...workloads.map(({ name }) => name)],
    rows: targets.map((target) => [target, ...workloads.map(cell(target))]),
  };
}

/**
 * The CPU time of kb-gateway as a multiple of each peer's, with one column per workload. Its variants with other settings
 * are compared with Mercurius.
 */
export function ratioTable(workloads: readonly WorkloadReport[]): Table {
  const namesOf = (wanted: WorkloadRow['kind']) => [
    ...new Set(workloads.flatMap(({ rows }) => rows.filter(({ kind }) => kind === wanted).map(({ target }) => target))),
  ];
  const cpuOf = ({ rows }: WorkloadReport, name: string) => rows.find(({ target }) => target === name)?.cpuPerRequest;
  const cell = (our: string, peer: string) => (workload: WorkloadReport) => {
    const [ours, theirs] = [cpuOf(workload, our), cpuOf(workload, peer)];
    return ours === undefined || theirs === undefined ? '–' : (ours / theirs).toFixed(2);
  };
  const variants = namesOf('ours').filter((name) => name !== OURS.name && name !== OURS_ALONE.name);
  return {
    head: [`CPU of ${OURS.name} ÷`, ...workloads.map(({ name }) => name)],
    rows: [
      ...namesOf('peer').map((peer) => [peer, ...workloads.map(cell(OURS.name, peer))]),
      ...variants.map((variant) => [
        `${MERCURIUS.name}; ${variant.replace(', ', ' with ')}`,
        ...workloads.map(cell(variant, MERCURIUS.name)),
      ]),
    ],
  };
}

export const growthTable = (rows: readonly GrowthRow[]): Table => ({
  head: ['', 'items', 'CPU µs/item', 'p50 ms of the call'],
  rows: rows.map((row) => [row.target, whole(row.items), short(row.cpuPerItem), short(row.p50)]),
});

export const memoryTable = (rows: readonly MemoryRow[]): Table => ({
  head: ['peak MiB', 'after the start', 'after one call of 10,000 items', 'after twenty more'],
  rows: rows.map((row) => [row.target, ...[row.idle, row.oneCall, row.manyCalls].map(megabytes)]),
});

export const fairnessTable = (rows: readonly FairnessRow[]): Table => ({
  head: ['ms', 'loop lag p50', 'p99', 'max', '{ __typename } p50', 'p99', 'max', 'large calls/s', 'peak MiB'],
  rows: rows.map((row) => [
    row.target,
    ...[row.loopLagP50, row.loopLagP99, row.loopLagMax].map(short),
    ...[row.smallQueryP50, row.smallQueryP99, row.smallQueryMax].map(short),
    short(row.largeCallsPerSecond),
    megabytes(row.peakRssBytes),
  ]),
});

export const localTable = (rows: readonly LocalRow[]): Table => ({
  head: ['', 'connections', 'mutations/s', 'CPU µs/mutation', 'p50 ms', 'p99 ms'],
  rows: rows.map((row) => [
    row.target,
    whole(row.connections),
    whole(row.mutationsPerSecond),
    short(row.cpuPerMutation),
    short(row.p50),
    short(row.p99),
  ]),
});

/** CPU time over the store, with one column per workload. Below it, that of kb-gateway beside each of the others. */
export function storeTable(rows: readonly StoreRow[]): Table {
  const workloads = [...new Set(rows.map(({ workload }) => workload))];
  const targets = Map.groupBy(rows, ({ engine, target }) => `${engine}: ${target}`);
  const cpuOf = (name: string, workload: string) =>
    targets.get(name)?.find((row) => row.workload === workload)?.cpuPerRequest;
  const cells = (format: (workload: string) => string | undefined) => workloads.map((name) => format(name) ?? '–');
  const costs = [...targets.keys()].map((name) => [
    name,
    ...cells((workload) => {
      const cpu = cpuOf(name, workload);
      return cpu === undefined ? cpu : short(cpu);
    }),
  ]);
  const ratios = [...targets].flatMap(([name, [row]]) => {
    if (row === undefined || row.target === OURS.name) return [];
    const ratioOf = (workload: string) =>
      ((cpuOf(`${row.engine}: ${OURS.name}`, workload) ?? 0) / (cpuOf(name, workload) ?? Number.NaN)).toFixed(2);
    return [[`${OURS.name} / ${row.target}`, ...cells((workload) => ratioOf(workload).replace('NaN', '–'))]];
  });
  return { head: ['CPU µs/request', ...workloads], rows: [...costs, ...ratios] };
}

/** The number of areas in the row of a profile. */
const NAMED_AREAS = 6;

export const profileTable = (rows: readonly ProfileRow[]): Table => ({
  head: ['', 'CPU µs/request', 'where it goes'],
  rows: rows.map(({ workload, cpuPerRequest, areas }) => [
    workload,
    short(cpuPerRequest),
    areas
      .slice(0, NAMED_AREAS)
      .map(({ area, share }) => `${area} ${(share * 100).toFixed(0)} %`)
      .join(', '),
  ]),
});

/** Columns of figures are aligned right, columns of text left. */
const isFigures = ({ rows }: Table, column: number) => rows.every((row) => /^[\d–]/u.test(row[column] ?? ''));

/** Formats a table for a terminal. */
export function toText(table: Table): string {
  const { head, rows } = table;
  const columns = head.map((title, column) => ({
    width: Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
    pad: isFigures(table, column) ? ('padStart' as const) : ('padEnd' as const),
  }));
  const line = (cells: readonly string[]) =>
    columns.map(({ width, pad }, column) => (cells[column] ?? '')[pad](width)).join('  ');
  return [head, ...rows].map((cells) => line(cells).trimEnd()).join('\n');
}

export function toMarkdown(table: Table): string {
  const { head, rows } = table;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map((_, column) => (isFigures(table, column) ? '--:' : '---')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
