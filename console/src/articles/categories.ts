import type { CategoryFieldsFragment } from '../generated/graphql.ts';

export interface CategoryChoice {
  readonly categoryId: string;
  readonly name: string;
  /** The category that it is in; null at the root. */
  readonly parentId: string | null;
  /** The names from the root to the category. */
  readonly path: string;
}

/** A category of the answer. The lowest level has no children in it. */
export type CategoryNode = CategoryFieldsFragment & { readonly children?: readonly CategoryNode[] | null };

/** The categories of an answer, each before those in it. */
export const choicesIn = (
  categories: readonly CategoryNode[],
  above: CategoryChoice | null = null,
): readonly CategoryChoice[] =>
  categories.flatMap(({ categoryId, name, children }) => {
    const path = above === null ? name : `${above.path} / ${name}`;
    const choice = { categoryId, name, parentId: above?.categoryId ?? null, path };
    return [choice, ...choicesIn(children ?? [], choice)];
  });
