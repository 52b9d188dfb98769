import { useMemo } from 'react';
import { CategoriesDocument } from '../generated/graphql.ts';
import { useAnswer } from '../shared.ts';
import type { VersionLanguage } from '../view.ts';

export interface CategoryChoice {
  readonly categoryId: string;
  readonly name: string;
  /** The category that it is in; null at the root. */
  readonly parentId: string | null;
  /** The names from the root to the category. */
  readonly path: string;
}

/** A category of the answer. The lowest level has no children in it. */
export interface CategoryNode {
  readonly categoryId: string;
  readonly name: string;
  readonly children?: readonly CategoryNode[] | null;
}

const choicesIn = (
  categories: readonly CategoryNode[],
  above: CategoryChoice | null = null,
): readonly CategoryChoice[] =>
  categories.flatMap(({ categoryId, name, children }) => {
    const path = above === null ? name : `${above.path} / ${name}`;
    const choice = { categoryId, name, parentId: above?.categoryId ?? null, path };
    return [choice, ...choicesIn(children ?? [], choice)];
  });

/** The categories of a version and language; empty until they are read. */
export function useCategories({ projectVersionId, languageCode }: VersionLanguage): readonly CategoryChoice[] {
  const { data, isLoading } = useAnswer(CategoriesDocument, { variables: { projectVersionId, languageCode } });
  return useMemo(() => (isLoading ? [] : choicesIn(data?.categories ?? [])), [data, isLoading]);
}
