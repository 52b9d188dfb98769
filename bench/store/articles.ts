import type { ArticleUpdate } from '../../src/domain/articles/bulk-updates.ts';
import type { KnowledgeBase } from '../../src/knowledge-base/knowledge-base.ts';

const CATEGORIES = 100;
const CONTENT = 'A hundred and fifty characters of text, as an item of the other benchmarks has them. '
  .repeat(2)
  .slice(0, 150);

const categoryOf = (n: number): string => `category-${n}`;

export interface Part {
  readonly from: number;
  readonly to: number;
  /** All that there are to be. */
  readonly articles: number;
}

/**
 * A part of a knowledge base: the articles from one number up to another, all in one project version and language. Those
 * that follow each other are in one category.
 */
export const knowledgeBase = ({ from, to, articles }: Part): KnowledgeBase => ({
  projectVersions: [{ projectVersionId: 'pv', name: 'v1', isDefault: true }],
  languages: [{ projectVersionId: 'pv', code: 'en', name: 'English', isDefault: true }],
  categories: Array.from({ length: CATEGORIES }, (_, n) => ({
    categoryId: categoryOf(n),
    projectVersionId: 'pv',
    parentCategoryId: null,
    name: `Category ${n}`,
    order: n + 1,
  })),
  articles: Array.from({ length: to - from }, (_, index) => ({
    articleId: `article-${from + index}`,
    projectVersionId: 'pv',
    categoryId: categoryOf(Math.floor(((from + index) / articles) * CATEGORIES)),
    slug: `slug-${from + index}`,
    order: index + 1,
    hidden: false,
    contentType: 'MARKDOWN',
    versions: [
      {
        languageCode: 'en',
        versionNumber: 1,
        title: `Article ${from + index}`,
        content: CONTENT,
        translationStatus: 'NONE',
      },
    ],
  })),
  readers: [],
  invitedSsoUsers: [],
  readerGroups: [],
});

/** Far enough apart that neighbours in a call are none in an index, and prime, so that all articles get their turn. */
export const FAR_APART = 7_919;
export const SIDE_BY_SIDE = 1;

export interface Updates {
  /** In the store. */
  readonly articles: number;
  /** In a call. */
  readonly items: number;
  /** From one item to the next. */
  readonly stride: number;
  /** The article before the first, by its number. */
  readonly from?: number;
}

/** Bulk updates that go through the whole store, each item with everything that an item of the other benchmarks has. */
export function* updatesOf({ articles, items, stride, from = 0 }: Updates): Generator<readonly ArticleUpdate[], never> {
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
