import type { Article } from '../../core/articles/articles.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { booleanIn, entriesIn, idIn, integerIn, objectOf, textIn } from './fields.ts';

/** A hit of the service's search, which may be a category, or an article that is gone: see docs/service.md, "Article search". */
export interface SearchHit {
  readonly id: string;
  readonly isCategory: boolean;
  /** The language of the hit; null where it is missing. */
  readonly languageCode: string | null;
}

export interface SearchHits {
  readonly hits: readonly SearchHit[];
  readonly pageCount: number | null;
}

/** Decodes the hits; null for a payload of another shape. Hits that can't be read are left out. */
export function decodeSearchHits(payload: unknown): SearchHits | null {
  if (!isObject(payload) || !('hits' in payload)) return null;
  return { hits: entriesIn(payload, 'hits', decodeHit), pageCount: integerIn(payload, 'nb_pages') };
}

function decodeHit(given: unknown): SearchHit | null {
  const entry = objectOf(given);
  const id = idIn(entry, 'article_id');
  if (id === null) return null;
  const isCategory = booleanIn(entry, 'is_category') ?? false;
  return { id, isCategory, languageCode: textIn(entry, 'lang_code') };
}

/** A page of the hits, from 0. */
interface HitPage {
  readonly query: string;
  readonly articles: readonly Article[];
  readonly total: number;
  readonly page: number;
  readonly hitsPerPage: number;
}

/** Encodes a page of hits. */
export const encodeSearchHits = ({ query, articles, total, page, hitsPerPage }: HitPage): JsonObject => ({
  hits: articles.map(encodeHit),
  nb_hits: total,
  page,
  nb_pages: Math.ceil(total / hitsPerPage),
  hits_per_page: hitsPerPage,
  processing_time_ms: 0,
  query,
});

const encodeHit = (article: Article): JsonObject => ({
  article_id: article.articleId,
  category_id: article.categoryId ?? null,
  title: article.title,
  content: null,
  slug: article.slug,
  version: article.versionNumber,
  is_draft: article.status === 'DRAFT',
  is_hidden: article.hidden,
  is_category: false,
  order: article.order ?? 0,
  is_private: false,
  is_git_hub_entity: false,
  lang_code: article.languageCode,
});
