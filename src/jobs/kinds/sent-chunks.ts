import {
  type ArticleOutcome,
  type CompletedBulkUpdate,
  notAttemptedAfter,
  type SharedOutcome,
} from '../../core/articles/article-outcomes.ts';
import type { Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { WritePeriod } from '../../core/callers/request-report.ts';
import { type BackendError, mayHaveApplied } from '../../core/errors.ts';
import type { IndexedOutcome, LedgerItem, PassedItem } from '../state/ledger.ts';

export const articleOf = ({ update }: Pick<LedgerItem, 'update'>): string => idKeyOf(update.articleId);

/**
 * The first items, at most so many. Items of an article go together where one that expects a revision would be left behind:
 * it would find what those before it have written. Where that leaves no item, they do not.
 */
export function firstTogether(items: readonly LedgerItem[], length: number): readonly LedgerItem[] {
  const left = items.slice(length).filter(({ update }) => update.ifRevision !== undefined);
  const parted = new Set(left.map(articleOf));
  const end = items.findIndex((item) => parted.has(articleOf(item)));
  return items.slice(0, end > 0 ? Math.min(end, length) : length);
}

/** The consequences of the call of a chunk. */
export interface SentChunk {
  /** Items with outcomes that are final, or unknown until they are read back. */
  readonly ended: readonly { readonly item: LedgerItem; readonly outcome: ArticleOutcome }[];
  /** The indexes of items that were surely not sent, and are sent later. */
  readonly withdrawn: readonly number[];
  readonly next: NextStep;
  /** True when the outcomes of all items are unknown, so that the service may be failing. */
  readonly isWhollyUnknown: boolean;
  /** The time of the call by the clock of the service; null or absent where it is not known. */
  readonly period?: WritePeriod | null;
}

/** What the runner does after a chunk. */
export type NextStep =
  | { readonly kind: 'go-on' }
  | {
      readonly kind: 'wait';
      readonly wait: 'RATE_LIMIT' | 'SERVICE';
      /** Null where the service has given none. */
      readonly retryAfterSeconds: number | null;
      /** True where the answer was not the service's. */
      readonly isForeign?: boolean;
    }
  /** The service no longer accepts the token. */
  | { readonly kind: 'pause' }
  /** The token may not do this: the rest of the job has this outcome. */
  | { readonly kind: 'end'; readonly rest: SharedOutcome };

/** The next chunk follows at once. */
export const GO_ON: NextStep = { kind: 'go-on' };

/** The next chunk follows after a pause. */
export const WAIT_FOR_SERVICE: NextStep = { kind: 'wait', wait: 'SERVICE', retryAfterSeconds: null };

/** Sorts the items of a chunk by the result of its call, which is null where the call has thrown after it may have been sent. */
export function sentChunkOf(
  chunk: readonly LedgerItem[],
  result: Result<CompletedBulkUpdate, BackendError> | null,
): SentChunk {
  const outcomes = result?.ok
    ? result.value.outcomes
    : chunk.map(({ update: { articleId } }) => ({ ...outcomeAfter(result?.error ?? null), articleId }));
  const ended: SentChunk['ended'][number][] = [];
  const withdrawn: number[] = [];
  let next = GO_ON;
  for (const [position, item] of chunk.entries()) {
    const outcome = outcomes[position];
    if (outcome === undefined) throw new Error('An item of a bulk update has no outcome.');
    if (isSentLater(outcome)) withdrawn.push(item.index);
    else ended.push({ item, outcome });
    if (next.kind === 'go-on') next = result?.ok === false ? nextStepAfterError(result.error) : nextStepAfter(outcome);
  }
  const isWhollyUnknown = withdrawn.length === 0 && ended.every(({ outcome }) => outcome.kind === 'unknown');
  return { ended, withdrawn, next, isWhollyUnknown };
}

function outcomeAfter(error: BackendError | null): SharedOutcome {
  if (error === null || mayHaveApplied(error)) {
    const reason = error?.message ?? 'the gateway failed unexpectedly.';
    return { kind: 'unknown', details: `The outcome is unknown: ${reason}` };
  }
  // The content of a single item was refused: see docs/contract.md, "Outcomes of items".
  if (error.kind === 'rejected' && error.httpStatus !== null && CONTENT_REJECTIONS.has(error.httpStatus))
    return { kind: 'failed', details: error.message };
  return notAttemptedAfter(error);
}

const CONTENT_REJECTIONS: ReadonlySet<number> = new Set([400, 409, 422]);

const LATER_REASONS: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'UNAVAILABLE',
  'OUT_OF_TIME',
  'AFTER_UNKNOWN',
]);

const isSentLater = (outcome: SharedOutcome): boolean =>
  outcome.kind === 'not-attempted' && LATER_REASONS.has(outcome.reason);

function nextStepAfter(outcome: SharedOutcome): NextStep {
  if (outcome.kind !== 'not-attempted') return GO_ON;
  switch (outcome.reason) {
    case 'RATE_LIMITED':
      return { kind: 'wait', wait: 'RATE_LIMIT', retryAfterSeconds: outcome.retryAfterSeconds };
    case 'UNAVAILABLE':
    case 'OUT_OF_TIME':
      return WAIT_FOR_SERVICE;
    case 'UNAUTHENTICATED':
      return { kind: 'pause' };
    case 'FORBIDDEN':
      return { kind: 'end', rest: outcome };
    case 'REJECTED':
    case 'AFTER_UNKNOWN':
    case 'CANCELLED':
    case 'CHANGED_SINCE':
    case 'BEFORE_NOT_READABLE':
    case 'NOT_RESTORABLE':
    case 'PUBLISHED':
      return GO_ON;
  }
}

/** The next step after a read that has failed. */
export const nextStepAfterRead = (error: BackendError): NextStep =>
  error.kind === 'outcome-unknown' ? WAIT_FOR_SERVICE : nextStepAfterError(error);

/** True where a read of fewer articles may succeed. */
export const isTooMuch = ({ kind }: BackendError): boolean => kind === 'too-costly' || kind === 'query-too-costly';

/** The next step after a call that has failed as a whole. */
export function nextStepAfterError(error: BackendError): NextStep {
  if (mayHaveApplied(error)) return GO_ON;
  const next = nextStepAfter(notAttemptedAfter(error));
  const isForeign = error.kind === 'unavailable' && error.foreignStatus !== undefined;
  return next.kind === 'wait' && isForeign ? { ...next, isForeign } : next;
}

/** Separates the items that have ended from those that another kind sends next. */
export function sortReports(reports: readonly (IndexedOutcome | PassedItem)[]) {
  const outcomes: IndexedOutcome[] = [];
  const passed: PassedItem[] = [];
  for (const report of reports)
    if ('fork' in report) passed.push(report);
    else outcomes.push(report);
  return { outcomes, passed };
}
