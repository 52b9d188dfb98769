import { tooCostly } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import { passedThrough } from '../passed-through.ts';
import { chunksOf } from './writes/chunks.ts';

export interface CostlyListsOptions {
  /** The most items of one call. */
  readonly bulkSize: number;
  /** The most calls that one bulk update may take. */
  readonly maxBulkCalls: number;
}

/**
 * The same backend, but a bulk update that would take too many calls, as one with an article many times does, is refused
 * at once: before it waits among the others of its token, and before its first call.
 */
export function refuseCostlyLists(backend: Backend, { bulkSize, maxBulkCalls }: CostlyListsOptions): Backend {
  return {
    ...passedThrough(backend),
    bulkUpdateArticles(caller, updates) {
      // No list takes more calls than it has items.
      const calls = updates.length > maxBulkCalls ? chunksOf(updates, bulkSize).length : 0;
      return calls > maxBulkCalls
        ? Promise.resolve(err(tooCostly(calls, maxBulkCalls)))
        : backend.bulkUpdateArticles(caller, updates);
    },
  };
}
