import { describe, expect, it, vi } from 'vitest';
import {
  type BackendError,
  outcomeUnknown,
  rateLimited,
  unauthenticated,
  unavailable,
  validationError,
} from '../../../src/domain/errors.ts';
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

describe('a merged call refused with 400', () => {
  const refusal = refused(400, true, 'The article a has no title.');

  it.each<[BackendError]>([
    [refusal],
    [refused(400, false)],
    [validationError([{ path: ['0'], message: 'No.' }], 'SERVICE')],
  ])('is sent again caller by caller, before anything that waits: %j', async (error) => {
    const { gateway, call, answers, sent } = await openMergedCall(['a'], ['b', 'c']);
    const last = gateway.bulkUpdateArticles(callerOf('3'), updatesOf('b'));
    await call(1).answer(err(error));
    const alone = err(refused(400, false, 'The article a has no title.'));
    await call(2).answer(alone);
    expect(call(2).caller.requestId).toBe('1');
    await call(3).answer(answerWith(outcomesOf('updated', 'b', 'c'), { extensionData: { trace: 1 } }));
    expect(await answers()).toEqual([
      alone,
      answerWith(outcomesOf('updated', 'b', 'c'), { extensionData: { trace: 1 } }),
    ]);
    await call(4).answer(updated('b'));
    expect(await last).toEqual(updated('b'));
    expect(sent()).toEqual([['first'], ['a', 'b', 'c'], ['a'], ['b', 'c'], ['b']]);
  });

  it('is not sent again where it was of one caller', async () => {
    const { gateway, call, sent } = openScene();
    const answered = gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a', 'b'));
    await call(0).answer(err(refusal));
    expect(await answered).toEqual(err(refusal));
    expect(sent()).toHaveLength(1);
  });

  it('tells what is thrown then only to whose call it was', async () => {
    const { call, answers } = await openMergedCall();
    await call(1).answer(err(refusal));
    const reason = new Error('a bug');
    await call(2).fail(reason);
    await call(3).answer(updated('b'));
    expect(await answers()).toEqual([{ status: 'rejected', reason }, updated('b')]);
  });

  const unknown = (text: string): Answered =>
    answerWith([{ kind: 'unknown', articleId: 'a', details: expect.stringContaining(text) }]);

  it.each([
    { what: 'unavailable', alone: unavailable('Gone.'), expected: unknown('Gone.') },
    { what: 'refused for its rate', alone: rateLimited(3), expected: unknown('in 3 s') },
    { what: 'refused for its token', alone: unauthenticated(), expected: unknown('API token') },
    { what: 'not to be found', alone: refused(404, false), expected: unknown('HTTP 404') },
    { what: 'unavailable after a call that applied nothing', first: refused(400, false), alone: unavailable() },
    { what: 'answered with a failure that may have applied', alone: refused(200, true) },
    { what: 'without a known outcome', alone: outcomeUnknown('gone') },
  ])('and is then $what, tells what may have been applied', async ({ first = refusal, alone, expected }) => {
    const { call, answers } = await openMergedCall();
    await call(1).answer(err(first));
    await call(2).answer(err(alone));
    await call(3).answer(updated('b'));
    expect(await answers()).toEqual([expected ?? err(alone), updated('b')]);
  });

  it('is not sent again for a caller whose time is up', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { call, answers, sent } = await openMergedCall();
    await call(1).answer(err(refusal));
    vi.advanceTimersByTime(1_000);
    await call(2).answer(updated('a'));
    expect(await answers()).toEqual([
      updated('a'),
      answerWith([{ kind: 'unknown', articleId: 'b', details: expect.stringContaining('time') }]),
    ]);
    expect(sent()).toHaveLength(3);
    vi.useRealTimers();
  });
});
