import type { ArticleOutcome } from '../articles/article-outcomes.ts';
import type { ArticleUpdate, UpdateTarget } from '../articles/bulk-updates.ts';

/** Open: further parts may come. Expired: left open for too long, and nothing was sent. */
export type JobState = 'OPEN' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED';

/** The reason why a running job sends nothing for now. */
export type JobWait = 'RATE_LIMIT' | 'SERVICE';

/** How an item has ended. */
export type ItemOutcome = 'UPDATED' | 'FAILED' | 'UNKNOWN' | 'NOT_ATTEMPTED';

/** The items of a job, counted by how they ended. */
export interface JobCounts {
  readonly total: number;
  /** Items without an outcome. */
  readonly pending: number;
  readonly updated: number;
  readonly failed: number;
  readonly unknown: number;
  readonly notAttempted: number;
}

/** A bulk update of any size, which goes on without the request that submitted it. */
export interface ArticleUpdateJob {
  readonly jobId: string;
  readonly state: JobState;
  /** Null while it does not wait. */
  readonly waitingFor: JobWait | null;
  readonly counts: JobCounts;
  readonly createdAt: Date;
  /** Null where it can't be told. */
  readonly estimatedEndAt: Date | null;
  /** Null while it has items without an outcome. */
  readonly endedAt: Date | null;
}

/** The outcome of one item of a job. */
export interface JobItemOutcome {
  /** The position of the item in the job, from 0. */
  readonly index: number;
  readonly outcome: ArticleOutcome;
  /** Names the text that the item was to change. Texts are not kept. */
  readonly target: UpdateTarget;
}

/** Items of a job that were submitted together. */
export interface JobPart {
  /** Names the job among those of its caller. */
  readonly idempotencyKey: string;
  /** The position of the first item in the job. */
  readonly startIndex: number;
  /** True while nothing is sent, since further parts follow. */
  readonly moreToCome: boolean;
  readonly updates: readonly ArticleUpdate[];
}
