import type { Page, PageRequest } from '../base/pages.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { ItemOutcome, JobCounts, JobItemOutcome } from '../domain/articles/article-update-jobs.ts';
import { type BackendError, validationError } from '../domain/errors.ts';

interface PageOptions<T> {
  readonly page: PageRequest;
  /** One entry more than the page has, where there is one. */
  readonly entries: readonly T[];
  readonly cursorOf: (entry: T) => string;
  readonly totalCount: () => Promise<number>;
}

export function pageOf<T>({ page, entries, cursorOf, totalCount }: PageOptions<T>): Page<T> {
  return {
    edges: entries.slice(0, page.limit).map((node) => ({ cursor: cursorOf(node), node })),
    hasNextPage: entries.length > page.limit,
    hasPreviousPage: page.after != null,
    totalCount,
  };
}

/** The cursor of an item is its index. -1 for the first page. */
export function decodeResultCursor({ after }: PageRequest): Result<number, BackendError> {
  if (after == null) return ok(-1);
  if (/^\d{1,9}$/u.test(after)) return ok(Number(after));
  return err(noCursor());
}

/** The cursor of a job is its ID, and that of a job which was deleted since then is none any more. */
export const noCursor = (): BackendError =>
  validationError([{ path: ['after'], message: 'after must be a cursor of an earlier page of this list.' }]);

export const resultCursorOf = ({ index }: JobItemOutcome): string => `${index}`;

/** The items that have ended, of these outcomes or of all. */
export function countEnded(counts: JobCounts, outcomes: readonly ItemOutcome[] | null): number {
  if (outcomes === null) return counts.total - counts.pending;
  return [...new Set(outcomes)].reduce((sum, outcome) => sum + counts[COUNTS[outcome]], 0);
}

const COUNTS = {
  UPDATED: 'updated',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  NOT_ATTEMPTED: 'notAttempted',
} as const satisfies Record<ItemOutcome, keyof JobCounts>;
