import { describe, expect, it, vi } from 'vitest';
import { outcomesForAll } from '../../../src/core/articles/article-outcomes.ts';
import { err } from '../../../src/core/base/result.ts';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  rateLimited,
  unauthenticated,
  unavailable,
  validationError,
} from '../../../src/core/errors.ts';
import { createNotice, createServiceError } from '../../../src/core/notices.ts';
import {
  type BulkUpdateResult,
  callerOf,
  openMergedCall,
  openScene,
  outcomesOf,
  refused,
  resultWith,
  updated,
  updatesOf,
} from './harness.ts';

/** Refusals after which the service may have applied a part of the call. */
const MAYBE_APPLIED: readonly [BackendError][] = [
  [refused(400, true, 'The article a1 has no title.')],
  [validationError([{ path: ['0'], message: 'No.' }], 'SERVICE')],
  [refused(409, true, 'The article a1 is locked.')],
  [refused(422, true, 'The article a1 is published.')],
];

/** Refusals before the service has looked at the items. */
const NOTHING_APPLIED: readonly [BackendError][] = [
  [forbidden([createServiceError('A firewall.')])],
  [refused(413, false)],
];

const allOf = (kind: 'unknown' | 'not-attempted', text: string, ...ids: readonly string[]): BulkUpdateResult => {
  const details = expect.stringContaining(text);
  const rejected = { kind: 'not-attempted', details, reason: 'REJECTED', retryAfterSeconds: null } as const;
  return resultWith(outcomesForAll(updatesOf(...ids), kind === 'unknown' ? { kind, details } : rejected));
};

describe('a merged call that was refused, perhaps for the items of one caller', () => {
  it.each([...MAYBE_APPLIED, ...NOTHING_APPLIED])(
    'is sent again caller by caller, before any pending request: %j',
    async (error) => {
      const { gateway, call, results, sent, logged } = await openMergedCall(['a1'], ['b', 'c']);
      const last = gateway.bulkUpdateArticles(callerOf('3'), updatesOf('b'));
      await call(1).resolve(err(error));
      await call(2).resolve(updated('a1'));
      expect(call(2).caller).toMatchObject({ request: { id: '1' }, doesNotWait: true });
      const rest = { extensionData: { trace: 1 }, warnings: [createNotice('Mind "b".')] };
      await call(3).resolve(resultWith(outcomesOf('updated', 'b', 'c'), rest));
      expect(await results()).toEqual([updated('a1'), resultWith(outcomesOf('updated', 'b', 'c'), rest)]);
      await call(4).resolve(updated('b'));
      expect(await last).toEqual(updated('b'));
      expect(sent()).toEqual([['first'], ['a1', 'b', 'c'], ['a1'], ['b', 'c'], ['b']]);
      expect(call(4).caller.doesNotWait).toBeUndefined();
      expect(logged).toEqual([]);
    },
  );

  it('is sent again for four callers concurrently, in their order', async () => {
    const { gateway, call, sent } = openScene();
    const update = (id: string) => gateway.bulkUpdateArticles(callerOf(id), updatesOf(id));
    void update('first');
    const results = ['a', 'b', 'c', 'd', 'e', 'f'].map(update);
    await call(0).resolve(updated('first'));
    await call(1).resolve(err(refused(413, false)));
    expect(sent().slice(2)).toEqual([['a'], ['b'], ['c'], ['d']]);
    await call(3).resolve(updated('b'));
    expect(sent().slice(6)).toEqual([['e']]);
    await call(6).resolve(updated('e'));
    await call(7).resolve(updated('f'));
    expect(await Promise.all([results[1], results[4], results[5]])).toEqual([updated('b'), updated('e'), updated('f')]);
  });

  it.each([...MAYBE_APPLIED, ...NOTHING_APPLIED])(
    'is not sent again when it was the call of one caller: %j',
    async (error) => {
      const { gateway, call, sent } = openScene();
      const result = gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a', 'b'));
      await call(0).resolve(err(error));
      expect(await result).toEqual(err(error));
      expect(sent()).toHaveLength(1);
    },
  );

  it.each([...MAYBE_APPLIED, ...NOTHING_APPLIED])(
    'rejects after an exception of a retry only for its caller: %j',
    async (error) => {
      const { call, results } = await openMergedCall();
      await call(1).resolve(err(error));
      const reason = new Error('a bug');
      await call(2).reject(reason);
      await call(3).resolve(updated('b'));
      expect(await results()).toEqual([{ status: 'rejected', reason }, updated('b')]);
    },
  );
});

