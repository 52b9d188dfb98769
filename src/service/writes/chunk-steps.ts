import type { NotAttempted } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import type { ChunkReads } from '../reads/chunk-reads.ts';

/** An item of a bulk update on its way into a call. */
export interface ChunkItem {
  /** The update as it is sent, which steps may add to. */
  readonly update: ArticleUpdate;
  /** The outcome of an item that is not sent; absent while it is to be sent. */
  readonly unsent?: NotAttempted;
  /** True where it is sent without `hidden` though the article may be hidden. */
  readonly isHiddenUnknown?: true;
}

/** What the steps before a call have in common. */
interface ChunkContext {
  readonly caller: Caller;
  /** The reader of what is there now, past the read cache, which all steps use. */
  readonly current: () => ChunkReads;
}

/**
 * A step before the call of a chunk: it returns the items in their order, with what it adds, or the reason why none of
 * them is sent. `createBulkUpdates` lists the steps, which are taken in that order.
 */
export type ChunkStep = (
  items: readonly ChunkItem[],
  chunk: ChunkContext,
) => Promise<Result<readonly ChunkItem[], BackendError>>;
