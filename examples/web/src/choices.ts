import { useQuery } from 'urql';
import {
  CategoriesDocument,
  type CategoryScopeInput,
  type LanguageScopeInput,
  type ProjectVersionsQuery,
} from './generated/operations.ts';

export type ProjectVersion = NonNullable<ProjectVersionsQuery['projectVersions']>[number];

/** Something to choose, as people read it, and what is sent for it. */
export interface Option<T> {
  key: string;
  label: string;
  value: T;
  /** How far below the top it stands, in a tree. */
  depth?: number;
}

/** Every language of every project version: where a category tree and the titles in it belong. */
export const placesOf = (versions: readonly ProjectVersion[]): readonly Option<LanguageScopeInput>[] =>
  versions.flatMap(({ projectVersionId, name, languages }) =>
    (languages ?? []).map((language) => {
      const value = { projectVersionId, languageCode: language.code };
      return { key: placeKeyOf(value), label: `${name} · ${language.name}`, value };
    }),
  );

/** Where the documentation opens, for somebody who names neither version nor language. */
export function defaultPlaceOf(versions: readonly ProjectVersion[]): Option<LanguageScopeInput> | undefined {
  const isDefault = (choice: { isDefault: boolean }) => choice.isDefault;
  const version = versions.find(isDefault);
  const code = version?.languages?.find(isDefault)?.code;
  const places = placesOf(version ? [version] : versions);
  return places.find(({ value }) => value.languageCode === code) ?? places[0];
}

export const placeKeyOf = ({ projectVersionId, languageCode }: LanguageScopeInput): string =>
  [projectVersionId, languageCode].map(encodeURIComponent).join('/');

export const categoryKeyOf = (scope: CategoryScopeInput): string =>
  `${placeKeyOf(scope)}/${encodeURIComponent(scope.categoryId)}`;

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

/** The category tree of a place, parents before their children. */
export function useCategories(place: LanguageScopeInput) {
  const [{ data, fetching, error }] = useQuery({ query: CategoriesDocument, variables: place });
  return { categories: flatten(data?.categories ?? []), fetching, error };
}
