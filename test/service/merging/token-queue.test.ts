import { expect, it } from 'vitest';
import { PendingQueue } from '../../../src/service/merging/merging.ts';
import { nextBatch } from '../../../src/service/merging/send-batch.ts';
import { callerOf, updatesOf } from '../../core/writes/harness.ts';

it('forms the next batch again whenever requests have left', () => {
  const queue = new PendingQueue(0, () => {});
  const requestOf = (articleId: string, waitMs: number) => ({
    caller: callerOf(articleId, 'token', waitMs),
    updates: updatesOf(articleId),
    articleIds: [articleId],
    resolve: () => {},
    reject: () => {},
  });
  const [one, ...others] = [requestOf('a', 100_000), requestOf('b', 10_000), requestOf('c', 10_000)] as const;
  const limits = { maxItems: 2, maxChars: 1_000 };
  const formed = () => nextBatch(queue.requests, limits, new Set());
  for (const request of [one, ...others]) queue.add(request);
  expect(formed()).toEqual({ requests: [one], isFull: false });
  expect(queue.take(1)).toEqual([one]);
  expect(formed()).toEqual({ requests: others, isFull: true });
  expect(queue.take(2)).toEqual(others);
  expect(queue.items).toBe(0);
  queue.close();
});
