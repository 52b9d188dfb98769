import { ApolloClient, HttpLink, InMemoryCache, type ObservableQuery, type PossibleTypesMap } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { relayStylePagination } from '@apollo/client/utilities';
import type { ArticleListQuery, ArticleListQueryVariables } from './generated/operations.ts';

interface Grant {
  readonly jwt: string;
  readonly expiresInSeconds: number;
}

const RENEW_BEFORE_MS = 30_000;

/** Gives the JWT of the person, which is renewed half a minute before it ends. Requests of the same moment share one renewal. */
export function createJwtSource(askForGrant: () => Promise<Grant>): () => Promise<string> {
  let current = { jwt: '', renewAt: Number.NEGATIVE_INFINITY };
  let renewal: Promise<string> | null = null;
  const renew = async (): Promise<string> => {
    const asked = performance.now();
    const { jwt, expiresInSeconds } = await askForGrant();
    current = { jwt, renewAt: asked + expiresInSeconds * 1_000 - RENEW_BEFORE_MS };
    return jwt;
  };
  return async () => {
    if (performance.now() < current.renewAt) return current.jwt;
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    return renewal;
  };
}

/** The arguments that make another list. Pages of one list are joined. */
const LIST_ARGUMENTS = ['projectVersionId', 'languageCode', 'categoryId', 'filter', 'orderBy'];

export const createPageClient = (url: string, possibleTypes: PossibleTypesMap, jwtSource: () => Promise<string>) =>
  new ApolloClient({
    link: new SetContextLink(async ({ headers }) => ({
      headers: { ...headers, authorization: `Bearer ${await jwtSource()}` },
    })).concat(new HttpLink({ uri: url })),
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: { Query: { fields: { articles: relayStylePagination(LIST_ARGUMENTS) } } },
    }),
  });

/** What the button "More" does. */
export const showMore = (list: ObservableQuery<ArticleListQuery, ArticleListQueryVariables>) =>
  list.fetchMore({ variables: { after: list.getCurrentResult().data?.articles?.pageInfo?.endCursor ?? null } });

/** The line above the list. A search over the service has no total, which is null and not 0. */
export function countLine({ totalCount, edges }: NonNullable<ArticleListQuery['articles']>): string {
  return totalCount === null ? `${edges.length} articles` : `${edges.length} of ${totalCount} articles`;
}
