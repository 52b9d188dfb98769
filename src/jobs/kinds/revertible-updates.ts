import { BEFORE_NOT_READABLE, readingUpdateOf, snapshotOf } from '../../core/articles/article-reverts.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { ClaimedJob } from '../job-context.ts';
import type { LedgerItem } from '../state/ledger.ts';
import type { ComparedItem, JobKind } from './job-kind.ts';
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
  return {
    ...updates,
    readBefore: (items) => reads.read(items),
    compare: (item, article) => withSnapshot(job, item, article),
    send: async (items, caller) => reads.afterCall(items, await updates.send(items, caller)),
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
