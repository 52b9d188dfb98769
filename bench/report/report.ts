import type { BurstsRow } from '../sections/bursts.ts';
import type { FairnessRow } from '../sections/fairness.ts';
import type { GrowthRow } from '../sections/growth.ts';
import type { LatencyRow } from '../sections/latency.ts';
import type { LocalRow } from '../sections/local.ts';
import type { MemoryRow } from '../sections/memory.ts';
import type { ProfileRow } from '../sections/profiles.ts';
import type { StoreRow } from '../sections/store.ts';
import type { WorkloadRow } from '../sections/workloads.ts';

/** The time, machine and command of a measurement. */
export interface Run {
  readonly at: string;
  readonly command: string;
  readonly machine: string;
  readonly versions: string;
  /**
   * The mean number of runnable processes in the minute before the run and in the last minute of the section. The
   * benchmark itself has one or two; with more, the figures are disturbed.
   */
  readonly loadAverage: { readonly before: number; readonly atEnd: number };
}

export interface Section<Rows> {
  readonly run: Run;
  readonly rows: Rows;
}

export interface WorkloadReport {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly WorkloadRow[];
  /** Requests per second without a gateway: the limit of the harness. */
  readonly harnessRequestsPerSecond: number | null;
}

/** The JSON file of `npm run bench`. Sections that were not selected are absent. */
export interface Report {
  readonly latency?: Section<readonly LatencyRow[]>;
  readonly bursts?: Section<readonly BurstsRow[]>;
  readonly workloads?: Section<readonly WorkloadReport[]>;
  /** The workloads that read from the service. */
  readonly reads?: Section<readonly WorkloadReport[]>;
  readonly growth?: Section<readonly GrowthRow[]>;
  readonly memory?: Section<readonly MemoryRow[]>;
  readonly fairness?: Section<readonly FairnessRow[]>;
  readonly local?: Section<readonly LocalRow[]>;
  readonly store?: Section<readonly StoreRow[]>;
  readonly profiles?: Section<readonly ProfileRow[]>;
}

export const SECTIONS = [
  'latency',
  'bursts',
  'workloads',
  'reads',
  'growth',
  'memory',
  'fairness',
  'local',
  'store',
  'profiles',
] as const satisfies (keyof Report)[];
