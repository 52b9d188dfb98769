import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  nameOf,
  unknownCreation,
} from '../../core/articles/article-creations.ts';
import type { Failed, NotAttempted } from '../../core/articles/article-outcomes.ts';
import {
  type CategoryCreation,
  type CategoryCreationOutcome,
  titledOf,
} from '../../core/articles/category-creations.ts';
import type { Backend, Writes } from '../../core/backend.ts';
import { mapOk, ok } from '../../core/base/result.ts';
import { mayHaveApplied } from '../../core/errors.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { RequestCacheOptions } from '../reads/request-cache.ts';
import {
  type DecodedCreation,
  decodeCreationOutcomes,
  encodeArticleCreation,
  encodeCategoryCreation,
  failuresByName,
  listOfCreated,
  type Noun,
  type Titled,
} from '../v2/creations.ts';
import type { ArticleWritesOptions } from './bulk-updates.ts';
import { findCreated } from './created-articles.ts';
import { type CreationAttempt, CreationAttempts, hasCreatedNothing, placeKeyOf } from './creation-attempts.ts';
import type { AnnounceCreations } from './peer-creations.ts';
import { type ChunkResult, isContentRejection, readItemsResponse, sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite, type WriteCaller, type WriteResponse } from './write-response.ts';

interface Options extends ArticleWritesOptions, Pick<RequestCacheOptions, 'requestReads' | 'maxCalls' | 'ticks'> {
  readonly announce: AnnounceCreations;
  /** `performance.now()` when the gateway started. */
  readonly startedAt: number;
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
  announce,
  ...reads
}: Options): Pick<Backend, 'createArticles' | 'lookForCreated'> {
  const attempts = new CreationAttempts();
  const options = { ...reads, upstream, attempts };
  return {
    createArticles: (caller, items) =>
      runLoggedWrite('createArticles', { upstream, caller, log }, async (writer) => {
        const announced = await announce(caller, items.map(placeKeyOf));
        if (!announced.ok) return announced;
        const { isOnlyOne, withdraw } = announced.value;
        const begun = items.map((item) => ({ item, attempt: attempts.begin(item, isOnlyOne) }));
        const answered = await sendAttempts(writer, begun, { attempts, bulkSize });
        const sent = mapOk(answered, (completed) => ({ ...completed, outcomes: completed.outcomes.map(ofOwn(begun)) }));
        if (!sent.ok || sent.value.outcomes.every(hasCreatedNothing)) await withdraw();
        if (!sent.ok) return sent;
        return ok({ ...sent.value, outcomes: await findCreated({ ...options, caller }, items, sent.value.outcomes) });
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

const REPORTED_BEFORE =
  'The outcome is unknown: the service answered with an article that an equal create was reported with.';

/** Leaves no outcome created by the article of an equal create, with which something between may have answered. */
const ofOwn =
  (begun: readonly BegunCreation[]) =>
  (outcome: CreationOutcome, index: number): CreationOutcome => {
    const attempt = begun[index]?.attempt;
    return outcome.kind === 'created' && attempt?.articleId === null
      ? unknownCreation(REPORTED_BEFORE, [], attempt.id)
      : outcome;
  };

/** Sends the creates, and ends their attempts, whatever happens. */
async function sendAttempts(
  writer: WriteCaller,
  begun: readonly BegunCreation[],
  { attempts, bulkSize }: { readonly attempts: CreationAttempts; readonly bulkSize: number },
) {
  let result: Awaited<ReturnType<typeof sendArticles>> | null = null;
  try {
    result = await sendArticles(writer, begun, bulkSize);
    return result;
  } finally {
    const outcomes = result?.ok ? result.value.outcomes : [];
    for (const [index, { attempt }] of begun.entries())
      attempts.end(attempt, result?.ok === false ? NOT_CREATED : outcomes[index]);
  }
}

const sendArticles = (writer: WriteCaller, begun: readonly BegunCreation[], bulkSize: number) =>
  sendCreations<BegunCreation, CreationOutcome>(writer, begun, {
    noun: 'article',
    bulkSize,
    encode: ({ item }) => encodeArticleCreation(item),
    titledOf: ({ item }) => item,
    onSent: ({ attempt }, at) => {
      attempt.beganAt = at;
    },
    unknown: (details, { attempt }) => unknownCreation(details, [], attempt.id),
    created: ({ id, ...outcome }) => ({ ...outcome, articleId: id }),
  });

/** Creates the categories of a request by one call, or by one call for each `bulkSize`, and never sends one again. */
export const createCategoryCreations =
  ({ bulkSize, ...options }: ArticleWritesOptions): Writes['createCategories'] =>
  (caller, items) =>
    runLoggedWrite('createCategories', { ...options, caller }, (writer) =>
      sendCreations<CategoryCreation, CategoryCreationOutcome>(writer, items, {
        noun: 'category',
        bulkSize,
        encode: encodeCategoryCreation,
        titledOf,
        unknown: (details) => ({ kind: 'unknown', details }),
        created: ({ id, ...outcome }) => ({ ...outcome, categoryId: id }),
      }),
    );

interface Creations<Item, Outcome> {
  readonly noun: Noun;
  readonly bulkSize: number;
  readonly encode: (item: Item) => object;
  readonly titledOf: (item: Item) => Titled;
  /** Called with each item that was sent, and when its call began by the service's clock. */
  readonly onSent?: (item: Item, at: number) => void;
  readonly unknown: (details: string | null, item: Item) => Outcome;
  readonly created: (created: Extract<DecodedCreation, { kind: 'created' }>) => Outcome;
}

const WRITE_OF = {
  article: { path: 'Articles', staleReads: WRITES.createArticles.staleReads },
  category: { path: 'Categories', staleReads: WRITES.createCategories.staleReads },
} as const satisfies Record<Noun, unknown>;

/** Sends items by one call, or by one call for each `bulkSize`, and reads their outcomes. */
function sendCreations<Item, Outcome>(
  writer: WriteCaller,
  items: readonly Item[],
  creations: Creations<Item, Outcome>,
) {
  const { noun, bulkSize, encode, onSent } = creations;
  const { path, staleReads } = WRITE_OF[noun];
  const sent = { at: 0 };
  const call = { kind: 'write', method: 'POST', staleReads, sent } as const;
  const names = countEach(items.map((item) => nameOf(creations.titledOf(item))));
  return sendChunks<Item, Outcome | Failed | NotAttempted>({
    chunks: Array.from({ length: Math.ceil(items.length / bulkSize) }, (_, n) =>
      items.slice(n * bulkSize, (n + 1) * bulkSize),
    ),
    send: async (chunk) => {
      const [only, ...others] = chunk.map(encode);
      if (others.length > 0) return sendWrite(writer, { ...call, path: [path, 'bulkcreate'], body: [only, ...others] });
      const response = await sendWrite(writer, { ...call, path: [path], body: only });
      return response.kind === 'accepted'
        ? { ...response, envelope: listOfCreated(response.envelope, noun) }
        : response;
    },
    read: async (response, chunk) => {
      for (const item of chunk) onSent?.(item, sent.at);
      return readResponse(response, chunk, { ...creations, names });
    },
    skip: (chunk, outcome) => chunk.map(() => outcome),
  });
}

/**
 * Reads the outcomes of a response. A refusal may name the items that failed. `names`: how often each name occurs in the
 * whole request.
 */
function readResponse<Item, Outcome>(
  response: WriteResponse,
  chunk: readonly Item[],
  {
    noun,
    titledOf,
    unknown,
    created,
    names,
  }: Creations<Item, Outcome> & { readonly names: ReadonlyMap<string, number> },
): ChunkResult<Outcome | Failed | NotAttempted> {
  const items = chunk.map(titledOf);
  const result = readItemsResponse<Item, Outcome | Failed | NotAttempted>(response, chunk, {
    decode: (entries) =>
      decodeCreationOutcomes(entries, items, noun).flatMap((outcome, index) => {
        const item = chunk[index];
        if (item === undefined) return [];
        if (outcome === null) return unknown(NOT_REPORTED, item);
        return outcome.kind === 'created' ? created(outcome) : outcome;
      }),
    forAll: (_items, outcome) =>
      chunk.map((item) => (outcome.kind === 'unknown' ? unknown(outcome.details, item) : outcome)),
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
