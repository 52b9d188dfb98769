import type { NotAttempted, UnsuccessfulOutcome } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdateItem } from '../../core/articles/forks.ts';
import type { Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import type { ChunkReads } from '../reads/chunk-reads.ts';

export interface ChunkItem {
  /** The update as it is sent, which steps may add to. */
  readonly update: ArticleUpdateItem;
  /** The outcome of an item that is not sent; absent while it is to be sent. */
  readonly unsent?: UnsuccessfulOutcome;
  /** True where it is sent without `hidden` though the article may be hidden. */
  readonly isHiddenUnknown?: true;
  /** The draft that was made for it, to which it is sent. */
  readonly draftVersionNumber?: number;
}

export interface PreparedChunk {
  readonly items: readonly ChunkItem[];
  /** The caller of the call, with the calls of the rate limit that a step has reserved for it. */
  readonly caller: Caller;
  /** The outcome of all later chunks where these must not be sent. */
  readonly laterOutcome: NotAttempted | null;
}

/**
 * A step before the call of a chunk: it returns the items in their order, with what it adds, or the reason why none of
 * them is sent. `stepsFor` lists the steps, which are taken in that order. `current` is the reader of what is there
 * now, past the read cache, which all steps use. It reads for the caller that is named at its first use.
 */
export type ChunkStep = (
  chunk: PreparedChunk,
  current: (caller?: Caller) => ChunkReads,
) => Promise<Result<PreparedChunk, BackendError>>;

/** The kinds of errors of a step's reads that the update itself would end with as well. */
export const REFUSES_CALLS: ReadonlySet<BackendError['kind']> = new Set(['unauthenticated', 'rate-limited']);
