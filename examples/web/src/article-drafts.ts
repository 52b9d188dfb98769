import type { ArticleFieldsFragment, ArticleUpdateInput } from './generated/operations.ts';

/** A selected article, and what it is to be. */
export interface ArticleDraft {
  article: ArticleFieldsFragment;
  title: string;
  categoryId: string;
  hidden: boolean;
  /** As typed; empty: left as it is. */
  order: string;
}

/** What can be changed of an article. */
export type ArticleChange = Partial<Omit<ArticleDraft, 'article'>>;

export const draftOfArticle = (article: ArticleFieldsFragment): ArticleDraft => ({
  article,
  title: article.title ?? '',
  categoryId: article.category?.categoryId ?? '',
  hidden: article.hidden,
  order: article.order === null ? '' : `${article.order}`,
});

/** Only what differs is sent; the rest is left as it is, whatever it is by now. */
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
