import { type ArticleCreation, unknownCreation } from '../articles/article-creations.ts';
import {
  type CompletedBulkUpdate,
  type CompletedItems,
  completedItems,
  type OutcomeKind,
  outcomeCountsOf,
  outcomesForAll,
} from '../articles/article-outcomes.ts';
import type { ArticleUpdate, UpdateTarget } from '../articles/bulk-updates.ts';
import { countForks } from '../articles/forks.ts';
import type { ArticlePublications } from '../articles/publications.ts';
import type { Backend, ReadScope, WriteInput, WriteName, WriteValue } from '../backend.ts';
import { err, ok, type Result } from '../base/result.ts';
import { idKeyOf } from '../base/text.ts';
import type { Caller, ClientScope } from '../callers/caller.ts';
import type { OutcomeCounts } from '../callers/request-report.ts';
import { type BackendError, outcomeUnknown } from '../errors.ts';
import {
  type AnswerCodec,
  bulkUpdateAnswer,
  categoryCreationAnswer,
  creationAnswer,
  membersAnswer,
  readerGroupAnswer,
} from './codec.ts';

/** What a write changes, as the audit log names it. */
export interface WrittenItems {
  readonly articleIds?: readonly string[];
  readonly groupId?: string;
  /** The places of new articles, which have no IDs yet. */
  readonly newArticles?: {
    readonly count: number;
    readonly projectVersionIds: readonly string[];
    readonly categoryIds: readonly string[];
  };
  readonly newCategories?: {
    readonly count: number;
    readonly projectVersionIds: readonly string[];
    readonly parentCategoryIds: readonly string[];
  };
}

/** The outcome of one item, as the audit log and the line of a request report it. */
export interface WrittenOutcome {
  readonly kind: OutcomeKind;
  readonly details: string | null;
  readonly articleId?: string;
  /** The new category; absent where none is known. */
  readonly categoryId?: string;
}

interface MadeWrite<Name extends WriteName> {
  readonly caller: Caller;
  readonly input: WriteInput<Name>;
  readonly value: WriteValue<Name>;
}

/** All that the steps of the pipeline, the schema and the read cache have to know of one write. */
interface WriteDeclaration<Name extends WriteName> {
  /** What the JWT of a caller has to permit, for the write and for its preview. */
  readonly scope: ClientScope;
  /** The items that the audit log names before the write is sent. */
  readonly itemsOf: (input: WriteInput<Name>) => WrittenItems;
  /** How many items an error of the whole write concerns. */
  readonly countItems: (input: WriteInput<Name>) => number;
  readonly countOutcomes: (value: WriteValue<Name>) => OutcomeCounts;
  /** The outcomes that the audit log names after the write; null where the write has one outcome as a whole. */
  readonly outcomesOf: ((value: WriteValue<Name>) => readonly WrittenOutcome[]) | null;
  readonly staleReads: ReadScope;
  /** The calls to the service that it takes with so many items in one, at most two for each of its items. */
  readonly countCalls: (input: WriteInput<Name>, bulkSize: number) => number;
  /** What an idempotency key keeps of the result. */
  readonly answer: AnswerCodec<WriteValue<Name>>;
  /** Looks again for what a recorded answer does not know; null where nothing can be looked for. */
  readonly lookAgain:
    | ((reads: Pick<Backend, 'lookForCreated'>, made: MadeWrite<Name>) => Promise<WriteValue<Name>>)
    | null;
  /** The answer of a key where the outcome is not known. The reason is a sentence. */
  readonly answerUnknown: (input: WriteInput<Name>, reason: string) => Result<WriteValue<Name>, BackendError>;
}

const ARTICLES_WRITE = {
  staleReads: 'articles',
  countOutcomes: ({ outcomes }: CompletedItems<WrittenOutcome>) => outcomeCountsOf(outcomes),
  outcomesOf: ({ outcomes }: CompletedItems<WrittenOutcome>) => outcomes,
} as const;

const unknownForAll = (items: readonly UpdateTarget[], details: string): Result<CompletedBulkUpdate, BackendError> =>
  ok(completedItems(outcomesForAll(items, { kind: 'unknown', details })));

const idsOf = (items: readonly UpdateTarget[]): WrittenItems => ({
  articleIds: items.map(({ articleId }) => articleId),
});

/** Creates articles or categories. */
const CREATION_WRITE = {
  ...ARTICLES_WRITE,
  scope: 'articles:write',
  countItems: (items: readonly unknown[]) => items.length,
  countCalls: (items: readonly unknown[], bulkSize: number) => Math.ceil(items.length / bulkSize),
} as const;

const createdIn = (items: readonly Pick<ArticleCreation, 'projectVersionId'>[]) => ({
  count: items.length,
  projectVersionIds: [...new Set(items.map(({ projectVersionId }) => projectVersionId))],
});

/** Publishes or unpublishes articles, by calls of its own for each project version and language. */
const PUBLICATION_WRITE = {
  ...ARTICLES_WRITE,
  lookAgain: null,
  scope: 'articles:publish',
  answer: bulkUpdateAnswer,
  itemsOf: ({ items }: ArticlePublications) => idsOf(items),
  countItems: ({ items }: ArticlePublications) => items.length,
  countCalls: ({ items }: ArticlePublications, bulkSize: number) =>
    Map.groupBy(items, ({ languageCode }) => languageCode)
      .values()
      .reduce((calls, group) => calls + splitIntoChunks(group, bulkSize).length, 0),
  answerUnknown: ({ items }: ArticlePublications, reason: string) => unknownForAll(items, reason),
} as const;

