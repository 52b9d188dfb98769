import { ApolloClient, HttpLink, InMemoryCache, type ObservableQuery, type PossibleTypesMap } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { relayStylePagination } from '@apollo/client/utilities';
import type { ArticleListQuery, ArticleListQueryVariables } from './generated/operations.ts';

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
