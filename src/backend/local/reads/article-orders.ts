import { type ArticleOrder, titleKeyOf } from '../../../domain/articles/article-filters.ts';
import type { ListedArticleRow } from './articles.ts';
import { isNumberTextKey, isTextKey, isTextPairKey, type ListSort } from './keyset-pages.ts';

type ArticleSort = ListSort<ListedArticleRow>;

/** The articles of a category by order and ID, those without an order first. */
export const CATEGORY_SORT: ArticleSort = {
  key: ['a.position', 'a.id'],
  isKey: isNumberTextKey,
  keyOf: (row) => [row.position, row.article_id],
};

const PROJECT_VERSION_SORT: ArticleSort = {
  key: ['t.article_id'],
  isKey: isTextKey,
  keyOf: (row) => [row.article_id],
};

const SORTS: Readonly<Record<Exclude<ArticleOrder, 'ID'>, ArticleSort>> = {
  TITLE: {
    key: ['t.title_key', 't.article_id'],
    isKey: isTextPairKey,
    keyOf: (row) => [titleKeyOf(row.title), row.article_id],
  },
  MODIFIED_AT_DESC: {
    key: ['t.modified_at', 't.article_id'],
    isDescending: true,
    isKey: isTextPairKey,
    keyOf: (row) => [row.modified_at ?? '', row.article_id],
  },
};

export function articleSortOf(orderBy: ArticleOrder, inCategory: boolean): ArticleSort {
  if (orderBy !== 'ID') return SORTS[orderBy];
  return inCategory ? CATEGORY_SORT : PROJECT_VERSION_SORT;
}
