import { useQuery } from 'urql';
import {
  CategoriesDocument,
  type CategoryScopeInput,
  type LanguageScopeInput,
  type ProjectVersionsQuery,
} from './generated/graphql.ts';

export type ProjectVersion = NonNullable<ProjectVersionsQuery['projectVersions']>[number];

/** A choice with its label and its value. */
export interface Option<T> {
  key: string;
  label: string;
  value: T;
  /** The depth in a tree, from 0. */
  depth?: number;
}

/** Every language of every project version: category trees and titles exist once for each. */
export const editionsOf = (versions: readonly ProjectVersion[]): readonly Option<LanguageScopeInput>[] =>
  versions.flatMap(({ projectVersionId, name, languages }) =>
    (languages ?? []).map((language) => {
      const value = { projectVersionId, languageCode: language.code };
      return { key: editionKeyOf(value), label: `${name} · ${language.name}`, value };
    }),
  );

/** The default language of the default project version, or the first there is. */
export function defaultEditionOf(versions: readonly ProjectVersion[]): Option<LanguageScopeInput> | undefined {
  const isDefault = (choice: { isDefault: boolean }) => choice.isDefault;
  const version = versions.find(isDefault);
  const code = version?.languages?.find(isDefault)?.code;
  const editions = editionsOf(version ? [version] : versions);
  return editions.find(({ value }) => value.languageCode === code) ?? editions[0];
}

export const editionKeyOf = ({ projectVersionId, languageCode }: LanguageScopeInput): string =>
  [projectVersionId, languageCode].map(encodeURIComponent).join('/');

export const categoryKeyOf = (scope: CategoryScopeInput): string =>
  `${editionKeyOf(scope)}/${encodeURIComponent(scope.categoryId)}`;

interface CategoryNode {
  categoryId: string;
  name: string;
  children?: readonly CategoryNode[] | null;
}

const flatten = (nodes: readonly CategoryNode[], depth = 0): readonly Option<string>[] =>
  nodes.flatMap(({ categoryId, name, children }) => [
    { key: categoryId, label: name, value: categoryId, depth },
    ...flatten(children ?? [], depth + 1),
  ]);

/** The category tree of an edition, parents before their children. */
export function useCategories(edition: LanguageScopeInput) {
  const [{ data, fetching, error }] = useQuery({ query: CategoriesDocument, variables: edition });
  return { categories: flatten(data?.categories ?? []), fetching, error };
}
