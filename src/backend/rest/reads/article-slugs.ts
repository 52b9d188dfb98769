import { ok } from '../../../base/result.ts';
import { compareTexts } from '../../../base/text.ts';
import type { Article, ArticleSlug } from '../../../domain/articles/articles.ts';
import type { BackendResult } from '../../backend.ts';
import { readAllArticles } from './article-lists.ts';
import { editionOf } from './project-versions.ts';
import type { RequestCache } from './request-cache.ts';

/**
 * Reads the list of the edition, since the service finds no article by its slug. Takes the first one by ID where
 * several have the slug.
 */
export async function readArticleBySlug(
  cache: RequestCache,
  { slug, ...requested }: ArticleSlug,
): BackendResult<Article | null> {
  const edition = await editionOf(cache, requested);
  if (!edition.ok || edition.value === null) return edition.ok ? ok(null) : edition;
  const list = await readAllArticles(cache, edition.value);
  if (!list.ok) return list;
  const found = [...(list.value?.values() ?? [])].filter((article) => article.slug === slug);
  const [first] = found.sort((a, b) => compareTexts(a.articleId, b.articleId));
  return ok(first ?? null);
}
