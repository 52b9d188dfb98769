import { describe, expect, it } from 'vitest';
import { notAttemptedAfter } from '../../../src/core/articles/article-outcomes.ts';
import { err, ok } from '../../../src/core/base/result.ts';
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
import { NO_NOTICES } from '../../../src/core/notices.ts';
import { sentChunkOf } from '../../../src/jobs/kinds/sent-chunks.ts';

const chunk = [
  { index: 7, update: { articleId: 'a' } },
  { index: 9, update: { articleId: 'b' } },
];

const rejection = (httpStatus: number, mayHaveApplied: boolean): BackendError =>
  rejected({ httpStatus, mayHaveApplied, serviceErrors: [], warnings: [], information: [] });

describe('sentChunkOf', () => {
  it.each<[string, BackendError, object]>([
    ['waits for the rate limit', rateLimited(3), { kind: 'wait', wait: 'RATE_LIMIT', retryAfterSeconds: 3 }],
    ['waits for the service', unavailable(), { kind: 'wait', wait: 'SERVICE' }],
    ['waits where its own time was short', outOfTime(1), { kind: 'wait', wait: 'SERVICE' }],
    ['pauses without an accepted token', unauthenticated(), { kind: 'pause' }],
  ])('%s, and takes all items back', (_name, error, next) => {
    expect(sentChunkOf(chunk, err(error))).toMatchObject({ ended: [], withdrawn: [7, 9], next });
  });

  it.each<[string, BackendError, string]>([
    ['unknown after a write without an answer', outcomeUnknown('cut.'), 'unknown'],
    ['unknown after a refusal that may have been in part', rejection(422, true), 'unknown'],
    ['failed where the content of one was refused', rejection(422, false), 'failed'],
    ['not attempted after another refusal', rejection(404, false), 'not-attempted'],
    ['not attempted without permission', forbidden(), 'not-attempted'],
  ])('ends the items as %s', (_name, error, kind) => {
    const { ended, withdrawn } = sentChunkOf(chunk, err(error));
    expect(ended).toMatchObject([
      { item: { index: 7 }, outcome: { kind, articleId: 'a' } },
      { item: { index: 9 }, outcome: { kind, articleId: 'b' } },
    ]);
    expect(withdrawn).toEqual([]);
  });

  it('ends the rest of the job without permission', () => {
    const { next } = sentChunkOf(chunk, err(forbidden()));
    expect(next).toMatchObject({ kind: 'end', rest: { kind: 'not-attempted', reason: 'FORBIDDEN' } });
  });

  it('takes back only what was not attempted of a chunk that was sent in part', () => {
    const outcomes = [
      { kind: 'updated', articleId: 'a', details: null } as const,
      { ...notAttemptedAfter(rateLimited(1)), articleId: 'b' },
    ];
    const result = ok({ outcomes, serviceErrors: [], ...NO_NOTICES });
    expect(sentChunkOf(chunk, result)).toMatchObject({
      ended: [{ item: { index: 7 }, outcome: { kind: 'updated' } }],
      withdrawn: [9],
      next: { kind: 'wait' },
    });
  });
});
