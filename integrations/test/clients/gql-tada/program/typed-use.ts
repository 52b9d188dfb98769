import type { ResultOf, VariablesOf } from 'gql.tada';
import type { Articles, BulkUpdateArticles, ReaderGroup, UpdateReaderGroup } from './documents.ts';

export const titlesOf = (data: ResultOf<typeof Articles>): readonly (string | null)[] =>
  data.articles?.nodes.map(({ title }) => title) ?? [];

export function unknownFieldOf(data: ResultOf<typeof Articles>): unknown {
  // @ts-expect-error The document does not select the description.
  return data.articles?.nodes[0]?.description;
}

export const variables: VariablesOf<typeof ReaderGroup> = { groupId: 'staff' };

// @ts-expect-error The variable is an ID, not a number.
export const wrongVariables: VariablesOf<typeof ReaderGroup> = { groupId: 1 };

type AccessScopeInput = VariablesOf<typeof UpdateReaderGroup>['input']['accessScope'];

export const project: AccessScopeInput = { level: 'PROJECT' };

// @ts-expect-error A level that carries a list is stated by that list.
export const categories: AccessScopeInput = { level: 'CATEGORY' };

type BulkResult = NonNullable<ResultOf<typeof BulkUpdateArticles>['bulkUpdateArticles']>;

/** The fragment on the interface gives its fields to every member of the union that implements it. */
export function describeResult(result: BulkResult): string {
  if ('message' in result) return `${result.message}${result.retryable ? ' Sending it again may help.' : ''}`;
  return `${result.summary.updated} of ${result.summary.total}`;
}

/** A kind of scope has the fields of its own fragment, and none of another. */
export function idsOf(
  scope: NonNullable<ResultOf<typeof ReaderGroup>['readerGroup']>['accessScope'],
): readonly string[] {
  switch (scope.__typename) {
    case 'CategoryAccessScope':
      return scope.categories.map(({ categoryId }) => categoryId);
    case 'VersionAccessScope':
      return scope.projectVersionIds;
    case 'LanguageAccessScope':
      // @ts-expect-error A scope of languages lists no categories.
      return scope.categories ?? scope.languages.map(({ languageCode }) => languageCode);
    default:
      return [];
  }
}
