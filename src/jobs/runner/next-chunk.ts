import { MAX_JOB_CALL_CHARS } from '../../base/limits.ts';
import type { LedgerItem } from '../../state/ledger.ts';

/** IDs are compared in lower case, because it is unknown whether the service treats them as case-sensitive. */
export const articleOf = ({ update }: Pick<LedgerItem, 'update'>): string => update.articleId.toLowerCase();

/**
 * The items from the front that go into one call: no article twice, and none whose earlier item is unknown. No item is
 * skipped, so that the order of each article is kept.
 */
export function nextChunk(
  items: readonly LedgerItem[],
  unknownArticles: ReadonlySet<string>,
  size: number,
): readonly LedgerItem[] {
  const articles = new Set<string>();
  let chars = 0;
  const end = items.findIndex((item, index) => {
    const article = articleOf(item);
    chars += charsOf(item);
    if (index >= size || articles.has(article) || unknownArticles.has(article)) return true;
    articles.add(article);
    return index > 0 && chars > MAX_JOB_CALL_CHARS;
  });
  return end === -1 ? items : items.slice(0, end);
}

const charsOf = ({ update }: LedgerItem): number =>
  Object.values(update).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
