import { describe, expect, it } from 'vitest';
import { notAttemptedAfter } from '../../../src/core/articles/article-outcomes.ts';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  outOfTime,
  rateLimited,
  rejected,
  unauthenticated,
  unavailable,
} from '../../../src/core/errors.ts';

const refusal = { httpStatus: 413, mayHaveApplied: false, serviceErrors: [], warnings: [], information: [] };

describe('an item that an error kept from being applied', () => {
  it.each<[string, BackendError, number | null]>([
    ['RATE_LIMITED', rateLimited(7), 7],
    ['RATE_LIMITED', rateLimited(null), null],
    ['UNAUTHENTICATED', unauthenticated(), null],
    ['FORBIDDEN', forbidden(), null],
    ['UNAVAILABLE', unavailable(), null],
    ['OUT_OF_TIME', outOfTime(2_000), null],
    ['REJECTED', rejected(refusal), null],
    ['AFTER_UNKNOWN', outcomeUnknown('gone.'), null],
  ])('has the reason %s of %j', (reason, error, retryAfterSeconds) => {
    expect(notAttemptedAfter(error)).toEqual({
      kind: 'not-attempted',
      details: error.message,
      reason,
      retryAfterSeconds,
    });
  });
});
