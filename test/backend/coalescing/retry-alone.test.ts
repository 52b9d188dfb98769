import { describe, expect, it, vi } from 'vitest';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  rateLimited,
  unauthenticated,
  unavailable,
  validationError,
} from '../../../src/domain/errors.ts';
import { notice, serviceError } from '../../../src/domain/notices.ts';
import { err } from '../../../src/domain/result.ts';
import {
  type Answered,
  answerWith,
  callerOf,
  openMergedCall,
  openScene,
  outcomesOf,
  refused,
  updated,
  updatesOf,
} from './harness.ts';

/** Of both callers' items together: the service may have applied a part of the call. */
const JUDGED: readonly [BackendError][] = [
  [refused(400, true, 'The article a1 has no title.')],
  [validationError([{ path: ['0'], message: 'No.' }], 'SERVICE')],
  [refused(409, true, 'The article a1 is locked.')],
  [refused(422, true, 'The article a1 is published.')],
];

/** The service has not looked at the items. */
const STOPPED: readonly [BackendError][] = [[forbidden([serviceError('A firewall.')])], [refused(413, false)]];

const allOf = (kind: 'unknown' | 'not-attempted', text: string, ...ids: readonly string[]): Answered =>
  answerWith(ids.map((articleId) => ({ kind, articleId, details: expect.stringContaining(text) })));

describe('a merged call that was refused, maybe for one caller', () => {
  it.each([...JUDGED, ...STOPPED])('is sent again caller by caller, before anything that waits: %j', async (error) => {
    const { gateway, call, answers, sent, logged } = await openMergedCall(['a1'], ['b', 'c']);
    const last = gateway.bulkUpdateArticles(callerOf('3'), updatesOf('b'));
    await call(1).answer(err(error));
    await call(2).answer(updated('a1'));
    expect(call(2).caller).toMatchObject({ requestId: '1', doesNotWait: true });
    const rest = { extensionData: { trace: 1 }, warnings: [notice('Mind "b".')] };
    await call(3).answer(answerWith(outcomesOf('updated', 'b', 'c'), rest));
    expect(await answers()).toEqual([updated('a1'), answerWith(outcomesOf('updated', 'b', 'c'), rest)]);
    await call(4).answer(updated('b'));
    expect(await last).toEqual(updated('b'));
    expect(sent()).toEqual([['first'], ['a1', 'b', 'c'], ['a1'], ['b', 'c'], ['b']]);
    expect(call(4).caller.doesNotWait).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it('is sent again for four callers beside each other, in their order', async () => {
    const { gateway, call, sent } = openScene();
    const update = (id: string) => gateway.bulkUpdateArticles(callerOf(id), updatesOf(id));
    void update('first');
    const answers = ['a', 'b', 'c', 'd', 'e', 'f'].map(update);
    await call(0).answer(updated('first'));
    await call(1).answer(err(refused(413, false)));
    expect(sent().slice(2)).toEqual([['a'], ['b'], ['c'], ['d']]);
    await call(3).answer(updated('b'));
    expect(sent().slice(6)).toEqual([['e']]);
    await call(6).answer(updated('e'));
    await call(7).answer(updated('f'));
    expect(await Promise.all([answers[1], answers[4], answers[5]])).toEqual([updated('b'), updated('e'), updated('f')]);
  });

  it.each([...JUDGED, ...STOPPED])('is not sent again where it was of one caller: %j', async (error) => {
    const { gateway, call, sent } = openScene();
    const answered = gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a', 'b'));
    await call(0).answer(err(error));
    expect(await answered).toEqual(err(error));
    expect(sent()).toHaveLength(1);
  });

  it.each([...JUDGED, ...STOPPED])('tells what is thrown then only to whose call it was: %j', async (error) => {
    const { call, answers } = await openMergedCall();
    await call(1).answer(err(error));
    const reason = new Error('a bug');
    await call(2).fail(reason);
    await call(3).answer(updated('b'));
    expect(await answers()).toEqual([{ status: 'rejected', reason }, updated('b')]);
  });
});

describe('a list that is sent alone after the call it was merged into was refused', () => {
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

  it.each(JUDGED.flatMap(([first]) => FAILURES.map(([alone, text]) => [first, alone, text] as const)))(
    'is unknown after %j where it ends in %j, since the first call may have applied it',
    async (first, alone, text) => {
      const { call, answers } = await openMergedCall(['a1', 'c3'], ['b2']);
      await call(1).answer(err(first));
      await call(2).answer(err(alone));
      await call(3).answer(updated('b2'));
      const said = alone.kind === 'rejected' ? alone : { warnings: [], information: [] };
      expect(await answers()).toEqual([
        answerWith(
          ['a1', 'c3'].map((articleId) => ({ kind: 'unknown', articleId, details: expect.stringContaining(text) })),
          { serviceErrors: alone.serviceErrors, warnings: said.warnings, information: said.information },
        ),
        updated('b2'),
      ]);
    },
  );

  it.each(JUDGED)('is unknown after %j but for the items that are updated', async (first) => {
    const { call, answers } = await openMergedCall(['a', 'b', 'c', 'd'], ['e']);
    await call(1).answer(err(first));
    const kinds = ['updated', 'failed', 'unknown', 'not-attempted'] as const;
    const outcomes = kinds.flatMap((kind, index) => outcomesOf(kind, 'abcd'[index] ?? ''));
    await call(2).answer(answerWith(outcomes));
    await call(3).answer(updated('e'));
    expect(await answers()).toEqual([
      answerWith([
        ...outcomesOf('updated', 'a'),
        { kind: 'unknown', articleId: 'b', details: expect.stringContaining('b: failed') },
        ...outcomesOf('unknown', 'c'),
        { kind: 'unknown', articleId: 'd', details: expect.stringContaining('d: not-attempted') },
      ]),
      updated('e'),
    ]);
  });

  it.each(STOPPED)('is not attempted after %j where it was not sent', async (first) => {
    const { call, answers } = await openMergedCall(['a', 'c'], ['b']);
    await call(1).answer(err(first));
    await call(2).answer(err(unavailable('Gone.')));
    await call(3).answer(updated('b'));
    expect(await answers()).toEqual([allOf('not-attempted', 'Gone.', 'a', 'c'), updated('b')]);
  });

  it.each(STOPPED.flatMap(([first]) => FAILURES.slice(1).map(([alone]) => [first, alone] as const)))(
    'ends after %j as it is answered then: %j',
    async (first, alone) => {
      const { call, answers } = await openMergedCall();
      await call(1).answer(err(first));
      await call(2).answer(err(alone));
      const outcomes = outcomesOf('failed', 'b');
      await call(3).answer(answerWith(outcomes));
      expect(await answers()).toEqual([err(alone), answerWith(outcomes)]);
    },
  );

  it.each<[BackendError, 'unknown' | 'not-attempted']>([
    ...JUDGED.map(([error]) => [error, 'unknown'] as [BackendError, 'unknown']),
    ...STOPPED.map(([error]) => [error, 'not-attempted'] as [BackendError, 'not-attempted']),
  ])('is not sent for a caller whose time is up, after %j: %s', async (first, kind) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { call, answers, sent } = await openMergedCall();
    vi.advanceTimersByTime(1_000);
    await call(1).answer(err(first));
    expect(await answers()).toEqual([allOf(kind, 'time', 'a'), allOf(kind, 'time', 'b')]);
    expect(sent()).toHaveLength(2);
    vi.useRealTimers();
  });
});
