import { notAttemptedAfter, type SharedOutcome } from '../../core/articles/article-outcomes.ts';
import type { CompletedBulkUpdate } from '../../core/articles/bulk-updates.ts';
import { MAX_JOB_CALL_CHARS } from '../../core/base/limits.ts';
import type { Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { type BackendError, mayHaveApplied } from '../../core/errors.ts';
import type { IndexedOutcome, LedgerItem } from '../state/ledger.ts';

/** The consequences of the call of a chunk. */
export interface SentChunk {
  /** Outcomes that are final, or unknown until they are read back. */
  readonly ended: readonly IndexedOutcome[];
  /** Indexes of items that were surely not sent, and are sent later. */
  readonly withdrawn: readonly number[];
  readonly next: NextStep;
  /** True when nothing tells how any item of the chunk has ended, so that the service may be failing. */
  readonly isWhollyUnknown: boolean;
}

export type NextStep =
  | { readonly kind: 'go-on' }
  /** `retryAfterSeconds`: null where it is not known. */
  | {
      readonly kind: 'wait';
      readonly wait: 'RATE_LIMIT' | 'SERVICE';
      readonly retryAfterSeconds: number | null;
      /** True where something else than the service has answered. */
      readonly isForeign?: boolean;
    }
  /** The token is not accepted any more. */
  | { readonly kind: 'pause' }
  /** The token may not do this: the rest of the job has this outcome. */
  | { readonly kind: 'end'; readonly rest: SharedOutcome };

export const GO_ON: NextStep = { kind: 'go-on' };

export const WAIT_FOR_SERVICE: NextStep = { kind: 'wait', wait: 'SERVICE', retryAfterSeconds: null };

/** The result is null where the call has thrown: a bug, which may have come after the write. */
export function chunkResultOf(
  chunk: readonly LedgerItem[],
  result: Result<CompletedBulkUpdate, BackendError> | null,
): SentChunk {
  const outcomes = result?.ok
    ? result.value.outcomes
    : chunk.map(({ update: { articleId } }) => ({ ...outcomeAfter(result?.error ?? null), articleId }));
  const ended: IndexedOutcome[] = [];
  const withdrawn: number[] = [];
  let next = GO_ON;
  for (const [position, { index }] of chunk.entries()) {
    const outcome = outcomes[position];
    if (outcome === undefined) throw new Error('An item of a bulk update has no outcome.');
    if (isSentLater(outcome)) withdrawn.push(index);
    else ended.push({ index, outcome });
    if (next.kind === 'go-on') next = result?.ok === false ? nextStepAfterError(result.error) : nextStepAfter(outcome);
  }
  const isWhollyUnknown = withdrawn.length === 0 && ended.every(({ outcome }) => outcome.kind === 'unknown');
  return { ended, withdrawn, next, isWhollyUnknown };
}

/** The outcomes of updated items after a call that was to publish them. */
export const asPublications = (
  chunk: readonly LedgerItem[],
  ended: readonly IndexedOutcome[],
): readonly IndexedOutcome[] =>
  ended.flatMap(({ index, outcome }) => {
    const item = chunk.find((one) => one.index === index);
    if (item === undefined) return [];
    const details =
      outcome.kind === 'unknown' ? `The article was updated. Its publication: ${outcome.details}` : outcome.details;
    return [publicationOf(item, { ...outcome, details })];
  });

/** The details of the item are then about its publication, unless that has succeeded. */
export function publicationOf({ index, update, outcome }: LedgerItem, publication: SharedOutcome): IndexedOutcome {
  const updated = { kind: 'updated', details: null, ...outcome, articleId: update.articleId } as const;
  if (publication.kind === 'updated') return { index, outcome: { ...updated, publication: 'PUBLISHED' } };
  const isToBeRead = publication.kind === 'unknown' && (publication.readBack ?? 'NOT_TRIED') === 'NOT_TRIED';
  const { details } = publication;
  return { index, outcome: { ...updated, details, publication: PUBLICATIONS[publication.kind] }, isToBeRead };
}

const PUBLICATIONS = { failed: 'FAILED', unknown: 'UNKNOWN', 'not-attempted': 'NOT_ATTEMPTED' } as const;

/** The outcome of an item behind an unknown one of the same article. */
export const afterUnknown = ({ index, update: { articleId } }: LedgerItem): IndexedOutcome => ({
  index,
  outcome: {
    kind: 'not-attempted',
    articleId,
    details: 'Not sent, because the outcome of an earlier item of the same article is unknown.',
    reason: 'AFTER_UNKNOWN',
    retryAfterSeconds: null,
  },
});

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
      return GO_ON;
  }
}

/** The next step after a call that has failed as a whole. */
export function nextStepAfterError(error: BackendError): NextStep {
  if (mayHaveApplied(error)) return GO_ON;
  const next = nextStepAfter(notAttemptedAfter(error));
  const isForeign = error.kind === 'unavailable' && error.foreignStatus !== undefined;
  return next.kind === 'wait' && isForeign ? { ...next, isForeign } : next;
}

export const articleOf = ({ update }: Pick<LedgerItem, 'update'>): string => idKeyOf(update.articleId);

/**
 * The items from the front that go into one call: no article twice, and none whose earlier item is unknown. No item is
 * skipped, so that the order of each article is kept.
 */
export function nextChunk(
  items: readonly LedgerItem[],
  unknownArticles: ReadonlySet<string>,
  size: number,
): readonly LedgerItem[] {
  const articles = new Set<string>();
  let chars = 0;
  const end = items.findIndex((item, index) => {
    const article = articleOf(item);
    chars += charsOf(item);
    if (index >= size || articles.has(article) || unknownArticles.has(article)) return true;
    articles.add(article);
    return index > 0 && chars > MAX_JOB_CALL_CHARS;
  });
  return end === -1 ? items : items.slice(0, end);
}

const charsOf = ({ update }: LedgerItem): number =>
  Object.values(update).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