describe('a request that is sent alone after its merged call was refused', () => {
  const FAILURES: readonly [BackendError, string][] = [
    [unavailable('Gone.'), 'Gone.'],
    [rateLimited(3), 'in 3 s'],
    [unauthenticated(), 'API token'],
    [forbidden(), 'does not permit'],
    [refused(400, false, 'Bad.'), 'Bad.'],
    [refused(404, false), 'HTTP 404'],
    [refused(409, false), 'HTTP 409'],
    [refused(413, false), 'HTTP 413'],
    [refused(200, true), 'HTTP 200'],
    [outcomeUnknown('gone'), 'gone'],
  ];

  it.each(MAYBE_APPLIED.flatMap(([first]) => FAILURES.map(([alone, text]) => [first, alone, text] as const)))(
    'is unknown after %j if it fails with %j, since the first call may have applied it',
    async (first, alone, text) => {
      const { call, results } = await openMergedCall(['a1', 'c3'], ['b2']);
      await call(1).resolve(err(first));
      await call(2).resolve(err(alone));
      await call(3).resolve(updated('b2'));
      const notices = alone.kind === 'rejected' ? alone : { warnings: [], information: [] };
      expect(await results()).toEqual([
        resultWith(
          ['a1', 'c3'].map((articleId) => ({ kind: 'unknown', articleId, details: expect.stringContaining(text) })),
          { serviceErrors: alone.serviceErrors, warnings: notices.warnings, information: notices.information },
        ),
        updated('b2'),
      ]);
    },
  );

  it.each(MAYBE_APPLIED)('is unknown after %j except for updated items', async (first) => {
    const { call, results } = await openMergedCall(['a', 'b', 'c', 'd'], ['e']);
    await call(1).resolve(err(first));
    const kinds = ['updated', 'failed', 'unknown', 'not-attempted'] as const;
    const outcomes = kinds.flatMap((kind, index) => outcomesOf(kind, 'abcd'[index] ?? ''));
    await call(2).resolve(resultWith(outcomes));
    await call(3).resolve(updated('e'));
    expect(await results()).toEqual([
      resultWith([
        ...outcomesOf('updated', 'a'),
        { kind: 'unknown', articleId: 'b', details: expect.stringContaining('b: failed') },
        ...outcomesOf('unknown', 'c'),
        { kind: 'unknown', articleId: 'd', details: expect.stringContaining('d: not-attempted') },
      ]),
      updated('e'),
    ]);
  });

  it.each(NOTHING_APPLIED)('is not attempted after %j when it was not sent', async (first) => {
    const { call, results } = await openMergedCall(['a', 'c'], ['b']);
    await call(1).resolve(err(first));
    await call(2).resolve(err(unavailable('Gone.')));
    await call(3).resolve(updated('b'));
    expect(await results()).toEqual([allOf('not-attempted', 'Gone.', 'a', 'c'), updated('b')]);
  });

  it.each(NOTHING_APPLIED.flatMap(([first]) => FAILURES.slice(1).map(([alone]) => [first, alone] as const)))(
    'has its own result after %j: %j',
    async (first, alone) => {
      const { call, results } = await openMergedCall();
      await call(1).resolve(err(first));
      await call(2).resolve(err(alone));
      const outcomes = outcomesOf('failed', 'b');
      await call(3).resolve(resultWith(outcomes));
      expect(await results()).toEqual([err(alone), resultWith(outcomes)]);
    },
  );

  it.each<[BackendError, 'unknown' | 'not-attempted']>([
    ...MAYBE_APPLIED.map(([error]) => [error, 'unknown'] as [BackendError, 'unknown']),
    ...NOTHING_APPLIED.map(([error]) => [error, 'not-attempted'] as [BackendError, 'not-attempted']),
  ])('is not sent after the deadline of its caller, after %j: %s', async (first, kind) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { call, results, sent } = await openMergedCall();
    vi.advanceTimersByTime(1_000);
    await call(1).resolve(err(first));
    expect(await results()).toEqual([allOf(kind, 'time', 'a'), allOf(kind, 'time', 'b')]);
    expect(sent()).toHaveLength(2);
    vi.useRealTimers();
  });
});
