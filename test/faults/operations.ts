import type { Received } from '../support/faulty-service.ts';

/** A mutation as it is sent to the gateway, and which of its upstream calls meets the fault. */
export interface Operation {
  readonly query: string;
  readonly variables: object;
  /** True for the call that meets the fault; `nth` counts the calls of the operation from 1. */
  meetsFault(request: Received, nth: number): boolean;
}

const BULK = `mutation ($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload { results { __typename } }
  }
}`;

const CREATE = `mutation ($input: CreateArticlesInput!) {
  createArticles(input: $input) {
    __typename
    ... on CreateArticlesPayload { results { __typename } }
  }
}`;

const PUBLISH = `mutation ($input: PublishArticlesInput!) {
  publishArticles(input: $input) {
    __typename
    ... on PublishArticlesPayload { results { __typename } }
  }
}`;

const GROUP = 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }';

const articles = (count: number) => ({
  input: { articles: Array.from({ length: count }, (_, index) => ({ articleId: `a${index}`, title: 'New' })) },
});

const newArticles = (count: number) => {
  const titles = Array.from({ length: count }, (_, index) => `New ${index}`);
  const items = titles.map((title) => ({ title, projectVersionId: 'pv1', categoryId: 'c1' }));
  return { input: { articles: items, userId: 'u1' } };
};

const GROUP_INPUT = { groupId: 'g1', title: 'New', accessScope: { level: 'NONE' } };

/** Articles in one call, so that six articles need three calls. */
export const BULK_SIZE = 2;

const PUBLICATIONS = Array.from({ length: 3 * BULK_SIZE }, (_, index) => ({
  articleId: `a${index}`,
  languageCode: 'en',
}));

/** The calls before those of publications: the project versions, of which there are none, and each article. */
export const PUBLICATION_READS = 1 + PUBLICATIONS.length;

export const OPERATIONS = {
  'one article': { query: BULK, variables: articles(1), meetsFault: (_, nth) => nth === 1 },
  'six articles in three calls, the second faulty': {
    query: BULK,
    variables: articles(3 * BULK_SIZE),
    meetsFault: (_, nth) => nth === 2,
  },
  'six publications in three calls, the second faulty': {
    query: PUBLISH,
    variables: { input: { articles: PUBLICATIONS, userId: 'u1' } },
    meetsFault: (_, nth) => nth === PUBLICATION_READS + 2,
  },
  'a reader group': {
    query: GROUP,
    variables: { input: { ...GROUP_INPUT, description: null, readerIds: [], invitedSsoUserIds: [] } },
    meetsFault: (_, nth) => nth === 1,
  },
  'a reader group that is read first, the read faulty': {
    query: GROUP,
    variables: { input: GROUP_INPUT },
    meetsFault: ({ method }) => method === 'GET',
  },
  'a new article': { query: CREATE, variables: newArticles(1), meetsFault: (_, nth) => nth === 1 },
  'six new articles in three calls, the second faulty': {
    query: CREATE,
    variables: newArticles(3 * BULK_SIZE),
    meetsFault: (_, nth) => nth === 2,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS).filter((name): name is OperationName => name in OPERATIONS);

interface MutationAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: unknown;
}

/** The outcome in short: `updated 2, unknown 2`, or the type of the error. */
export function outcomeOf({ data, errors }: MutationAnswer): string {
  const result =
    data?.['bulkUpdateArticles'] ??
    data?.['createArticles'] ??
    data?.['publishArticles'] ??
    data?.['updateReaderGroup'];
  if (errors !== undefined || !isResult(result)) return `no outcome: ${JSON.stringify(errors)}`;
  if (result.__typename === 'UpdateReaderGroupPayload') return 'updated';
  return result.results ? counted(result.results.map(({ __typename }) => WORDS[__typename])) : result.__typename;
}

interface Result {
  readonly __typename: string;
  readonly results?: readonly { readonly __typename: string }[];
}

const isResult = (value: unknown): value is Result =>
  typeof value === 'object' && value !== null && '__typename' in value;

const WORDS: Readonly<Record<string, string>> = {
  ArticleCreated: 'created',
  ArticleCreateFailed: 'failed',
  ArticleCreateUnknown: 'unknown',
  ArticleCreateNotAttempted: 'not attempted',
  ArticleUpdated: 'updated',
  ArticleUpdateFailed: 'failed',
  ArticleUpdateUnknown: 'unknown',
  ArticleUpdateNotAttempted: 'not attempted',
};

function counted(words: readonly (string | undefined)[]): string {
  const runs: { word: string; count: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last && last.word === word) last.count += 1;
    else runs.push({ word: word ?? 'nothing', count: 1 });
  }
  return runs.map(({ word, count }) => `${word} ${count}`).join(', ');
}
