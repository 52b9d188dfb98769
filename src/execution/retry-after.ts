import type { ExecutionResult } from 'graphql';
import { type Caller, recordRateLimit } from '../domain/callers/caller.ts';

/**
 * Records the rate limits that the errors of a result name. The schema records those of mutations, whose outcomes a
 * client may select in any shape.
 */
export function recordRateLimitedErrors(caller: Caller, { errors = [] }: ExecutionResult): void {
  for (const { extensions } of errors) {
    const { code, retryAfterSeconds } = extensions;
    if (code !== 'RATE_LIMITED') continue;
    recordRateLimit(caller, typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null);
  }
}
