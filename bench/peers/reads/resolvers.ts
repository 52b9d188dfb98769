import type { ReaderGroupObject } from './objects.ts';
import type { ServiceReads } from './service-reads.ts';

// The resolvers of the root fields for all peers that have the schema of kb-gateway.

interface ArticlesArguments {
  readonly projectVersionId: string;
  readonly languageCode: string;
  readonly first: number;
}

interface ArticleArguments {
  readonly articleId: string;
  readonly languageCode: string;
}

interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
}

interface ReadContext {
  readonly reads: ServiceReads;
}

export const READ_RESOLVERS = {
  Query: {
    projectVersions: (_root: unknown, _args: unknown, { reads }: ReadContext) => reads.projectVersions(),
    article: (_root: unknown, { articleId, languageCode }: ArticleArguments, { reads }: ReadContext) =>
      reads.article(articleId, languageCode),
    articles: async (_root: unknown, { first, ...edition }: ArticlesArguments, { reads }: ReadContext) => ({
      nodes: await reads.articles(edition, first),
    }),
    readerGroups: (_root: unknown, args: PageArguments, { reads }: ReadContext) => readGroups(args, reads),
  },
  PageInfo: {
    hasNextPage: ({ hasNextPage }: GroupConnection['pageInfo']) => hasNextPage(),
  },
};

const GROUPS_PER_PAGE = 5;

type GroupConnection = Awaited<ReturnType<typeof readGroups>>;

/** Reads the pages of the service that the requested page lies in, all at once. */
async function readGroups({ first, after }: PageArguments, reads: ServiceReads) {
  const start = after == null ? 0 : positionOf(after) + 1;
  const end = start + first;
  const firstPage = Math.floor(start / GROUPS_PER_PAGE);
  const pageCount = Math.ceil(end / GROUPS_PER_PAGE) - firstPage;
  const pages = Array.from({ length: pageCount }, (_, index) => reads.readerGroups(firstPage + index + 1));
  const groups = (await Promise.all(pages)).flat();
  const offset = firstPage * GROUPS_PER_PAGE;
  const nodes = groups.slice(start - offset, end - offset);
  return {
    nodes,
    pageInfo: {
      /** Reads one more page where the last one does not tell. */
      hasNextPage: async () =>
        groups.length > end - offset ||
        (groups.length === end - offset && (await reads.readerGroups(firstPage + pageCount + 1)).length > 0),
      endCursor: cursorOf(start + nodes.length - 1, nodes.at(-1)),
    },
    totalCount: null,
  };
}

const cursorOf = (position: number, group: ReaderGroupObject | undefined): string | null =>
  group === undefined ? null : Buffer.from(`${position}:${group.groupId}`).toString('base64url');

const positionOf = (cursor: string): number => Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
