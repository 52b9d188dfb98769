import type { FairnessRow } from '../sections/fairness.ts';
import type { GrowthRow } from '../sections/growth.ts';
import type { LocalRow } from '../sections/local.ts';
import type { MemoryRow } from '../sections/memory.ts';
import type { ProfileRow } from '../sections/profiles.ts';
import type { Row } from '../sections/workloads.ts';

/** When, on what and how a section was measured. */
export interface Run {
  readonly at: string;
  readonly command: string;
  readonly machine: string;
  readonly versions: string;
  /**
   * How many processes wanted a core, in the minute before the run and in the minute at the section's end: more than the
   * one or two of the bench itself, and the figures are disturbed.
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
  readonly rows: readonly Row[];
  /** Requests a second with nothing between the load and the upstream: what the rig itself can do. */
  readonly rigRequestsPerSecond: number | null;
}

/** What `npm run bench` leaves as JSON. A section that was not asked for is not there. */
export interface Report {
  readonly workloads?: Section<readonly WorkloadReport[]>;
  readonly growth?: Section<readonly GrowthRow[]>;
  readonly memory?: Section<readonly MemoryRow[]>;
  readonly fairness?: Section<readonly FairnessRow[]>;
  readonly local?: Section<readonly LocalRow[]>;
  readonly profiles?: Section<readonly ProfileRow[]>;
}

export const SECTIONS = [
  'workloads',
  'growth',
  'memory',
  'fairness',
  'local',
  'profiles',
] as const satisfies (keyof Report)[];
