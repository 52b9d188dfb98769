import type { ArticleOutcome, SharedOutcome } from '../../core/articles/article-outcomes.ts';
import type { ItemSnapshot } from '../../core/articles/article-reverts.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { ItemFork } from '../../core/articles/forks.ts';
import type { Lease } from '../../core/base/lease.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { ReservedCalls } from '../../core/rate-limit.ts';
import type {
  CopyResult,
  IndexedOutcome,
  ItemPhase,
  LedgerItem,
  NotedItem,
  PassedItem,
  UnknownItem,
} from '../state/ledger.ts';
import type { NextStep, SentChunk } from './sent-chunks.ts';

/**
 * A kind of job: its answers to the four questions that the runner asks about every chunk of items.
 *
 * 1. What is read before the chunk is sent? (`readBefore`)
 * 2. What is compared with that, and which items end unsent? (`compare`)
 * 3. What is sent? (`send`)
 * 4. What is reported of each item, after the call and after a read-back? (`report`, `readBack`)
 *
 * The runner claims the job, waits, records the intent before the call and the outcomes after it, and knows no kind. A plain
 * update reads nothing and compares nothing:
 *
 * ```ts
 * const updates: JobKind = {
 *   phase: 'update',
 *   maxItems: 100,
 *   endsAfterUnknown: true,
 *   comparesRevisions: false,
 *   copyItems: null,
 *   readBefore: null,
 *   compare: null,
 *   send: async (items, call) => {
 *     const updates = items.map(({ update }) => update);
 *     return sentChunkOf(items, await backend.bulkUpdateArticles({ ...jobCaller(job), ...call }, updates));
 *   },
 *   report: ({ index }, outcome) => ({ index, outcome }),
 *   note: null,
 *   readBack: async (items, read) => compareWithAsked(items, await read(items.map(({ update }) => update))),
 * };
 * ```
 */
export interface JobKind {
  /** The phase of its items in the ledger. */
  readonly phase: ItemPhase;
  /** The most items of the next chunk. */
  readonly maxItems: number;
  /** True where an item is not sent after one of the same article whose outcome is unknown. */
  readonly endsAfterUnknown: boolean;
  /** True where a chunk is one request, which compares the revisions that its items expect before it writes to their articles. */
  readonly comparesRevisions: boolean;
  /** Makes some of the items of the job from another job. Null where callers have submitted all of them. */
  readonly copyItems: (() => Promise<CopyResult>) | null;
  /**
   * Question 1. The calls that it reserves belong to the reads and to the call of the chunk. Null, or a promise of null, where
   * nothing is read: the runner then asks whether a service that has failed answers again.
   */
  readonly readBefore: ((items: readonly LedgerItem[]) => Promise<ReadChunk | null>) | null;
  /** Question 2, of an item that was read, with its article or null. Null where all items are sent as they are. */
  readonly compare: ((item: LedgerItem, article: Article | null) => ComparedItem) | null;
  /** Question 3. The call must not begin once its lease has expired. */
  send(items: readonly LedgerItem[], call: CallMeans): Promise<SentChunk>;
  /** Question 4, after the call: the outcome of the item as it is recorded. */
  report(item: LedgerItem, outcome: ArticleOutcome): IndexedOutcome | PassedItem;
  /** Once the outcomes are recorded: what the call has left of the texts of its items. Null where that is never noted. */
  readonly note: ((sent: SentChunk, means: NoteMeans) => Promise<readonly NotedItem[]>) | null;
  /** Question 4, where nobody knows whether the calls of the items had an effect: what their articles show. */
  readBack(items: readonly UnknownItem[], read: ReadArticles): Promise<readonly (IndexedOutcome | PassedItem)[]>;
}

/** The lease and the reserved calls of the call of a chunk, which are members of its caller. */
export type CallMeans = Pick<Caller, 'lease' | 'reserved'>;

/** The snapshots that were kept of a chunk, and what is left of the calls that were reserved for it. */
export interface NoteMeans extends Pick<Caller, 'reserved'> {
  readonly snapshots: ReadonlyMap<number, ItemSnapshot> | null;
}

/** What was read before a chunk is sent. */
export interface ReadChunk {
  /** The items that may be sent now, which may be fewer than were asked for, or none. */
  readonly items: readonly LedgerItem[];
  /** The articles of the items, by their indexes. */
  readonly articles?: ReadonlyMap<number, Article | null>;
  /** Items that end unsent, since the read has failed. */
  readonly ended?: readonly IndexedOutcome[];
  /** Expires when what was read is too old for the call. */
  readonly lease?: Lease | undefined;
  /** The runner releases them after the call. */
  readonly reserved?: ReservedCalls | undefined;
  /** The next step where no item is sent. */
  readonly next: NextStep;
}

/** The result of a comparison of one item. */
export type ComparedItem =
  /** The item is sent as `item`, and the snapshot is kept with its intent; null for a fork, of which `item.fork` is kept. */
  | { readonly kind: 'send'; readonly item: LedgerItem; readonly snapshot: ItemSnapshot | null }
  /** The item needs no fork, or its draft was made for another one. */
  | { readonly kind: 'pass'; readonly fork: ItemFork | null }
  | { readonly kind: 'end'; readonly outcome: SharedOutcome }
  /** The read does not show yet what was written to the article, so the item is read again later. */
  | { readonly kind: 'delay' };

/** Reads articles for a read-back, and waits while the service does not answer. An article that can't be read is null. */
export type ReadArticles = (
  updates: readonly ArticleUpdate[],
  withPublicVersion?: boolean,
) => Promise<readonly (Article | null)[]>;
