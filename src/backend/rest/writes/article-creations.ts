import { ok } from '../../../base/result.ts';
import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  titleOf,
} from '../../../domain/articles/article-creations.ts';
import { notAttemptedAfter } from '../../../domain/articles/article-outcomes.ts';
import type { BackendError } from '../../../domain/errors.ts';
import {
  decodeCreatedArticle,
  decodeCreationOutcomes,
  encodeArticleCreation,
  failuresByTitle,
} from '../../../v2/article-creations.ts';
import { reportsSuccess } from '../../../v2/envelope.ts';
import { decodeError } from '../../../v2/errors.ts';
import type { Writes } from '../../backend.ts';
import { WRITES } from '../../writes/declarations.ts';
import type { RequestCacheOptions } from '../reads/request-cache.ts';
import type { ArticleWritesOptions } from './bulk-updates.ts';
import {
  type ChunkResult,
  CONTENT_REJECTION_STATUSES,
  PARTLY_APPLIED_PREFIX,
  resultItemsOf,
  STOPPED_AFTER_UNKNOWN,
} from './chunk-results.ts';
import { lookForCreated, type UnknownCreation } from './created-articles.ts';
import { sendChunks } from './send-chunks.ts';
import { type RejectedResponse, runLoggedWrite, sendWrite, type WriteResponse } from './write-response.ts';

type Options = ArticleWritesOptions & Pick<RequestCacheOptions, 'maxCalls' | 'ticks'>;

/**
 * Creates each article by one call, alone or with others of its request. What ends unknown is looked for once all is sent.
 */
export const createArticleCreations =
  ({ upstream, bulkSize, log, ...reads }: Options): Writes['createArticles'] =>
  (caller, items) =>
    runLoggedWrite('createArticles', { upstream, caller, log }, async (writer) => {
      const sent = { at: 0 };
      const call = { kind: 'write', method: 'POST', staleReads: WRITES.createArticles.staleReads, sent } as const;
      const titles = countEach(items.map(titleOf));
      const isOnce = (item: ArticleCreation) => titles.get(titleOf(item)) === 1;
      const result = await sendChunks<ArticleCreation, CreationOutcome | UnknownCreation>({
        chunks: Array.from({ length: Math.ceil(items.length / bulkSize) }, (_, n) =>
          items.slice(n * bulkSize, (n + 1) * bulkSize),
        ),
        send: (chunk) =>
          chunk.length === 1
            ? sendWrite(writer, { ...call, path: ['Articles'], body: chunk.map(encodeArticleCreation)[0] })
            : sendWrite(writer, { ...call, path: ['Articles', 'bulkcreate'], body: chunk.map(encodeArticleCreation) }),
        read: (response, chunk) => readResponse(response, chunk, { beganAt: sent.at, isOnce }),
        skip: (chunk, outcome) => chunk.map(() => outcome),
      });
      if (!result.ok) return result;
      const outcomes = await lookForCreated({ ...reads, upstream, caller }, items, result.value.outcomes);
      return ok({ ...result.value, outcomes });
    });

interface SentChunk {
  /** `performance.now()` when the call began. */
  readonly beganAt: number;
  /** True for an item whose title no other of the whole request has. */
  readonly isOnce: (item: ArticleCreation) => boolean;
}

type CreationResult = ChunkResult<CreationOutcome | UnknownCreation>;

function readResponse(response: WriteResponse, chunk: readonly ArticleCreation[], sent: SentChunk): CreationResult {
  const unknown = (reason: string) =>
    ({ kind: 'not-told', details: `The outcome is unknown: ${reason}`, beganAt: sent.beganAt }) as const;
  switch (response.kind) {
    case 'not-sent':
      return notAttempted(response.error, chunk);
    case 'unknown':
      return { outcomes: chunk.map(() => unknown(response.reason)), laterOutcome: STOPPED_AFTER_UNKNOWN, error: null };
    case 'accepted': {
      const { envelope } = response;
      const told =
        chunk.length === 1
          ? [reportsSuccess(envelope) ? decodeCreatedArticle(envelope.payload) : null]
          : decodeCreationOutcomes(resultItemsOf(envelope), chunk);
      const laterOutcome = told.every((outcome) => outcome === null) ? STOPPED_AFTER_UNKNOWN : null;
      return { outcomes: told.map((outcome) => outcome ?? unknown(NOT_TOLD)), laterOutcome, error: null };
    }
    case 'rejected':
      return readRejection(response, chunk, sent);
  }
}

const NOT_TOLD = 'the answer of the service does not tell it.';

/** A refusal of one item is its failure. One of several may have come after others were created. */
function readRejection(
  response: RejectedResponse,
  chunk: readonly ArticleCreation[],
  { beganAt, isOnce }: SentChunk,
): CreationResult {
  const mayHaveApplied = chunk.length > 1;
  const error = decodeError(response, { mayHaveApplied, readsTexts: false });
  if (!CONTENT_REJECTION_STATUSES.has(response.httpStatus)) return notAttempted(error, chunk);
  const failures = failuresByTitle(error.serviceErrors, chunk);
  const outcomes = chunk.map((item): CreationOutcome | UnknownCreation => {
    if (!mayHaveApplied) return { kind: 'failed', details: error.message };
    const reason = isOnce(item) ? failures.get(titleOf(item)) : undefined;
    if (reason !== undefined) return { kind: 'failed', details: reason };
    return { kind: 'not-told', details: PARTLY_APPLIED_PREFIX + error.message, beganAt };
  });
  return { outcomes, laterOutcome: null, error: null };
}

function notAttempted(error: BackendError, chunk: readonly ArticleCreation[]): CreationResult {
  const outcome = notAttemptedAfter(error);
  return { outcomes: chunk.map(() => outcome), laterOutcome: outcome, error };
}
