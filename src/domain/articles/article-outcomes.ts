import type { BackendError, BackendErrorKind } from '../errors.ts';

/** Why an item was not sent, or was refused before anything of it was applied. */
export type NotAttemptedReason =
  | 'RATE_LIMITED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'UNAVAILABLE'
  | 'REJECTED'
  | 'OUT_OF_TIME'
  | 'AFTER_UNKNOWN'
  | 'CANCELLED';

interface Attempted {
  readonly kind: 'updated' | 'failed' | 'unknown';
  readonly details: string | null;
}

interface NotAttempted {
  readonly kind: 'not-attempted';
  readonly details: string | null;
  readonly reason: NotAttemptedReason;
  /** Whole seconds until sending the item may help; null when that is not known. */
  readonly retryAfterSeconds: number | null;
}

/** An outcome that several items may have. */
export type SharedOutcome = Attempted | NotAttempted;

/** The outcome of one item of a bulk update. */
export type ArticleOutcome = SharedOutcome & { readonly articleId: string };

/** One outcome for each of the items. */
export const outcomesForAll = (
  items: readonly { readonly articleId: string }[],
  outcome: SharedOutcome,
): readonly ArticleOutcome[] => items.map(({ articleId }) => ({ ...outcome, articleId }));

/** The outcome of items that the error kept from being applied. */
export const notAttemptedAfter = (error: BackendError): NotAttempted => ({
  kind: 'not-attempted',
  details: error.message,
  reason: error.kind === 'unavailable' && error.isOutOfTime ? 'OUT_OF_TIME' : REASONS[error.kind],
  retryAfterSeconds: error.kind === 'rate-limited' ? error.retryAfterSeconds : null,
});

const REASONS = {
  validation: 'REJECTED',
  'reader-group-not-found': 'REJECTED',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  'rate-limited': 'RATE_LIMITED',
  rejected: 'REJECTED',
  unavailable: 'UNAVAILABLE',
  'outcome-unknown': 'AFTER_UNKNOWN',
  'not-offered': 'REJECTED',
  'query-too-costly': 'REJECTED',
  'too-costly': 'REJECTED',
} as const satisfies Record<BackendErrorKind, NotAttemptedReason>;

/** Reasons that sending the same item again does not remove. */
const LASTING_REASONS: ReadonlySet<NotAttemptedReason> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'REJECTED']);

/** True when sending the item again is safe and may help. */
export const isRetryable = (outcome: SharedOutcome): boolean =>
  outcome.kind === 'not-attempted' && !LASTING_REASONS.has(outcome.reason);
