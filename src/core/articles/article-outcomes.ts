import type { OutcomeCounts } from '../callers/request-report.ts';
import { type BackendError, type BackendErrorKind, mayHaveApplied } from '../errors.ts';
import { NO_NOTICES, type Notices, type ServiceError } from '../notices.ts';
import type { ReadProperty } from './bulk-updates.ts';

/** The reasons why an item was not sent, or was refused before any of it was applied. */
export const NOT_ATTEMPTED_REASONS = [
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'UNAVAILABLE',
  'REJECTED',
  'OUT_OF_TIME',
  'AFTER_UNKNOWN',
  'CANCELLED',
  'CHANGED_SINCE',
  'BEFORE_NOT_READABLE',
  'NOT_RESTORABLE',
  'PUBLISHED',
] as const;

export type NotAttemptedReason = (typeof NOT_ATTEMPTED_REASONS)[number];

/** The evidence that an article was updated. */
export const UPDATE_EVIDENCE = ['ANSWER', 'READ_BACK'] as const;

/** The result of reading the article after an update with an unknown outcome. */
export const READ_BACKS = ['NOT_TRIED', 'DIFFERS', 'NOT_READABLE'] as const;

export type ReadBack = (typeof READ_BACKS)[number];

/** The outcome of the requested publication or unpublication of an item. */
export const PUBLICATIONS = ['PUBLISHED', 'UNPUBLISHED', 'NOT_ATTEMPTED', 'FAILED', 'UNKNOWN'] as const;

export type Publication = (typeof PUBLICATIONS)[number];

interface ForkedItem {
  /** The version that a fork has made for the item. Absent where none was made. */
  readonly draftVersionNumber?: number | undefined;
}

interface Updated extends ForkedItem {
  readonly kind: 'updated';
  readonly details: string | null;
  /** Absent where the answer of the service is the evidence. */
  readonly evidence?: (typeof UPDATE_EVIDENCE)[number] | undefined;
  /** Absent where no publication was requested. */
  readonly publication?: Publication | undefined;
  /** True where it was sent without `hidden` though the article may be hidden (`KEEP_HIDDEN`); absent elsewhere. */
  readonly isHiddenUnknown?: true | undefined;
  /** In a revert, the members that no update can set to what they were before. Absent where all were put back. */
  readonly notRestored?: readonly ReadProperty[] | undefined;
}

export interface Failed extends ForkedItem {
  readonly kind: 'failed';
  readonly details: string | null;
}

interface Unknown extends ForkedItem {
  readonly kind: 'unknown';
  readonly details: string | null;
  /** Absent while the article was not read. */
  readonly readBack?: ReadBack | undefined;
  /** As that of an updated item. */
  readonly isHiddenUnknown?: true | undefined;
}

export interface NotAttempted extends ForkedItem {
  readonly kind: 'not-attempted';
  readonly details: string | null;
  readonly reason: NotAttemptedReason;
  /** Whole seconds after which sending the item again may help; null when that is not known. */
  readonly retryAfterSeconds: number | null;
}

/** An outcome that several items may have. */
export type SharedOutcome = Updated | UnsuccessfulOutcome;

export type UnsuccessfulOutcome = Failed | Unknown | NotAttempted;

/** The outcome of one item of a bulk update. */
export type ArticleOutcome = SharedOutcome & { readonly articleId: string };

/** A write with an outcome for each item, in the order of the items. */
export interface CompletedItems<Outcome> extends Notices {
  readonly outcomes: readonly Outcome[];
  readonly serviceErrors: readonly ServiceError[];
}

export type CompletedBulkUpdate = CompletedItems<ArticleOutcome>;

/** A write that has only outcomes, without notices. */
export const completedItems = <Outcome>(outcomes: readonly Outcome[]): CompletedItems<Outcome> => ({
  ...NO_NOTICES,
  outcomes,
  serviceErrors: [],
});

/** The same outcome for each of the items. */
export const outcomesForAll = (
  items: readonly { readonly articleId: string }[],
  outcome: SharedOutcome,
): readonly ArticleOutcome[] => items.map(({ articleId }) => ({ ...outcome, articleId }));

