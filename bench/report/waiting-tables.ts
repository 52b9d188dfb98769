import type { BurstsRow } from '../sections/bursts.ts';
import type { LatencyRow } from '../sections/latency.ts';
import { short, type Table, whole } from './tables.ts';

/** What a gateway adds to the time of the service, and the wait for a shared call beside it. */
export const latencyTable = (rows: readonly LatencyRow[]): Table => ({
  head: [
    'ms',
    'added p50',
    'p99',
    'max',
    'to reads p50',
    'to writes p50',
    'answer p50',
    'p99',
    'CPU µs/request',
    'calls/request',
    'updates that wait for a shared call',
    'their wait p50',
    'p99',
  ],
  rows: rows.map((row) => [
    row.target,
    ...[row.added.p50, row.added.p99, row.added.max].map(short),
    ...[row.addedToReads.p50, row.addedToWrites.p50, row.answered.p50, row.answered.p99].map(short),
    row.cpuPerRequest === 0 ? '–' : whole(row.cpuPerRequest),
    row.callsPerRequest.toFixed(3),
    ...(row.waitingShare === 0
      ? ['–', '–', '–']
      : [`${(100 * row.waitingShare).toFixed(0)} %`, short(row.waits.p50), short(row.waits.p99)]),
  ]),
});

export const burstsTable = (rows: readonly BurstsRow[]): Table => ({
  head: [
    '',
    'new tokens',
    'first burst: last answer ms',
    'CPU µs/request',
    'refused',
    'later ones: last answer ms',
    'CPU µs/request',
    'refused',
  ],
  rows: rows.map(({ target, tokens, first, later }) => [
    target,
    whole(tokens),
    ...[first, later].flatMap((burst) => [whole(burst.lastAnswerMs), whole(burst.cpuPerRequest), whole(burst.refused)]),
  ]),
});
