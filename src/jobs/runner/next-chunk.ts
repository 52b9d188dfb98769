import { MAX_JOB_CALL_CHARS } from '../../core/base/limits.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { IndexedOutcome, LedgerItem } from '../state/ledger.ts';

export const articleOf = ({ update }: Pick<LedgerItem, 'update'>): string => idKeyOf(update.articleId);

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

/** The outcome of an item behind an unknown one of the same article. */
export const afterUnknown = ({ index, update: { articleId } }: LedgerItem): IndexedOutcome => ({
  index,
  outcome: {
    kind: 'not-attempted',
    articleId,
    details: 'Not sent, because the outcome of an earlier item of the same article is unknown.',
    reason: 'AFTER_UNKNOWN',
    retryAfterSeconds: null,
  },
});
