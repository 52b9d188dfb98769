import { compareTexts } from '../../../base/text.ts';
import { type ArticleFilter, type ArticleOrder, titleKeyOf } from '../../../domain/articles/article-filters.ts';
import type { Article } from '../../../domain/articles/articles.ts';

/** Selects and sorts articles as the store does: see docs/contract.md, "Lists of articles". */
export function filterArticles(
  articles: Iterable<Article>,
  filter: ArticleFilter,
  orderBy: ArticleOrder,
): readonly Article[] {
  const matching = [...articles].filter((article) => matches(article, filter));
  if (orderBy === 'ID') return matching;
  const direction = orderBy === 'TITLE' ? 1 : -1;
  return matching
    .map((article) => ({ article, key: sortKeyOf(article, orderBy) }))
    .sort((a, b) => direction * (compareTexts(a.key, b.key) || compareTexts(a.article.articleId, b.article.articleId)))
    .map(({ article }) => article);
}

function matches(article: Article, { hidden, translationStatuses, modifiedSince }: ArticleFilter): boolean {
  const { translationStatus, modifiedAt } = article;
  if (hidden !== undefined && article.hidden !== hidden) return false;
  if (translationStatuses && (translationStatus === null || !translationStatuses.includes(translationStatus))) {
    return false;
  }
  return modifiedSince === undefined || (modifiedAt !== null && modifiedAt >= modifiedSince);
}

const sortKeyOf = ({ title, modifiedAt }: Article, orderBy: ArticleOrder): string =>
  orderBy === 'TITLE' ? titleKeyOf(title) : (modifiedAt?.toISOString() ?? '');
