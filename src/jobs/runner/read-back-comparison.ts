import type { ReadBack } from '../../domain/articles/article-outcomes.ts';
import type { Article } from '../../domain/articles/articles.ts';
import { type ArticleUpdate, compareMembers, isReadable } from '../../domain/articles/bulk-updates.ts';
import { isSameValue } from '../../domain/field-changes.ts';

/** The finding of a comparison between an article that was read and an update of it. */
export type Comparison = 'AS_ASKED' | Exclude<ReadBack, 'NOT_TRIED'>;

/**
 * Compares all that the update sets. Null is compared as well: the service does not tell what it makes of it. Where the
 * update sets what no read tells, it remains unknown whether all was applied, whatever else is seen.
 */
export function compareWithUpdate(article: Article | null, update: ArticleUpdate): Comparison {
  if (article === null || !isReadable(update)) return 'NOT_READABLE';
  const members = compareMembers(article, update).filter(({ asked }) => asked !== undefined);
  if (members.some(({ seen, asked }) => seen !== undefined && !isSameValue(seen, asked))) return 'DIFFERS';
  return members.some(({ seen }) => seen === undefined) ? 'NOT_READABLE' : 'AS_ASKED';
}
