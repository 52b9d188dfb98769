import { MAX_JOB_CALL_CHARS } from '../../core/base/limits.ts';
import type { JobKind } from '../kinds/job-kind.ts';
import { articleOf, firstTogether } from '../kinds/sent-chunks.ts';
import type { IndexedOutcome, LedgerItem } from '../state/ledger.ts';

/**
 * The first items that are sent together: each article once, and none after an unknown item of its article. No item is skipped,
 * so that the items of an article are sent in their order. Where revisions are compared, an item that expects one goes with
 * those before it, since what a request itself has written does not count.
 */
export function nextChunk(
  items: readonly LedgerItem[],
  unknownArticles: ReadonlySet<string>,
  { maxItems, comparesRevisions }: Pick<JobKind, 'maxItems' | 'comparesRevisions'>,
): readonly LedgerItem[] {
  const articles = new Set<string>();
  let chars = 0;
  const end = items.findIndex((item, index) => {
    const article = articleOf(item);
    chars += charsOf(item);
    const isRepeated = articles.has(article) && !(comparesRevisions && item.update.ifRevision !== undefined);
    if (index >= maxItems || isRepeated || unknownArticles.has(article)) return true;
    articles.add(article);
    return index > 0 && chars > MAX_JOB_CALL_CHARS;
  });
  return end === -1 ? items : firstTogether(items, end);
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
