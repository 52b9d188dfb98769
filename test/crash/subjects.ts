import {
  ARTICLES,
  ARTICLES_A_SHELF,
  GROUPS,
  named,
  PUBLISHED_SHELVES,
  readerIds,
  SHELVES,
  VERSIONS,
} from './knowledge.ts';

/** Sends a query to a gateway; rejects when no complete response arrives. */
export type Ask = (query: string, variables: object) => Promise<Readonly<Record<string, unknown>>>;

/** The items that one client writes to, alone. Every write has a number, and all that it writes contains the number. */
export interface Subject {
  readonly id: string;
  /** The number of items of one write. */
  readonly items: number;
  /** The outcome of each item by its type name, or the only outcome of the whole write. */
  write(ask: Ask, number: number): Promise<readonly string[]>;
  /** For each item, the number of the write that it was last written by; null when its parts differ. */
  read(ask: Ask): Promise<readonly (number | null)[]>;
}

export const ACKNOWLEDGED: ReadonlySet<string> = new Set(['ArticleUpdated', 'UpdateReaderGroupPayload']);

const BULK_UPDATE = `mutation ($articles: [ArticleUpdateInput!]!) {
  outcome: bulkUpdateArticles(input: { articles: $articles }) {
    __typename
    ... on BulkUpdateArticlesPayload { results { __typename } }
  }
}`;

const PUBLISH = `mutation ($input: PublishArticlesInput!) {
  outcome: publishArticles(input: $input) {
    __typename
    ... on PublishArticlesPayload { results { __typename } }
  }
}`;

const GROUP_UPDATE = `mutation ($input: UpdateReaderGroupInput!) {
  outcome: updateReaderGroup(input: $input) { __typename }
}`;

const ARTICLE = 'query ($id: ID!) { article(articleId: $id) { title content order } }';

const SHELF = `query ($id: ID!) {
  articles(categoryId: $id, first: 100) { nodes { title content order } }
}`;

const PUBLICATIONS = `query ($id: ID!) {
  articles(categoryId: $id, first: 100) { nodes { publicVersionNumber } }
}`;

const GROUP = 'query ($id: ID!) { readerGroup(groupId: $id) { title description readerIds accessScope { rawLevel } } }';

interface Outcome {
  readonly outcome: { readonly __typename: string; readonly results?: readonly { readonly __typename: string }[] };
}

const outcomesOf = (data: object): readonly string[] => {
  const { outcome }: Outcome = JSON.parse(JSON.stringify(data));
  return outcome.results?.map(({ __typename }) => __typename) ?? [outcome.__typename];
};

/** Long enough for several pages of the database, so that a torn write would show. */
const contentOf = (number: number) => `Content ${number} `.padEnd(3_000, `${number % 10}`);

const articleState = (number: number) => ({
  title: `Write ${number}`,
  content: number === 0 ? 'Content 0' : contentOf(number),
  order: number + 1,
});

const membersOf = (number: number) => readerIds.filter((_, index) => (number >> index) & 1);

const groupState = (number: number) => ({
  title: `Write ${number}`,
  description: `Members ${number}`,
  readerIds: membersOf(number),
  accessScope: { rawLevel: number % 2 === 0 ? 3 : 2 },
});

interface State {
  readonly title: string;
}

/** The number that a state contains; null when its parts differ. */
function numberOf(found: unknown, stateOf: (number: number) => State): number | null {
  const state: State | null = JSON.parse(JSON.stringify(found ?? null));
  const number = Number(/^Write (\d+)$/u.exec(state?.title ?? '')?.[1]);
  return JSON.stringify(state) === JSON.stringify(stateOf(number)) ? number : null;
}

const writeArticles = async (ask: Ask, ids: readonly string[], number: number) => {
  const articles = ids.map((articleId) => ({ articleId, ...articleState(number) }));
  return outcomesOf(await ask(BULK_UPDATE, { articles }));
};

const articleSubject = (id: string): Subject => ({
  id,
  items: 1,
  write: (ask, number) => writeArticles(ask, [id], number),
  read: async (ask) => [numberOf((await ask(ARTICLE, { id }))['article'], articleState)],
});

const shelfSubject = (id: string): Subject => ({
  id,
  items: ARTICLES_A_SHELF,
  write: (ask, number) => writeArticles(ask, named(id, ARTICLES_A_SHELF), number),
  read: async (ask) => {
    const { articles }: { articles: { nodes: readonly unknown[] } } = JSON.parse(
      JSON.stringify(await ask(SHELF, { id })),
    );
    return articles.nodes.map((node) => numberOf(node, articleState));
  },
});

/** Outcomes after which nothing was written. */
const REFUSALS: ReadonlySet<string> = new Set(['ServiceUnavailableError', 'ArticleUpdateNotAttempted']);

/** Each write publishes the next version of all articles of a shelf, and the first one after the last. */
function publishedSubject(id: string): Subject {
  /** The numbers of the writes that were not refused, in their order. */
  const sent: number[] = [];
  /** The last write that the version can be of. */
  const writeOf = (version: number | null): number => {
    const index = sent.findLastIndex((_, at) => (at % VERSIONS) + 1 === version);
    return sent[index] ?? 0;
  };
  return {
    id,
    items: ARTICLES_A_SHELF,
    write: async (ask, number) => {
      const versionNumber = (sent.push(number) - 1) % VERSIONS;
      const articles = named(id, ARTICLES_A_SHELF).map((articleId) => ({
        articleId,
        versionNumber: versionNumber + 1,
      }));
      const outcomes = outcomesOf(await ask(PUBLISH, { input: { articles, userId: 'embedded-store' } }));
      if (outcomes.every((outcome) => REFUSALS.has(outcome))) sent.pop();
      return outcomes;
    },
    read: async (ask) => {
      const { articles }: { articles: { nodes: readonly { publicVersionNumber: number | null }[] } } = JSON.parse(
        JSON.stringify(await ask(PUBLICATIONS, { id })),
      );
      return articles.nodes.map(({ publicVersionNumber }) => writeOf(publicVersionNumber));
    },
  };
}

const groupSubject = (groupId: string): Subject => ({
  id: groupId,
  items: 1,
  write: async (ask, number) => {
    const accessScope = number % 2 === 0 ? { level: 'PROJECT' } : { projectVersionIds: ['v1'] };
    return outcomesOf(await ask(GROUP_UPDATE, { input: { groupId, ...groupState(number), accessScope } }));
  },
  read: async (ask) => [numberOf((await ask(GROUP, { id: groupId }))['readerGroup'], groupState)],
});

export const createSubjects = (): readonly Subject[] => [
  ...named('article', ARTICLES).map(articleSubject),
  ...named('shelf', SHELVES).map(shelfSubject),
  ...named('published', PUBLISHED_SHELVES).map(publishedSubject),
  ...named('group', GROUPS).map(groupSubject),
];
