import { ok } from '../../../base/result.ts';
import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  nameOf,
} from '../../../domain/articles/article-creations.ts';
import { mayHaveApplied } from '../../../domain/errors.ts';
import {
  decodeCreationOutcomes,
  encodeArticleCreation,
  failuresByName,
  listOfCreated,
} from '../../../v2/article-creations.ts';
import type { Writes } from '../../backend.ts';
import { WRITES } from '../../writes/declarations.ts';
import type { RequestCacheOptions } from '../reads/request-cache.ts';
import type { ArticleWritesOptions } from './bulk-updates.ts';
import { type ChunkResult, isContentRejection, readItemsResponse } from './chunk-results.ts';
import { lookForCreated, type UntoldCreation } from './created-articles.ts';
import { sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite, type WriteResponse } from './write-response.ts';

type Options = ArticleWritesOptions & Pick<RequestCacheOptions, 'maxCalls' | 'ticks'>;

type SentOutcome = CreationOutcome | UntoldCreation;

/**
 * Creates each article by one call, alone or with others of its request. What ends unknown is looked for once all is sent.
 */
export const createArticleCreations =
  ({ upstream, bulkSize, log, ...reads }: Options): Writes['createArticles'] =>
  (caller, items) =>
    runLoggedWrite('createArticles', { upstream, caller, log }, async (writer) => {
      const sent = { at: 0 };
      const call = { kind: 'write', method: 'POST', staleReads: WRITES.createArticles.staleReads, sent } as const;
      const names = countEach(items.map(nameOf));
      const result = await sendChunks<ArticleCreation, SentOutcome>({
        chunks: Array.from({ length: Math.ceil(items.length / bulkSize) }, (_, n) =>
          items.slice(n * bulkSize, (n + 1) * bulkSize),
        ),
        send: async (chunk) => {
          const [only, ...others] = chunk.map(encodeArticleCreation);
          if (others.length > 0)
            return sendWrite(writer, { ...call, path: ['Articles', 'bulkcreate'], body: [only, ...others] });
          const response = await sendWrite(writer, { ...call, path: ['Articles'], body: only });
          return response.kind === 'accepted' ? { ...response, envelope: listOfCreated(response.envelope) } : response;
        },
        read: (response, chunk) => readResponse(response, chunk, { beganAt: sent.at, names }),
        skip: (chunk, outcome) => chunk.map(() => outcome),
      });
      if (!result.ok) return result;
      const outcomes = await lookForCreated({ ...reads, upstream, caller }, items, result.value.outcomes);
      return ok({ ...result.value, outcomes });
    });

interface SentChunk {
  /** `performance.now()` when the call began. */
  readonly beganAt: number;
  /** How often each name stands in the whole request. */
  readonly names: ReadonlyMap<string, number>;
}

/** What may have been created has outcomes, and is looked for. A refusal may name the items that failed. */
function readResponse(
  response: WriteResponse,
  chunk: readonly ArticleCreation[],
  { beganAt, names }: SentChunk,
): ChunkResult<SentOutcome> {
  const untold = (details: string | null): UntoldCreation => ({ kind: 'not-told', details, beganAt });
  const result = readItemsResponse<ArticleCreation, SentOutcome>(response, chunk, {
    decode: (entries, sent) => decodeCreationOutcomes(entries, sent).map((outcome) => outcome ?? untold(NOT_TOLD)),
    forAll: (sent, outcome) => sent.map(() => (outcome.kind === 'unknown' ? untold(outcome.details) : outcome)),
  });
  const isOfContent = isContentRejection(response);
  const failures = failuresByName(isOfContent && chunk.length > 1 ? (result.error?.serviceErrors ?? []) : []);
  const outcomes = result.outcomes.map((outcome, index): SentOutcome => {
    const name = nameOf(chunk[index] ?? { title: '' });
    const reason = names.get(name) === 1 ? failures.get(name) : undefined;
    return reason === undefined ? outcome : { kind: 'failed', details: reason };
  });
  const { error } = result;
  return { ...result, outcomes, error: isOfContent || (error !== null && mayHaveApplied(error)) ? null : error };
}

const NOT_TOLD = 'The outcome is unknown: the answer of the service does not tell it.';
