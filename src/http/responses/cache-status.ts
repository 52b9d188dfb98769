import type { Caller } from '../../domain/callers/caller.ts';
import type { ReadCacheUse } from '../../domain/callers/request-record.ts';
import type { OutgoingResponse } from './send-response.ts';

/**
 * Tells how the read cache served the query, by RFC 9111 and RFC 9211: `Age` is that of the oldest response that was
 * used, in whole seconds, and `Cache-Status` is a hit where no call was made.
 */
export function setCacheStatus({ response }: OutgoingResponse, { request: { readCacheUse } }: Caller): void {
  if (readCacheUse === null) return;
  response.setHeader('cache-status', `kb-gateway; ${cacheStatusOf(readCacheUse)}`);
  const { oldestSentAt } = readCacheUse;
  if (oldestSentAt !== null) response.setHeader('age', Math.floor((performance.now() - oldestSentAt) / 1_000));
}

function cacheStatusOf({ reason, calls, kept }: ReadCacheUse): string {
  if (reason === null) return 'hit';
  if (calls === 0) return `fwd=${reason}; collapsed`;
  return kept === calls ? `fwd=${reason}; stored` : `fwd=${reason}`;
}
