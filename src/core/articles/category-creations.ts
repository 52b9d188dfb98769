import { MAX_CREATED_ARTICLES } from '../base/limits.ts';
import { idProblem, storedFormOf } from '../base/text.ts';
import { type Validation, validateField } from '../errors.ts';
import { type ArticleCreation, orderProblem, type Referring, titleProblem } from './article-creations.ts';
import type { CompletedItems, Failed, NotAttempted } from './article-outcomes.ts';
import { ARTICLE_MEMBERS, validateItems } from './bulk-updates.ts';

/** A category to be created. An absent member is not sent. */
export interface CategoryCreation {
  readonly name: string;
  readonly projectVersionId: string;
  /** The category that it is put into; null or absent means the top of the tree. */
  readonly parentCategoryId?: string | null | undefined;
  readonly order?: number | undefined;
  /** The team account in whose name it is created; absent where nobody is named. */
  readonly userId?: string | undefined;
}

/** A category as the caller sent it, before validation. */
export type CategoryCreationDraft = Omit<CategoryCreation, 'order' | 'userId'> & {
  readonly order?: number | null | undefined;
};

/** The outcome of one item. What ended unknown is looked for by name and parent when the answer is read. */
export type CategoryCreationOutcome =
  | { readonly kind: 'created'; readonly details: string | null; readonly categoryId: string }
  | { readonly kind: 'unknown'; readonly details: string | null }
  | Failed
  | NotAttempted;

export type CompletedCategoryCreation = CompletedItems<CategoryCreationOutcome>;

/** A category is to a creation what the category is to that of an article. */
export const referringOf = (item: CategoryCreation): CategoryCreation & Referring => ({
  ...item,
  categoryId: item.parentCategoryId,
});

/** The names of the input for `findReferences`. */
export const CATEGORY_INPUT = { list: 'categories', category: 'parentCategoryId' } as const;

/** The item by the names that the texts of the service have for all creations. */
export const titledOf = ({ name }: Pick<CategoryCreation, 'name'>): Pick<ArticleCreation, 'title'> => ({ title: name });

/** True where a stored name may be the one that was sent. */
export const hasName = (category: { readonly name: string }, { name }: Pick<CategoryCreation, 'name'>): boolean =>
  storedFormOf(category.name) === storedFormOf(name);

const PROBLEMS = {
  name: ({ name }) => titleProblem(name),
  projectVersionId: ({ projectVersionId }) => idProblem(projectVersionId),
  parentCategoryId: ({ parentCategoryId: categoryId }) => ARTICLE_MEMBERS.categoryId.problemOf({ categoryId }),
  order: orderProblem,
} as const satisfies Record<keyof CategoryCreationDraft, (draft: CategoryCreationDraft) => string | null>;

interface CategoryCreationsDraft {
  readonly categories: readonly CategoryCreationDraft[];
  readonly userId?: string | null | undefined;
}

/** Checks the items of a request, and returns the valid ones. */
export function* validateCategoryCreations(
  { categories, userId }: CategoryCreationsDraft,
  maxItems: number,
): Validation<readonly CategoryCreation[]> {
  const rules = { problems: PROBLEMS, list: 'categories', maxItems: Math.min(maxItems, MAX_CREATED_ARTICLES) };
  const items = yield* validateItems<CategoryCreationDraft, Omit<CategoryCreation, 'userId'>>(categories, rules);
  if (userId == null) return items;
  yield* validateField('userId', idProblem(userId));
  return items.map((item) => ({ ...item, userId }));
}
