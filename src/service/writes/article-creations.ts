import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  nameOf,
  unknownCreation,
} from '../../core/articles/article-creations.ts';
import type { Failed, NotAttempted } from '../../core/articles/article-outcomes.ts';
import type { Backend } from '../../core/backend.ts';
import { ok } from '../../core/base/result.ts';
import { mayHaveApplied } from '../../core/errors.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { RequestCacheOptions } from '../reads/request-cache.ts';
import {
  type DecodedCreation,
  decodeCreationOutcomes,
  encodeArticleCreation,
  failuresByName,
  listOfCreated,
} from '../v2/article-creations.ts';
import type { ArticleWritesOptions } from './bulk-updates.ts';
import { type ChunkResult, isContentRejection, readItemsResponse } from './chunk-results.ts';
import { findCreated } from './created-articles.ts';
import { type CreationAttempt, CreationAttempts } from './creation-attempts.ts';
import { sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite, type WriteCaller, type WriteResponse } from './write-response.ts';

interface Options extends ArticleWritesOptions, Pick<RequestCacheOptions, 'maxCalls' | 'ticks'> {
  /** True where other gateways create articles in the same knowledge base. */
  readonly hasPeers: boolean;
  /** The pauses before articles with an unknown outcome are looked for again. */
  readonly lookPausesMs: readonly number[];
}

/**
 * Creates the articles of a request by one call, or by one call each. Items with an unknown outcome are looked for once
 * all is sent, and whenever the same request is repeated.
 */
export function createArticleCreations({
  upstream,
  bulkSize,
  log,
  hasPeers,
  ...reads
}: Options): Pick<Backend, 'createArticles' | 'lookForCreated'> {
  const attempts = new CreationAttempts();
  const options = { ...reads, upstream, attempts, hasPeers };
  const { requestReads } = reads;
  return {
    createArticles: (caller, items) =>
      runLoggedWrite('createArticles', { upstream, caller, requestReads, log }, async (writer) => {
        const begun = items.map((item) => ({ item, attempt: attempts.begin(item) }));
        let result: Awaited<ReturnType<typeof sendCreations>> | null = null;
        try {
          result = await sendCreations(writer, begun, bulkSize);
        } finally {
          const outcomes = result?.ok ? result.value.outcomes : [];
          for (const [index, { attempt }] of begun.entries())
            attempts.end(attempt, result?.ok === false ? NOT_CREATED : outcomes[index]);
        }
        if (!result.ok) return result;
        const outcomes = await findCreated({ ...options, caller }, items, result.value.outcomes);
        return ok({ ...result.value, outcomes });
      }),
    lookForCreated: async (caller, items, outcomes) => ok(await findCreated({ ...options, caller }, items, outcomes)),
  };
}

/** The outcome of items whose write failed as a whole: nothing was created. */
const NOT_CREATED: CreationOutcome = { kind: 'failed', details: null };

interface BegunCreation {
  readonly item: ArticleCreation;
  readonly attempt: CreationAttempt;
}

function sendCreations(writer: WriteCaller, begun: readonly BegunCreation[], bulkSize: number) {
  const sent = { at: 0 };
  const call = { kind: 'write', method: 'POST', staleReads: WRITES.createArticles.staleReads, sent } as const;
  const names = countEach(begun.map(({ item }) => nameOf(item)));
  return sendChunks<BegunCreation, CreationOutcome>({
    chunks: Array.from({ length: Math.ceil(begun.length / bulkSize) }, (_, n) =>
      begun.slice(n * bulkSize, (n + 1) * bulkSize),
    ),
    send: async (chunk) => {
      const [only, ...others] = chunk.map(({ item }) => encodeArticleCreation(item));
      if (others.length > 0)
        return sendWrite(writer, { ...call, path: ['Articles', 'bulkcreate'], body: [only, ...others] });
      const response = await sendWrite(writer, { ...call, path: ['Articles'], body: only });
      return response.kind === 'accepted' ? { ...response, envelope: listOfCreated(response.envelope) } : response;
    },
    read: async (response, chunk) => {
      for (const { attempt } of chunk) attempt.beganAt = sent.at;
      return readResponse(response, chunk, names);
    },
    skip: (chunk, outcome) => chunk.map(() => outcome),
  });
}

/**
 * Reads the outcomes of a response. Items that may have been created are looked for. A refusal may name the items that
 * failed. `names`: how often each name occurs in the whole request.
 */
function readResponse(
  response: WriteResponse,
  chunk: readonly BegunCreation[],
  names: ReadonlyMap<string, number>,
): ChunkResult<CreationOutcome> {
  return readCreations<CreationOutcome>(response, {
    noun: 'article',
    items: chunk.map(({ item }) => item),
    names,
    unknown: (details, index) => unknownCreation(details, [], chunk[index]?.attempt.id),
    created: ({ id, ...outcome }) => ({ ...outcome, articleId: id }),
  });
}

interface SentCreations<Outcome> {
  readonly noun: 'article' | 'category';
  readonly items: readonly Pick<ArticleCreation, 'title'>[];
  readonly names: ReadonlyMap<string, number>;
  readonly unknown: (details: string | null, index: number) => Outcome;
  readonly created: (created: Extract<DecodedCreation, { kind: 'created' }>) => Outcome;
}

/** Reads the outcomes of a response about new articles or categories. */
export function readCreations<Outcome>(
  response: WriteResponse,
  { noun, items, names, unknown, created }: SentCreations<Outcome | Failed | NotAttempted>,
): ChunkResult<Outcome | Failed | NotAttempted> {
  const result = readItemsResponse<Pick<ArticleCreation, 'title'>, Outcome | Failed | NotAttempted>(response, items, {
    decode: (entries) =>
      decodeCreationOutcomes(entries, items, noun).map((outcome, index) => {
        if (outcome === null) return unknown(NOT_REPORTED, index);
        return outcome.kind === 'created' ? created(outcome) : outcome;
      }),
    forAll: (_items, outcome) =>
      items.map((_item, index) => (outcome.kind === 'unknown' ? unknown(outcome.details, index) : outcome)),
  });
  const isOfContent = isContentRejection(response);
  const isNamed = isOfContent && items.length > 1;
  const failures = failuresByName(isNamed ? (result.error?.serviceErrors ?? []) : [], noun);
  const outcomes = result.outcomes.map((outcome, index): Outcome | Failed | NotAttempted => {
    const name = nameOf(items[index] ?? { title: '' });
    const reason = names.get(name) === 1 ? failures.get(name) : undefined;
    return reason === undefined ? outcome : { kind: 'failed', details: reason };
  });
  const { error } = result;
  return { ...result, outcomes, error: isOfContent || (error !== null && mayHaveApplied(error)) ? null : error };
}

const NOT_REPORTED = 'The outcome is unknown: the answer of the service does not report it.';
