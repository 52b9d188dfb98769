import {
  type ArticleOutcome,
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
const CONTENT_REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

const STOPPED_AFTER_UNKNOWN: SharedOutcome = {
  kind: 'not-attempted',
  details: 'Not sent, because the outcome of items before it is unknown.',
  reason: 'AFTER_UNKNOWN',
  retryAfterSeconds: null,
};

const PARTLY_APPLIED_PREFIX =
  'The outcome is unknown: the service refused the call that this item was sent in with others, and may have applied a ' +
  'part of it. ';

/** One outcome for each item of the chunk: see docs/contract.md, "Outcomes of items". */
export function outcomesOf(response: WriteResponse, chunk: Chunk): readonly ArticleOutcome[] {
  switch (response.kind) {
    case 'not-sent':
      return outcomesForAll(chunk, notAttemptedAfter(response.error));
    case 'unknown':
      return outcomesForAll(chunk, { kind: 'unknown', details: `The outcome is unknown: ${response.reason}` });
    case 'accepted':
      return decodeOutcomes(resultItemsOf(response.envelope), chunk);
    case 'rejected': {
      const items = rejectedItemsOf(response);
      if (items.length > 0) return decodeOutcomes(items, chunk);
      return outcomesForAll(chunk, rejectedOutcomeOf(response, chunk));
    }
  }
}

/** The outcome of each item of a rejected chunk whose response has none for single items. */
function rejectedOutcomeOf(response: RejectedResponse, chunk: Chunk): SharedOutcome {
  const error = rejectionOf(response, chunk);
  if (!isContentRejection(response)) return notAttemptedAfter(error);
  return chunk.length > 1
    ? { kind: 'unknown', details: PARTLY_APPLIED_PREFIX + error.message }
    : { kind: 'failed', details: error.message };
}

/** The outcome of the items of all later chunks, where none may follow this one; null where the next one may be sent. */
export function laterOutcomeOf(response: WriteResponse, chunk: Chunk): SharedOutcome | null {
  switch (response.kind) {
    case 'not-sent':
      return notAttemptedAfter(response.error);
    case 'unknown':
      return STOPPED_AFTER_UNKNOWN;
    case 'accepted':
      return resultItemsOf(response.envelope).length > 0 ? null : STOPPED_AFTER_UNKNOWN;
    case 'rejected':
      return isContentRejection(response) || rejectedItemsOf(response).length > 0
        ? null
        : notAttemptedAfter(rejectionOf(response, chunk));
  }
}

/** The error of the whole bulk update, if the chunk is its first; null where its items have outcomes of their own. */
export function bulkErrorOf(response: WriteResponse, chunk: Chunk): BackendError | null {
  switch (response.kind) {
    case 'not-sent':
      return response.error;
    case 'unknown':
      return null;
    case 'accepted':
      return resultItemsOf(response.envelope).length > 0 || reportsSuccess(response.envelope)
        ? null
        : decodeError(response, { mayHaveApplied: true, readsTexts: false });
    case 'rejected':
      return rejectedItemsOf(response).length > 0 ? null : rejectionOf(response, chunk);
  }
}

const rejectionOf = (response: RejectedResponse, chunk: Chunk): BackendError =>
  decodeError(response, { mayHaveApplied: isContentRejection(response) && chunk.length > 1, readsTexts: false });

const isContentRejection = ({ httpStatus }: RejectedResponse): boolean => CONTENT_REJECTION_STATUSES.has(httpStatus);

const rejectedItemsOf = ({ httpStatus, envelope }: RejectedResponse): readonly unknown[] =>
  httpStatus < 400 || ACCESS_REJECTION_STATUSES.has(httpStatus) ? [] : resultItemsOf(envelope);

const resultItemsOf = (envelope: Envelope | null): readonly unknown[] =>
  Array.isArray(envelope?.payload) ? envelope.payload : [];
