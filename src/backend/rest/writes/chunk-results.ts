import type { ArticleOutcome, ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ServiceError } from '../../../domain/notices.ts';
import { decodeOutcomes } from '../../../v2/bulk-updates.ts';
import { type Envelope, saysSuccess } from '../../../v2/envelope.ts';
import { JUDGES_ITEMS, REFUSES_ANY_CALL, type Refused, refusal } from '../refusal.ts';
import type { WriteAnswer } from './write-response.ts';

/** What became of one chunk of a bulk update. */
export interface ChunkEnd {
  readonly outcomes: readonly ArticleOutcome[];
  /** What the whole call fails with if this chunk is its first; null where the items have outcomes of their own. */
  readonly error: BackendError | null;
  /** Why no chunk is sent after this one; null where they go on. */
  readonly stop: string | null;
  readonly envelope: Envelope | null;
  readonly serviceErrors: readonly ServiceError[];
}

type Chunk = readonly ArticleUpdate[];

const AFTER_UNKNOWN = 'Not sent, because the outcome of items before it is unknown.';

/** Reads the answer to a chunk by the outcome rules (contract, section 2). */
export function chunkEndOf(answer: WriteAnswer, sent: Chunk): ChunkEnd {
  switch (answer.kind) {
    case 'not-sent':
      return notAttempted(sent, answer.error);
    case 'unknown':
      return {
        ...ended(null, alike(sent, 'unknown', `The outcome is unknown: ${answer.reason}`)),
        stop: AFTER_UNKNOWN,
        serviceErrors: answer.serviceErrors,
      };
    case 'accepted':
      return acceptedEnd(answer, sent);
    case 'refused':
      return refusedEnd(answer, sent);
  }
}

function acceptedEnd(answer: Extract<WriteAnswer, { kind: 'accepted' }>, sent: Chunk): ChunkEnd {
  const { envelope } = answer;
  const items = itemsOf(envelope);
  const end = ended(envelope, decodeOutcomes(items, sent));
  if (items.length > 0) return end;
  const error = saysSuccess(envelope) ? null : refusal(answer, true);
  return { ...end, error, stop: AFTER_UNKNOWN };
}

function refusedEnd(answer: Refused, sent: Chunk): ChunkEnd {
  const { httpStatus, envelope } = answer;
  const isJudged = JUDGES_ITEMS.has(httpStatus);
  const error = refusal(answer, isJudged && sent.length > 1);
  const items = httpStatus < 400 || REFUSES_ANY_CALL.has(httpStatus) ? [] : itemsOf(envelope);
  if (items.length > 0) return ended(envelope, decodeOutcomes(items, sent));
  if (!isJudged) return { ...notAttempted(sent, error), envelope };
  const [kind, details] =
    sent.length > 1 ? ['unknown' as const, PARTLY + error.message] : ['failed' as const, error.message];
  return { ...ended(envelope, alike(sent, kind, details)), error };
}

const PARTLY =
  'The outcome is unknown: the service refused the call that this item was sent in with others, and may have applied a ' +
  'part of it. ';

const notAttempted = (sent: Chunk, error: BackendError): ChunkEnd => ({
  ...ended(null, alike(sent, 'not-attempted', error.message)),
  error,
  stop: error.message,
  serviceErrors: error.serviceErrors,
});

const ended = (envelope: Envelope | null, outcomes: readonly ArticleOutcome[]): ChunkEnd => ({
  outcomes,
  error: null,
  stop: null,
  envelope,
  serviceErrors: envelope?.errors ?? [],
});

/** An empty list says of no item what became of it, and is none. */
const itemsOf = (envelope: Envelope | null): readonly unknown[] =>
  Array.isArray(envelope?.payload) ? envelope.payload : [];

/** The same outcome for every item of a chunk. */
export const alike = (chunk: Chunk, kind: ArticleOutcome['kind'], details: string): readonly ArticleOutcome[] =>
  chunk.map(({ articleId }) => ({ kind, articleId, details }));
