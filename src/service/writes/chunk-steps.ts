import type { ArticleOutcome, NotAttempted } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdateItem } from '../../core/articles/forks.ts';
import type { Caller } from '../../core/callers/caller.ts';

/** An item of a chunk before its call. */
export interface PreparedItem {
  readonly update: ArticleUpdateItem;
  /** The outcome of an item that has ended and is not sent; absent for the others. */
  readonly ended?: ArticleOutcome;
  /** The draft that a fork has made for it. */
  readonly draftVersionNumber?: number;
}

/** A chunk on its way through the steps before its call. */
export interface PreparedChunk {
  readonly items: readonly PreparedItem[];
  /** The caller of the call, with the calls of the rate limit that a step has reserved for it. */
  readonly caller: Caller;
  /** The outcome of all later chunks where these must not be sent. */
  readonly laterOutcome: NotAttempted | null;
}

/**
 * A step between the input of a bulk update and its call: it reads what stands there now, changes items, or ends them
 * unsent. It keeps the number and the order of the items.
 */
export type ChunkStep = (chunk: PreparedChunk) => Promise<PreparedChunk>;

/** Has a chunk pass the steps in their order. */
export async function prepareChunk(
  steps: readonly ChunkStep[],
  updates: readonly ArticleUpdateItem[],
  caller: Caller,
): Promise<PreparedChunk> {
  let chunk: PreparedChunk = { items: updates.map((update) => ({ update })), caller, laterOutcome: null };
  for (const step of steps) chunk = await step(chunk);
  return chunk;
}
