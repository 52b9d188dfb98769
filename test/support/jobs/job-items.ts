import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { list } from '../repeat.ts';
import { articleIdOf, categoryIdOf } from './service-articles.ts';

export interface JobItemsOptions {
  /** Begins the title of each item, which names it in the ledger of the service. */
  readonly name: string;
  readonly count: number;
  /** The number of the first article; each item has one of its own. */
  readonly firstArticle?: number;
  /** The length of the text of each item; none without it. */
  readonly contentLength?: number;
}

/** Items that each change an article of their own. */
export const plainItems = ({
  name,
  count,
  firstArticle = 0,
  contentLength,
}: JobItemsOptions): readonly ArticleUpdate[] =>
  list(count, (index) => {
    const title = `${name}, item ${index}`;
    const articleId = articleIdOf(firstArticle + index);
    return contentLength === undefined
      ? { articleId, title }
      : { articleId, title, content: textOf(title, contentLength) };
  });

const textOf = (title: string, length: number): string =>
  `${title}: `.repeat(Math.ceil(length / (title.length + 2))).slice(0, length);

/** Every so many items, the article of an earlier one is changed again. */
const REPEATED_EVERY = 10;
const REPEATED_AFTER = 5;
/** Every so many items, there is no such article. */
const ABSENT_EVERY = 40;

/** Items that change everything that can be read, some of them articles of earlier items, and some of none. */
export const mixedItems = (options: JobItemsOptions): readonly ArticleUpdate[] =>
  plainItems(options).map((item, index, items) => ({
    ...item,
    articleId: mixedArticleId(items, index),
    ...(index % 2 === 0 && { hidden: index % 4 === 0 }),
    ...(index % 3 === 0 && { order: 1 + (index % 7) }),
    ...(index % 5 === 0 && { translationStatus: index % 2 === 0 ? ('TRANSLATED' as const) : ('NONE' as const) }),
    ...(index % 7 === 0 && { categoryId: categoryIdOf(index) }),
  }));

function mixedArticleId(items: readonly ArticleUpdate[], index: number): string {
  if (index % ABSENT_EVERY === ABSENT_EVERY - 1) return `no-such-article-${index}`;
  const source = index % REPEATED_EVERY === REPEATED_EVERY - 1 ? index - REPEATED_AFTER : index;
  return items[source]?.articleId ?? '';
}
