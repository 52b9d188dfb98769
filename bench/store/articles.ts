import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';

const CATEGORIES = 100;
const CONTENT = 'A hundred and fifty characters of text, as an item of the other benchmarks has them. '
  .repeat(2)
  .slice(0, 150);

const categoryOf = (n: number): string => `category-${n}`;

export interface ArticleRange {
  readonly from: number;
  readonly to: number;
  /** The number of articles in the whole store. */
  readonly articles: number;
}

/**
 * A part of a knowledge base: a range of articles, all in one project version and language. Consecutive articles are in
 * the same category.
 */
export const knowledgeBase = ({ from, to, articles }: ArticleRange): KnowledgeBase => ({
  project_versions: [{ id: 'pv', name: 'v1', is_default: true }],
  languages: [{ project_version_id: 'pv', code: 'en', name: 'English', is_default: true }],
  categories: Array.from({ length: CATEGORIES }, (_, n) => ({
    id: categoryOf(n),
    project_version_id: 'pv',
    parent_category_id: null,
    name: `Category ${n}`,
    order: n + 1,
  })),
  articles: Array.from({ length: to - from }, (_, index) => ({
    id: `article-${from + index}`,
    project_version_id: 'pv',
    category_id: categoryOf(Math.floor(((from + index) / articles) * CATEGORIES)),
    slug: `slug-${from + index}`,
    order: index + 1,
    hidden: false,
    content_type: 'markdown',
    versions: [
      {
        lang_code: 'en',
        version_number: 1,
        title: `Article ${from + index}`,
        content: CONTENT,
        translation_option: '0',
      },
    ],
  })),
  team_accounts: [],
  readers: [],
  invited_sso_users: [],
  reader_groups: [],
});

/** Large, so that consecutive items are far apart in an index, and prime, so that every article is updated. */
export const SCATTERED_STRIDE = 7_919;
export const NEIGHBOUR_STRIDE = 1;

export interface UpdatesOptions {
  /** The number of articles in the store. */
  readonly articles: number;
  /** The number of items in a call. */
  readonly items: number;
  /** The distance between two consecutive items, in articles. */
  readonly stride: number;
  /** The number of the article before the first one. */
  readonly from?: number;
}

/** Bulk updates that cover the whole store. The items have the same fields as those of the other benchmarks. */
export function* updatesOf({
  articles,
  items,
  stride,
  from = 0,
}: UpdatesOptions): Generator<readonly ArticleUpdate[], never> {
  for (let next = from, call = 0; ; call += 1) {
    const updates: ArticleUpdate[] = [];
    for (let index = 0; index < items; index += 1) {
      next = (next + stride) % articles;
      updates.push({
        articleId: `article-${next}`,
        languageCode: 'en',
        title: `Title ${call}`,
        content: CONTENT,
        hidden: call % 2 === 0,
        order: (call % 1_000) + 1,
        translationStatus: 'TRANSLATED',
      });
    }
    yield updates;
  }
}
