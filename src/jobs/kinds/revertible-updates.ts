import { BEFORE_NOT_READABLE, readingUpdateOf, snapshotOf } from '../../core/articles/article-reverts.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { MAX_KEPT_TEXTS } from '../../core/base/limits.ts';
import type { ClaimedJob } from '../job-context.ts';
import type { LedgerItem } from '../state/ledger.ts';
import type { ComparedItem, JobKind } from './job-kind.ts';
import { NotedTexts } from './noted-texts.ts';
import { SnapshotReads } from './snapshot-reads.ts';
import { createUpdates } from './updates.ts';

/**
 * Updates that a revert can put back (`keepBefore`). The articles are read before each call, and a snapshot of what an update
 * changes is kept with its intent. `updateOf` names what is read of the article of an item.
 */
export function createRevertibleUpdates(
  job: ClaimedJob,
  updateOf: (item: LedgerItem) => ArticleUpdate = ({ update }) => update,
): JobKind {
  const updates = createUpdates(job);
  const reads = new SnapshotReads(job, (item) => readingUpdateOf(updateOf(item)));
  const noted = new NotedTexts(job);
  return {
    ...updates,
    readBefore: (items) => reads.read(items),
    compare: (item, article) => withSnapshot(job, item, article),
    send: async (items, call) => reads.afterCall(items, await updates.send(items, call)),
    note: (sent, means) => noted.ofUpdates(sent, means),
  };
}

/** The item with the snapshot of its article. The language that was read is written, also where another one becomes the default. */
export function withSnapshot({ job }: ClaimedJob, item: LedgerItem, article: Article | null): ComparedItem {
  if (article?.unshown !== undefined) return { kind: 'delay' };
  const { update } = item;
  const snapshot = snapshotOf(update, article);
  const { image } = snapshot;
  if (image !== null)
    return { kind: 'send', item: { ...item, update: { ...update, languageCode: image.languageCode } }, snapshot };
  return job.keepBefore === 'ALWAYS' ? { kind: 'end', outcome: BEFORE_NOT_READABLE } : { kind: 'send', item, snapshot };
}

/** The calls of items without texts: the list that shows their values, the write, and the list that shows what it has left. */
const CALLS_OF_LISTED = 3;

/** The calls that so many items take, of which `texts` have texts. */
export function callsOfRevertibleUpdates(
  items: number,
  { bulkSize, texts }: { readonly bulkSize: number; readonly texts: number },
): number {
  const ofProjectVersions = items > 0 ? 1 : 0;
  const ofTexts = texts + 2 * Math.ceil(texts / Math.min(bulkSize, MAX_KEPT_TEXTS));
  return ofProjectVersions + ofTexts + CALLS_OF_LISTED * Math.ceil((items - texts) / bulkSize);
}
