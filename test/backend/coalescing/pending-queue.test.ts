import { expect, it } from 'vitest';
import { CallsUnderWay } from '../../../src/backend/coalescing/in-flight-calls.ts';
import { WaitingLine } from '../../../src/backend/coalescing/pending-queue.ts';
import { callerOf, updatesOf } from './harness.ts';

it('looks anew at who is in front whenever somebody went', () => {
  const line = new WaitingLine({ leastMs: 0, onLeft: () => {} });
  const submissionOf = (articleId: string, waitMs: number) => ({
    caller: callerOf(articleId, 'token', waitMs),
    updates: updatesOf(articleId),
    articles: null,
    resolve: () => {},
    reject: () => {},
  });
  const [one, ...others] = [submissionOf('a', 100_000), submissionOf('b', 10_000), submissionOf('c', 10_000)] as const;
  const [limits, underWay] = [{ maxItems: 2, maxChars: 1_000 }, new CallsUnderWay()];
  for (const submission of [one, ...others]) line.enter(submission);
  expect(line.takeFull(limits, underWay)).toEqual([]);
  expect(line.take(limits, underWay)).toEqual([one]);
  expect(line.takeFull(limits, underWay)).toEqual(others);
  expect(line.items).toBe(0);
  line.close();
});
