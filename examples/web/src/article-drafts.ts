import type { ArticleFieldsFragment, ArticleUpdateInput } from './generated/graphql.ts';

/** A selected article, with its edited values. */
export interface ArticleDraft {
  article: ArticleFieldsFragment;
  title: string;
  categoryId: string;
  hidden: boolean;
  /** The text as it was typed; empty leaves the order as it is. */
  order: string;
}

/** The edited values of an article. */
export type ArticleChange = Partial<Omit<ArticleDraft, 'article'>>;

export const draftOfArticle = (article: ArticleFieldsFragment): ArticleDraft => ({
  article,
  title: article.title ?? '',
  categoryId: article.category?.categoryId ?? '',
  hidden: article.hidden,
  order: article.order === null ? '' : `${article.order}`,
});

export const titleOf = (article: ArticleFieldsFragment | undefined): string =>
  article?.title ?? article?.articleId ?? 'Untitled';

const LARGEST_ORDER = 2 ** 31 - 1;

/** Why the typed order cannot be sent; undefined when it can. The gateway checks the rest. */
export function orderIssue({ article, order }: ArticleDraft): string | undefined {
  if (order === '')
    return article.order === null ? undefined : `An order cannot be removed: it stays ${article.order}.`;
  if (/^\d{1,10}$/u.test(order.trim()) && Number(order) <= LARGEST_ORDER) return undefined;
  return `The order is a whole number from 1 to ${LARGEST_ORDER}.`;
}

export const isSendable = (draft: ArticleDraft): boolean => draft.order === '' || orderIssue(draft) === undefined;

/** True when the update of the draft has more than what names the article. */
export const isEdited = (draft: ArticleDraft): boolean =>
  !isSendable(draft) || Object.keys(updateOfDraft(draft)).length > 2;

/** Only values that differ are sent, so that all others keep their present value. */
export function updateOfDraft({ article, ...draft }: ArticleDraft): ArticleUpdateInput {
  const read = draftOfArticle(article);
  return {
    articleId: article.articleId,
    languageCode: article.languageCode,
    ...(draft.title !== read.title && { title: draft.title }),
    ...(draft.categoryId !== read.categoryId && { categoryId: draft.categoryId }),
    ...(draft.hidden !== read.hidden && { hidden: draft.hidden }),
    ...(draft.order !== read.order && draft.order !== '' && { order: Number(draft.order) }),
  };
}
