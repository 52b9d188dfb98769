import type { ArticleFieldsFragment, ArticleUpdateInput } from './generated/operations.ts';

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
