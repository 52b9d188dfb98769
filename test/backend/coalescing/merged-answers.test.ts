import { describe, expect, it } from 'vitest';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  rateLimited,
  unauthenticated,
  unavailable,
} from '../../../src/domain/errors.ts';
import { notice, serviceError } from '../../../src/domain/notices.ts';
import { err } from '../../../src/domain/result.ts';
import { answerWith, callerOf, openMergedCall, outcomesOf, refused, updated, updatesOf } from './harness.ts';

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