/** The count that each kind of outcome adds to. A created article counts as updated. */
const COUNT_OF = {
  updated: 'updated',
  created: 'updated',
  failed: 'failed',
  unknown: 'unknown',
  'not-attempted': 'notAttempted',
} as const;

/** The kinds of outcomes of an item of any write of articles. */
export type OutcomeKind = keyof typeof COUNT_OF;

export function outcomeCountsOf(outcomes: readonly { readonly kind: OutcomeKind }[]): OutcomeCounts {
  const counts = { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
  for (const { kind } of outcomes) counts[COUNT_OF[kind]] += 1;
  return counts;
}

/** Counts the items of a write that failed as a whole. */
export const outcomeCountsOfError = (error: BackendError, items: number): OutcomeCounts => ({
  updated: 0,
  failed: 0,
  unknown: 0,
  notAttempted: 0,
  [mayHaveApplied(error) ? 'unknown' : ITEMS_AFTER[error.kind].outcome]: items,
});

/** The outcome of items that were not applied because of the error. */
export const notAttemptedAfter = (error: BackendError): NotAttempted => ({
  kind: 'not-attempted',
  details: error.message,
  reason: error.kind === 'unavailable' && error.isOutOfTime ? 'OUT_OF_TIME' : ITEMS_AFTER[error.kind].reason,
  retryAfterSeconds: error.kind === 'rate-limited' ? error.retryAfterSeconds : null,
});

/** The outcome of the items after those with an unknown outcome. */
export const STOPPED_AFTER_UNKNOWN: NotAttempted = {
  kind: 'not-attempted',
  details: 'Not sent, because the outcome of items before it is unknown.',
  reason: 'AFTER_UNKNOWN',
  retryAfterSeconds: null,
};

/**
 * The counts of the items of a write that failed as a whole, which may be unknown after a rejection, and the reason for
 * those that were not attempted because of the error.
 */
const ITEMS_AFTER = {
  validation: { outcome: 'failed', reason: 'REJECTED' },
  'reader-group-not-found': { outcome: 'failed', reason: 'REJECTED' },
  'changed-since': { outcome: 'notAttempted', reason: 'CHANGED_SINCE' },
  unauthenticated: { outcome: 'notAttempted', reason: 'UNAUTHENTICATED' },
  forbidden: { outcome: 'notAttempted', reason: 'FORBIDDEN' },
  'rate-limited': { outcome: 'notAttempted', reason: 'RATE_LIMITED' },
  rejected: { outcome: 'failed', reason: 'REJECTED' },
  unavailable: { outcome: 'notAttempted', reason: 'UNAVAILABLE' },
  'outcome-unknown': { outcome: 'unknown', reason: 'AFTER_UNKNOWN' },
  'not-offered': { outcome: 'notAttempted', reason: 'REJECTED' },
  'query-too-costly': { outcome: 'notAttempted', reason: 'REJECTED' },
  'too-costly': { outcome: 'notAttempted', reason: 'REJECTED' },
  'idempotency-conflict': { outcome: 'notAttempted', reason: 'REJECTED' },
  'idempotency-in-progress': { outcome: 'unknown', reason: 'AFTER_UNKNOWN' },
  'job-not-found': { outcome: 'notAttempted', reason: 'REJECTED' },
} as const satisfies Record<BackendErrorKind, { outcome: keyof OutcomeCounts; reason: NotAttemptedReason }>;

/** Reasons that remain when the same item is sent again. */
const LASTING_REASONS: ReadonlySet<NotAttemptedReason> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'REJECTED',
  'CHANGED_SINCE',
  'BEFORE_NOT_READABLE',
  'NOT_RESTORABLE',
  'PUBLISHED',
]);

/** True when sending the item again is safe and may help. */
export const isRetryable = (
  outcome: { readonly kind: Exclude<OutcomeKind, 'not-attempted'> } | NotAttempted,
): boolean => outcome.kind === 'not-attempted' && !LASTING_REASONS.has(outcome.reason);
