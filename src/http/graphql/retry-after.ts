import type { ExecutionResult } from 'graphql';
import { isObject } from '../../domain/json/json-objects.ts';

/** The delay when the end of the limit is unknown. */
const DEFAULT_SECONDS = 5;

/** The number of errors that are searched. When one call was limited, the first calls were too. */
const MAX_SCANNED_ERRORS = 20;

/**
 * Returns the `Retry-After` of a result in seconds, or null when no part of it is rate limited. Only the errors and the
 * root fields are searched, so that a result without failures costs nothing.
 */
export function retryAfterSecondsOf({ data, errors = [] }: ExecutionResult): number | null {
  let longest: number | null = null;
  const includeFailure = ({ code, retryAfterSeconds }: Readonly<Record<string, unknown>>) => {
    if (code !== 'RATE_LIMITED') return;
    longest = Math.max(longest ?? 0, typeof retryAfterSeconds === 'number' ? retryAfterSeconds : DEFAULT_SECONDS);
  };
  for (const { extensions } of errors.slice(0, MAX_SCANNED_ERRORS)) includeFailure(extensions);
  for (const field in data) {
    const value = data[field];
    if (!isObject(value)) continue;
    includeFailure(value['__typename'] === 'RateLimitedError' ? { ...value, code: 'RATE_LIMITED' } : value);
  }
  return longest;
}
