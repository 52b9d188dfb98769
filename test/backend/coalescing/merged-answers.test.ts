import { describe, expect, it, vi } from 'vitest';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  rateLimited,
  rejected,
  unauthenticated,
  unavailable,
  validationError,
} from '../../../src/domain/errors.ts';
import { notice, serviceError } from '../../../src/domain/notices.ts';
import { err } from '../../../src/domain/result.ts';
import { type Answered, answerWith, callerOf, openScene, outcomesOf, updated, updatesOf } from './harness.ts';

/** Two callers, whose lists meet behind a call of somebody else's: `answers` are theirs, and the merged call is under way. */
async function openMergedCall(one: readonly string[] = ['a'], other: readonly string[] = ['b']) {
  const scene = openScene();
  void scene.gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
  const answers = Promise.allSettled([
    scene.gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...one)),
    scene.gateway.bulkUpdateArticles(callerOf('2'), updatesOf(...other)),
  ]);
  await scene.call(0).answer(updated('first'));
  expect(scene.sent()).toEqual([['first'], [...one, ...other]]);
  return { ...scene, answers: async () => (await answers).map((end) => ('value' in end ? end.value : end)) };
}

const refused = (httpStatus: number, mayHaveApplied: boolean, ...texts: readonly string[]) =>
  rejected({
    httpStatus,
    mayHaveApplied,
    serviceErrors: texts.map((text) => serviceError(text)),
    warnings: texts.map((text) => notice(text)),
    information: texts.map((text) => notice(text)),
  });

describe('an answered merged call', () => {
  it('keeps partial and unknown outcomes apart by caller', async () => {
    const { call, answers } = await openMergedCall(['a', 'b', 'c'], ['d']);
    const outcomes = [
      ...outcomesOf('updated', 'a'),
      ...outcomesOf('unknown', 'b'),
      ...outcomesOf('not-attempted', 'c', 'd'),
    ];
    await call(1).answer(answerWith(outcomes));
    expect(await answers()).toEqual([answerWith(outcomes.slice(0, 3)), answerWith(outcomes.slice(3))]);
  });

  it('gives nobody the extension data, since nothing says whose it is', async () => {
    const { call, answers } = await openMergedCall();
    await call(1).answer(answerWith(outcomesOf('updated', 'a', 'b'), { extensionData: { trace: 1 } }));
    expect(await answers()).toEqual([updated('a'), updated('b')]);
  });

  it.each<[string, readonly [readonly string[], readonly string[]], 'one' | 'other' | 'both']>([
    ['nobody', [['a'], ['b']], 'both'],
    ['a', [['a'], ['b']], 'one'],
    ['b and no other', [['a'], ['b']], 'other'],
    ['b after a', [['a'], ['b']], 'both'],
    ['(a)', [['a'], ['b']], 'one'],
    ['line one\r\nError: b', [['a'], ['b']], 'other'],
    ['the article A', [['a'], ['b']], 'both'],
    ['a12', [['a1'], ['a12']], 'other'],
    ['a12 and a1', [['a1'], ['a12']], 'both'],
    ['a-1', [['a'], ['a-1']], 'other'],
    ['to be or not', [['to'], ['to be']], 'other'],
    ['b_1, not ca', [['a'], ['b']], 'both'],
    ['the article (x', [['(x'], ['.']], 'one'],
    ['nothing.', [['', 'a'], ['b']], 'both'],
    ['the code 1', [['1'], ['b']], 'one'],
  ])('tells what is said of "%s" to whom it concerns, of %j: %s', async (text, [one, other], hearer) => {
    const { call, answers } = await openMergedCall(one, other);
    const said = { serviceErrors: [serviceError(text)], warnings: [notice(text, '1')], information: [notice(text)] };
    await call(1).answer(answerWith(outcomesOf('updated', ...one, ...other), said));
    expect(await answers()).toEqual([
      answerWith(outcomesOf('updated', ...one), hearer === 'other' ? {} : said),
      answerWith(outcomesOf('updated', ...other), hearer === 'one' ? {} : said),
    ]);
  });

  it.each([{ article_id: 'b' }, { articles: [{ id: 'b', depth: null }] }, { failures: { b: 'too long' } }])(
    'reads article IDs in %j as well',
    async (customData) => {
      const { call, answers } = await openMergedCall();
      const said = { serviceErrors: [{ ...serviceError('Too long.'), customData }] };
      await call(1).answer(answerWith(outcomesOf('updated', 'a', 'b'), said));
      expect(await answers()).toEqual([updated('a'), answerWith(outcomesOf('updated', 'b'), said)]);
    },
  );
});

describe('a merged call that failed', () => {
  it.each<[BackendError]>([
    [unauthenticated()],
    [forbidden([serviceError('No.')])],
    [rateLimited(3)],
    [unavailable()],
    [outcomeUnknown('gone')],
    [refused(404, false, 'No such call.')],
    [{ ...refused(302, false), message: 'A redirect.' }],
    [refused(200, true, 'No.')],
  ])('fails for each caller with the same, and is not sent again: %j', async (error) => {
    const { call, answers, sent } = await openMergedCall();
    await call(1).answer(err(error));
    expect(await answers()).toEqual([err(error), err(error)]);
    expect(sent()).toHaveLength(2);
  });

  it('tells nobody what was said of the articles of another', async () => {
    const { call, answers } = await openMergedCall();
    await call(1).answer(err(refused(409, false, 'The article a is locked.', 'Try later.')));
    expect(await answers()).toEqual([
      err(refused(409, false, 'The article a is locked.', 'Try later.')),
      err(refused(409, false, 'Try later.')),
    ]);
  });

  it('tells each caller what was thrown, and goes on', async () => {
    const { gateway, call, answers, sent } = await openMergedCall();
    void gateway.bulkUpdateArticles(callerOf('3'), updatesOf('c'));
    const reason = new Error('a bug');
    await call(1).fail(reason);
    expect(await answers()).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(sent()).toEqual([['first'], ['a', 'b'], ['c']]);
  });
});

describe('a merged call refused with 400', () => {
  const refusal = refused(400, true, 'The article a has no title.');

  it.each<[BackendError]>([
    [refusal],
    [refused(400, false)],
    [validationError([{ path: ['0'], message: 'No.' }], 'SERVICE')],
  ])('is sent again caller by caller, before anything that waits: %j', async (error) => {
    const { gateway, call, answers, sent } = await openMergedCall(['a'], ['b', 'c']);
    const [last] = [gateway.bulkUpdateArticles(callerOf('3'), updatesOf('b'))];
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
