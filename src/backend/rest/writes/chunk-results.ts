import {
  type ArticleOutcome,
  type NotAttempted,
  notAttemptedAfter,
  outcomesForAll,
  type SharedOutcome,
} from '../../../domain/articles/article-outcomes.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { decodeOutcomes } from '../../../v2/bulk-updates.ts';
import { type Envelope, reportsSuccess } from '../../../v2/envelope.ts';
import { decodeError } from '../../../v2/errors.ts';
import type { Chunk } from '../../writes/declarations.ts';
import type { RejectedResponse, WriteResponse } from './write-response.ts';

/** Rejections of the token, the permission or the rate, which would meet any other call as well. */
const ACCESS_REJECTION_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Rejections of the content. The service may check items one by one, so some of them may have been applied before. */
export const CONTENT_REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

export const STOPPED_AFTER_UNKNOWN: NotAttempted = {
  kind: 'not-attempted',
  details: 'Not sent, because the outcome of items before it is unknown.',
  reason: 'AFTER_UNKNOWN',
  retryAfterSeconds: null,
};

export const PARTLY_APPLIED_PREFIX =
  'The outcome is unknown: the service refused the call that this item was sent in with others, and may have applied a ' +
  'part of it. ';

/** The outcomes and notices of one chunk of a bulk update, by its response: see docs/contract.md, "Outcomes of items". */
export interface ChunkResult<Outcome = ArticleOutcome> {
  /** One for each item of the chunk. */
  readonly outcomes: readonly Outcome[];
  /** The outcome of the items of all later chunks, where none may follow this one; null where the next one may be sent. */
  readonly laterOutcome: NotAttempted | null;
  /** The error of the whole bulk update, if the chunk is its first; null where its items have outcomes of their own. */
  readonly error: BackendError | null;
}

export function readChunkResponse(response: WriteResponse, chunk: Chunk): ChunkResult {
  switch (response.kind) {
    case 'not-sent':
      return notAttempted(response.error, chunk);
    case 'unknown': {
      const details = `The outcome is unknown: ${response.reason}`;
      const outcomes = outcomesForAll(chunk, { kind: 'unknown', details });
      return { outcomes, laterOutcome: STOPPED_AFTER_UNKNOWN, error: null };
    }
    case 'accepted': {
      const items = resultItemsOf(response.envelope);
      const outcomes = decodeOutcomes(items, chunk);
      if (items.length > 0) return { outcomes, laterOutcome: null, error: null };
      const isSuccess = reportsSuccess(response.envelope);
      const error = isSuccess ? null : decodeError(response, { mayHaveApplied: true, readsTexts: false });
      return { outcomes, laterOutcome: STOPPED_AFTER_UNKNOWN, error };
    }
    case 'rejected':
      return rejectedResultOf(response, chunk);
  }
}

/** True where the service refused the items without an outcome for each. */
export const isContentRejection = (response: WriteResponse): response is RejectedResponse =>
  response.kind === 'rejected' &&
  CONTENT_REJECTION_STATUSES.has(response.httpStatus) &&
  resultItemsOf(response.envelope).length === 0;

function rejectedResultOf(response: RejectedResponse, chunk: Chunk): ChunkResult {
  const { httpStatus, envelope } = response;
  const items = httpStatus < 400 || ACCESS_REJECTION_STATUSES.has(httpStatus) ? [] : resultItemsOf(envelope);
  if (items.length > 0) return { outcomes: decodeOutcomes(items, chunk), laterOutcome: null, error: null };
  const isOfContent = isContentRejection(response);
  const mayHaveApplied = isOfContent && chunk.length > 1;
  const error = decodeError(response, { mayHaveApplied, readsTexts: false });
  if (!isOfContent) return notAttempted(error, chunk);
  const outcome: SharedOutcome = mayHaveApplied
    ? { kind: 'unknown', details: PARTLY_APPLIED_PREFIX + error.message }
    : { kind: 'failed', details: error.message };
  return { outcomes: outcomesForAll(chunk, outcome), laterOutcome: null, error };
}

function notAttempted(error: BackendError, chunk: Chunk): ChunkResult {
  const outcome = notAttemptedAfter(error);
  return { outcomes: outcomesForAll(chunk, outcome), laterOutcome: outcome, error };
}

export const resultItemsOf = (envelope: Envelope | null): readonly unknown[] =>
  Array.isArray(envelope?.payload) ? envelope.payload : [];
