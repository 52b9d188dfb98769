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
import { chunkResultOf, nextChunk } from '../../../src/jobs/runner/chunks.ts';

const chunk = [
  { index: 7, update: { articleId: 'a' } },
  { index: 9, update: { articleId: 'b' } },
];

const rejection = (httpStatus: number, mayHaveApplied: boolean): BackendError =>
  rejected({ httpStatus, mayHaveApplied, serviceErrors: [], warnings: [], information: [] });

describe('chunkResultOf', () => {
  it.each<[string, BackendError, object]>([
    ['waits for the rate limit', rateLimited(3), { kind: 'wait', wait: 'RATE_LIMIT', retryAfterSeconds: 3 }],
    ['waits for the service', unavailable(), { kind: 'wait', wait: 'SERVICE' }],
    ['waits where its own time was short', outOfTime(1), { kind: 'wait', wait: 'SERVICE' }],
    ['pauses without an accepted token', unauthenticated(), { kind: 'pause' }],
  ])('%s, and takes all items back', (_name, error, next) => {
    expect(chunkResultOf(chunk, err(error))).toMatchObject({ ended: [], withdrawn: [7, 9], next });
  });

  it.each<[string, BackendError, string]>([
    ['unknown after a write without an answer', outcomeUnknown('cut.'), 'unknown'],
    ['unknown after a refusal that may have been in part', rejection(422, true), 'unknown'],
    ['failed where the content of one was refused', rejection(422, false), 'failed'],
    ['not attempted after another refusal', rejection(404, false), 'not-attempted'],
    ['not attempted without permission', forbidden(), 'not-attempted'],
  ])('ends the items as %s', (_name, error, kind) => {
    const { ended, withdrawn } = chunkResultOf(chunk, err(error));
    expect(ended).toMatchObject([
      { index: 7, outcome: { kind, articleId: 'a' } },
      { index: 9, outcome: { kind, articleId: 'b' } },
    ]);
    expect(withdrawn).toEqual([]);
  });

  it('ends the rest of the job without permission', () => {
    const { next } = chunkResultOf(chunk, err(forbidden()));
    expect(next).toMatchObject({ kind: 'end', rest: { kind: 'not-attempted', reason: 'FORBIDDEN' } });
  });

  it('takes back only what was not attempted of a chunk that was sent in part', () => {
    const outcomes = [
      { kind: 'updated', articleId: 'a', details: null } as const,
      { ...notAttemptedAfter(rateLimited(1)), articleId: 'b' },
    ];
    const result = ok({ outcomes, serviceErrors: [], ...NO_NOTICES });
    expect(chunkResultOf(chunk, result)).toMatchObject({
      ended: [{ index: 7, outcome: { kind: 'updated' } }],
      withdrawn: [9],
      next: { kind: 'wait' },
    });
  });
});

const itemsOf = (...articleIds: readonly string[]) =>
  articleIds.map((articleId, index) => ({ index, update: { articleId } }));

const chunkOf = (articleIds: readonly string[], unknown: readonly string[] = []) =>
  nextChunk(itemsOf(...articleIds), new Set(unknown), 3).map(({ update }) => update.articleId);

describe('nextChunk', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['has at most so many items as a call', ['a', 'b', 'c', 'd'], ['a', 'b', 'c']],
    ['has no article twice, whatever the case of its ID', ['a', 'b', 'A', 'c'], ['a', 'b']],
    ['is all that is left', ['a'], ['a']],
  ])('%s', (_name, articleIds, chunk) => {
    expect(chunkOf(articleIds)).toEqual(chunk);
  });

  it('ends before an item whose article has an unknown one, and skips none', () => {
    expect(chunkOf(['a', 'B', 'c'], ['b'])).toEqual(['a']);
    expect(chunkOf(['B', 'c'], ['b'])).toEqual([]);
  });

  it('has no more text than one call should carry, but always an item', () => {
    const long = 'x'.repeat(3_000_000);
    const items = ['a', 'b', 'c'].map((articleId, index) => ({ index, update: { articleId, content: long } }));
    expect(nextChunk(items, new Set(), 3)).toHaveLength(1);
    const huge = [{ index: 0, update: { articleId: 'a', content: long + long } }];
    expect(nextChunk(huge, new Set(), 3)).toHaveLength(1);
  });
});