/** A write of one reader group, which succeeds or fails as a whole. */
const GROUP_WRITE = {
  scope: 'groups:write',
  lookAgain: null,
  staleReads: 'groups',
  itemsOf: ({ groupId }: { readonly groupId: string }) => ({ groupId }),
  countItems: () => 1,
  countOutcomes: () => ({ updated: 1, failed: 0, unknown: 0, notAttempted: 0 }),
  outcomesOf: null,
  countCalls: () => 1,
  answerUnknown: (_input: unknown, reason: string) => err(outcomeUnknown(reason)),
} as const;

/**
 * The declaration of each write. No write is ever sent again but after a refusal that surely wrote nothing, so that is no
 * question here: see docs/decisions/0002-no-retry-of-writes.md.
 */
export const WRITES: { readonly [Name in WriteName]: WriteDeclaration<Name> } = {
  bulkUpdateArticles: {
    ...ARTICLES_WRITE,
    lookAgain: null,
    scope: 'articles:write',
    answer: bulkUpdateAnswer,
    itemsOf: idsOf,
    countItems: (updates) => updates.length,
    countCalls: (updates, bulkSize) => splitIntoChunks(updates, bulkSize).length + countForks(updates),
    answerUnknown: unknownForAll,
  },
  forkArticles: {
    ...ARTICLES_WRITE,
    // A fork that was made is not the outcome of an item yet.
    countOutcomes: ({ outcomes }) => outcomeCountsOf(outcomes.filter(({ kind }) => kind !== 'updated')),
    lookAgain: null,
    scope: 'articles:write',
    answer: bulkUpdateAnswer,
    itemsOf: ({ items }) => idsOf(items),
    countItems: ({ items }) => items.length,
    countCalls: ({ items }) => items.length,
    answerUnknown: ({ items }, reason) => unknownForAll(items, reason),
  },
  createArticles: {
    ...CREATION_WRITE,
    itemsOf: (items) => ({
      newArticles: {
        ...createdIn(items),
        categoryIds: [...new Set(items.flatMap(({ categoryId }) => categoryId ?? []))],
      },
    }),
    answer: creationAnswer,
    lookAgain: async (reads, { caller, input, value }) => {
      if (value.outcomes.every(({ kind }) => kind !== 'unknown')) return value;
      const found = await reads.lookForCreated(caller, input, value.outcomes);
      return found.ok ? { ...value, outcomes: found.value } : value;
    },
    answerUnknown: (items, details) => ok(completedItems(items.map(() => unknownCreation(details)))),
  },
  createCategories: {
    ...CREATION_WRITE,
    lookAgain: null,
    itemsOf: (items) => ({
      newCategories: {
        ...createdIn(items),
        parentCategoryIds: [...new Set(items.flatMap(({ parentCategoryId }) => parentCategoryId ?? []))],
      },
    }),
    answer: categoryCreationAnswer,
    answerUnknown: (items, details) => ok(completedItems(items.map(() => ({ kind: 'unknown', details })))),
  },
  publishArticles: PUBLICATION_WRITE,
  unpublishArticles: PUBLICATION_WRITE,
  updateReaderGroup: { ...GROUP_WRITE, answer: readerGroupAnswer },
  changeReaderGroupMembers: { ...GROUP_WRITE, answer: membersAnswer },
};

/** One write on its way to the backend. */
export interface WriteCall<Name extends WriteName> {
  readonly write: Name;
  readonly caller: Caller;
  readonly input: WriteInput<Name>;
  /** Null or absent where the caller has none. */
  readonly idempotencyKey?: string | null | undefined;
}

/** `replayed`: true for the recorded answer of an earlier request with the idempotency key. */
export type WriteResult<Name extends WriteName> = Result<WriteValue<Name>, BackendError> & {
  readonly replayed?: boolean;
};

export type Next<Name extends WriteName> = (call: WriteCall<Name>) => Promise<WriteResult<Name>>;

/** A step that all writes pass. It knows of a write what `WRITES` declares. */
export type Step = <Name extends WriteName>(call: WriteCall<Name>, next: Next<Name>) => Promise<WriteResult<Name>>;

type StepOf<Name extends WriteName> = (call: WriteCall<Name>, next: Next<Name>) => Promise<WriteResult<Name>>;

/** The steps that some writes alone pass. */
export type StepsByName = { readonly [Name in WriteName]?: StepOf<Name> };

/** The member that names an item in the answer to a call with several. */
export type SentItem = Pick<ArticleUpdate, 'articleId'>;

/** The items of a write that go into one call. */
export type Chunk<Item extends SentItem = SentItem> = readonly Item[];

/**
 * Cuts a bulk update into chunks of at most `size` items, in order. No chunk holds an article twice, in whatever case of
 * its ID, since the effect of that is unknown, and results name items by article: see docs/service.md, "Bulk article
 * update".
 */
export function splitIntoChunks<Item extends SentItem>(updates: readonly Item[], size: number): readonly Chunk<Item>[] {
  const chunks: Chunk<Item>[] = [];
  let start = 0;
  let articleIds = new Set<string>();
  let index = 0;
  for (const { articleId } of updates) {
    const key = idKeyOf(articleId);
    const isFull = index - start >= size;
    // The size shows whether the ID was added, which saves a second look into the set.
    if (isFull || articleIds.size === articleIds.add(key).size) {
      chunks.push(updates.slice(start, index));
      start = index;
      articleIds = new Set([key]);
    }
    index += 1;
  }
  if (start < updates.length) chunks.push(start === 0 ? updates : updates.slice(start));
  return chunks;
}
