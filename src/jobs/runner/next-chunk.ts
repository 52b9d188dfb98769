import { MAX_JOB_CALL_CHARS } from '../../core/base/limits.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { IndexedOutcome, LedgerItem } from '../state/ledger.ts';

export const articleOf = ({ update }: Pick<LedgerItem, 'update'>): string => idKeyOf(update.articleId);

/**
 * The first items that go into one call: each article once, and none after an unknown item of its article. No item is skipped, so
 * that the items of an article are sent in their order.
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
