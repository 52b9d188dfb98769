import type { ExecutionResult } from 'graphql';
import { isObject } from '../../domain/articles/articles.ts';

/** The time to wait where nobody knows when the limit ends. */
const UNKNOWN_SECONDS = 5;

/** The number of errors that are looked at: where one call met a limit, the first of them did too. */
const MOST_ERRORS = 20;

/**
 * When to come again, in seconds, where a rate limit has a part in the answer; null where none is to be seen. It looks at
 * the errors and at the fields of the root, not further, so that it costs nothing for an answer without failures.
 */
export function retryAfterOf({ data, errors = [] }: ExecutionResult): number | null {
  let most: number | null = null;
  const note = ({ code, retryAfterSeconds }: Readonly<Record<string, unknown>>) => {
    if (code !== 'RATE_LIMITED') return;
    most = Math.max(most ?? 0, typeof retryAfterSeconds === 'number' ? retryAfterSeconds : UNKNOWN_SECONDS);
  };
  for (const { extensions } of errors.slice(0, MOST_ERRORS)) note(extensions);
  for (const field in data) {
    const value = data[field];
    if (!isObject(value)) continue;
    note(value['__typename'] === 'RateLimitedError' ? { ...value, code: 'RATE_LIMITED' } : value);
  }
  return most;
}
