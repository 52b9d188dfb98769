import type { Result } from '../../base/result.ts';
import { type ArticleOutcome, notAttemptedAfter, type SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { type BackendError, mayHaveApplied } from '../../domain/errors.ts';
import type { IndexedOutcome, LedgerItem } from '../../state/ledger.ts';

/** The consequences of the call of a chunk. */
export interface ChunkResult {
  /** Outcomes that are final, or unknown until they are read back. */
  readonly ended: readonly IndexedOutcome[];
  /** Indexes of items that were surely not sent, and are sent later. */
  readonly withdrawn: readonly number[];
  readonly next: NextStep;
}

export type NextStep =
  | { readonly kind: 'go-on' }
  /** `retryAfterSeconds`: null where it is not known. */
  | { readonly kind: 'wait'; readonly wait: 'RATE_LIMIT' | 'SERVICE'; readonly retryAfterSeconds: number | null }
  /** The token is not accepted any more. */
  | { readonly kind: 'pause' }
  /** The token may not do this: the rest of the job has this outcome. */
  | { readonly kind: 'end'; readonly rest: SharedOutcome };

const GO_ON: NextStep = { kind: 'go-on' };

export function chunkResultOf(
  chunk: readonly LedgerItem[],
  result: Result<CompletedBulkUpdate, BackendError>,
): ChunkResult {
  const outcomes = result.ok ? result.value.outcomes : chunk.map(({ update }) => outcomeAfter(result.error, update));
  const ended: IndexedOutcome[] = [];
  const withdrawn: number[] = [];
  let next = GO_ON;
  for (const [position, { index }] of chunk.entries()) {
    const outcome = outcomes[position];
    if (outcome === undefined) throw new Error('An item of a bulk update has no outcome.');
    if (isSentLater(outcome)) withdrawn.push(index);
    else ended.push({ index, outcome });
    next = moreImportant(next, nextStepAfter(outcome));
  }
  return { ended, withdrawn, next };
}

/** The outcomes of a chunk whose call has thrown: a bug, which may have come after the write. */
export const unknownChunk = (chunk: readonly LedgerItem[]): ChunkResult => ({
  ended: chunk.map(({ index, update: { articleId } }) => ({
    index,
    outcome: { kind: 'unknown', articleId, details: 'The outcome is unknown: the gateway failed unexpectedly.' },
  })),
  withdrawn: [],
  next: GO_ON,
});

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

/** True when nothing tells how any item of the chunk has ended, so that the service may be failing. */
export const isWhollyUnknown = ({ ended, withdrawn }: ChunkResult): boolean =>
  withdrawn.length === 0 && ended.every(({ outcome }) => outcome.kind === 'unknown');

function outcomeAfter(error: BackendError, { articleId }: { readonly articleId: string }): ArticleOutcome {
  if (mayHaveApplied(error)) return { kind: 'unknown', articleId, details: `The outcome is unknown: ${error.message}` };
  // The content of a single item was refused: see docs/contract.md, "Outcomes of items".
  if (error.kind === 'rejected' && error.httpStatus !== null && CONTENT_REJECTIONS.has(error.httpStatus))
    return { kind: 'failed', articleId, details: error.message };
  return { ...notAttemptedAfter(error), articleId };
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

function nextStepAfter(outcome: ArticleOutcome): NextStep {
  if (outcome.kind !== 'not-attempted') return GO_ON;
  const { articleId: _ofOneItem, ...rest } = outcome;
  switch (outcome.reason) {
    case 'RATE_LIMITED':
      return { kind: 'wait', wait: 'RATE_LIMIT', retryAfterSeconds: outcome.retryAfterSeconds };
    case 'UNAVAILABLE':
    case 'OUT_OF_TIME':
      return { kind: 'wait', wait: 'SERVICE', retryAfterSeconds: null };
    case 'UNAUTHENTICATED':
      return { kind: 'pause' };
    case 'FORBIDDEN':
      return { kind: 'end', rest };
    case 'REJECTED':
    case 'AFTER_UNKNOWN':
    case 'CANCELLED':
      return GO_ON;
  }
}

const IMPORTANCE = { 'go-on': 0, wait: 1, pause: 2, end: 3 } as const satisfies Record<NextStep['kind'], number>;

const moreImportant = (one: NextStep, other: NextStep): NextStep =>
  IMPORTANCE[other.kind] > IMPORTANCE[one.kind] ? other : one;
