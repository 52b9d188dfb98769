import { expect, it } from 'vitest';
import { InFlightArticles } from '../../../src/backend/writes/batch.ts';
import { PendingQueue } from '../../../src/backend/writes/token-queue.ts';
import { callerOf, updatesOf } from './harness.ts';

it('forms the next batch again whenever requests have left', () => {
  const queue = new PendingQueue({ minTimeLeftMs: 0, onExpired: () => {} });
  const requestOf = (articleId: string, waitMs: number) => ({
    caller: callerOf(articleId, 'token', waitMs),
    updates: updatesOf(articleId),
    articleIds: [articleId],
    resolve: () => {},
    reject: () => {},
  });
  const [one, ...others] = [requestOf('a', 100_000), requestOf('b', 10_000), requestOf('c', 10_000)] as const;
  const [limits, inFlight] = [{ maxItems: 2, maxChars: 1_000 }, new InFlightArticles()];
  for (const request of [one, ...others]) queue.add(request);
  expect(queue.takeFullBatch(limits, inFlight)).toEqual([]);
  expect(queue.takeBatch(limits, inFlight)).toEqual([one]);
  expect(queue.takeFullBatch(limits, inFlight)).toEqual(others);
  expect(queue.items).toBe(0);
  queue.close();
});
