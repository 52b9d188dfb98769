import { describe, expect, it } from 'vitest';
import {
  type BackendError,
  outcomeUnknown,
  rateLimited,
  unauthenticated,
  unavailable,
} from '../../../src/domain/errors.ts';
import { HTML_DEPRECATED, type Notice, notice, serviceError } from '../../../src/domain/notices.ts';
import { err } from '../../../src/domain/result.ts';
import { answerWith, callerOf, openMergedCall, openScene, outcomesOf, refused, updated, updatesOf } from './harness.ts';

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

  it.each<[string, readonly [readonly string[], readonly string[]], 'one' | 'other' | 'nobody']>([
    ['nothing', [['a1'], ['b2']], 'nobody'],
    ['a1', [['a1'], ['b2']], 'one'],
    ['the article A1', [['a1'], ['b2']], 'one'],
    ['the article b2', [['a1'], ['B2']], 'other'],
    ['a1 and a3', [['a1', 'a3'], ['b2']], 'one'],
    ['a1 and x9', [['a1'], ['b2']], 'one'],
    ['b2 after a1', [['a1'], ['b2']], 'nobody'],
    ['(a1)', [['a1'], ['b2']], 'one'],
    ['"a1": the article', [['a1'], ['b2']], 'one'],
    ['line one\r\nError: b2...', [['a1'], ['b2']], 'other'],
    ['a12', [['a1'], ['a12']], 'other'],
    ['a-1', [['a'], ['a-1']], 'other'],
    ['a1-b, a1/b, a1.b, xa1, a1_', [['a1'], ['b2']], 'nobody'],
    ['the text "a title to be read"', [['title'], ['b2']], 'nobody'],
    ['the code 1', [['1'], ['b2']], 'nobody'],
    ['the title of a1', [['a1'], ['title']], 'nobody'],
    ['the article a1 b2', [['a1'], ['a1 b2']], 'nobody'],
    ['the article a1.b2', [['a1'], ['a1.b2']], 'other'],
    ['the article .a1', [['a1'], ['.a1']], 'nobody'],
    ['a1', [['', 'a1'], ['b2']], 'one'],
    [`a1${' '.repeat(10_000)}`, [['a1'], ['b2']], 'nobody'],
  ])('tells what is said of "%s" to whom it concerns alone, of %j: %s', async (text, [one, other], hearer) => {
    const { call, answers, logged } = await openMergedCall(one, other);
    const said = { serviceErrors: [serviceError(text)], warnings: [notice(text, '1')], information: [notice(text)] };
    await call(1).answer(answerWith(outcomesOf('updated', ...one, ...other), said));
    expect(await answers()).toEqual([
      answerWith(outcomesOf('updated', ...one), hearer === 'one' ? said : {}),
      answerWith(outcomesOf('updated', ...other), hearer === 'other' ? said : {}),
    ]);
    const counts = { requestId: '1 2', serviceErrors: 1, warnings: 1, information: 1 };
    expect(logged).toEqual(hearer === 'nobody' ? [['info', 'notices of a merged call withheld', counts]] : []);
  });

  it.each([{ article_id: 'b2' }, { articles: [{ id: 'B2', depth: null }] }, { failures: { b2: 'too long' } }])(
    'reads article IDs in %j as well',
    async (customData) => {
      const { call, answers } = await openMergedCall(['a1'], ['b2']);
      const said = { serviceErrors: [{ ...serviceError('Too long.'), customData }] };
      await call(1).answer(answerWith(outcomesOf('updated', 'a1', 'b2'), said));
      expect(await answers()).toEqual([updated('a1'), answerWith(outcomesOf('updated', 'b2'), said)]);
    },
  );

  it.each([
    { list: Array.from({ length: 200_000 }, () => 'a1') },
    Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}`, 'a1'])),
  ])('looks through no more of its data than a notice may have', async (customData) => {
    const { call, answers } = await openMergedCall(['a1'], ['b2']);
    const said = { serviceErrors: [{ ...serviceError('Too long.'), customData }] };
    await call(1).answer(answerWith(outcomesOf('updated', 'a1', 'b2'), said));
    expect(await answers()).toEqual([updated('a1'), updated('b2')]);
  });

  it('looks through no more texts than an answer may have, and tells nobody the rest', async () => {
    const { call, answers } = await openMergedCall(['a1'], ['b2']);
    const warnings = Array.from({ length: 100_000 }, () => notice('Mind a1.'));
    await call(1).answer(answerWith(outcomesOf('updated', 'a1', 'b2'), { warnings }));
    const [one, other] = await answers();
    expect(one).toEqual(answerWith(outcomesOf('updated', 'a1'), { warnings: warnings.slice(0, 7_143) }));
    expect(other).toEqual(updated('b2'));
  });
});

describe('what is said of html_content to a merged call', () => {
  const other = notice('The field html_content is deprecated: send content.', '9');
  const quoting = notice('html_content is deprecated; cut: <p>', null);

  it.each<[string, Notice, { contents: readonly (string | null | undefined)[]; hearers: readonly number[] }]>([
    ['is for who sent it', HTML_DEPRECATED, { contents: ['<p>', undefined, null], hearers: [0] }],
    ['is for all who sent it', HTML_DEPRECATED, { contents: ['<p>', undefined, ''], hearers: [0, 2] }],
    ['is for the only one who sent it, in any words', other, { contents: [undefined, '<p>', undefined], hearers: [1] }],
    [
      'is for nobody of several who sent it, as it may quote one',
      quoting,
      { contents: ['<p>', '<b>', undefined], hearers: [] },
    ],
    [
      'is for nobody where nobody sent it',
      HTML_DEPRECATED,
      { contents: [undefined, undefined, undefined], hearers: [] },
    ],
    [
      'is for nobody where it says something else',
      notice('The html_content "x" is long.'),
      { contents: ['<p>', null, null], hearers: [] },
    ],
    [
      'is for nobody where it has data',
      { ...HTML_DEPRECATED, extensionData: { x: 1 } },
      { contents: ['<p>', '<p>', null], hearers: [] },
    ],
  ])('%s', async (_name, warning, { contents, hearers }) => {
    const { gateway, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
    const ids = contents.map((_, index) => `a${index}`);
    const answers = ids.map((articleId, index) =>
      gateway.bulkUpdateArticles(callerOf(`${index + 1}`), [{ articleId, htmlContent: contents[index] }]),
    );
    await call(0).answer(updated('first'));
    await call(1).answer(answerWith(outcomesOf('updated', ...ids), { warnings: [warning] }));
    expect(await Promise.all(answers)).toEqual(
      ids.map((id, index) =>
        answerWith(outcomesOf('updated', id), { warnings: hearers.includes(index) ? [warning] : [] }),
      ),
    );
  });
});

describe('a merged call that failed', () => {
  it.each<[BackendError]>([
    [unauthenticated()],
    [rateLimited(3)],
    [unavailable()],
    [outcomeUnknown('gone')],
    [refused(404, false)],
    [{ ...refused(302, false), message: 'A redirect.' }],
    [refused(200, true)],
  ])('fails for each caller with the same, and is not sent again: %j', async (error) => {
    const { call, answers, sent } = await openMergedCall();
    await call(1).answer(err(error));
    expect(await answers()).toEqual([err(error), err(error)]);
    expect(sent()).toHaveLength(2);
  });

  it('tells each caller what was said of their own articles, and nobody what may be about anybody', async () => {
    const { call, answers, logged } = await openMergedCall(['a1'], ['b2']);
    await call(1).answer(err(refused(404, false, 'The article a1 is "Secret".', 'It is "Hidden".')));
    expect(await answers()).toEqual([
      err(refused(404, false, 'The article a1 is "Secret".')),
      err(refused(404, false)),
    ]);
    expect(logged).toMatchObject([[expect.anything(), expect.anything(), { serviceErrors: 1, warnings: 1 }]]);
  });

  it.each([
    unauthenticated([serviceError('The item "Secret" needs more.')]),
    rateLimited(3, [serviceError('The item "Secret" was too much.')]),
    outcomeUnknown('gone', [serviceError('"Secret" broke it.')]),
  ])('tells nobody either where it failed otherwise: $kind', async (error) => {
    const { call, answers } = await openMergedCall(['a1'], ['b2']);
    await call(1).answer(err(error));
    const silent = err({ ...error, serviceErrors: [] });
    expect(await answers()).toEqual([silent, silent]);
  });

  it('keeps a message that is not of the service', async () => {
    const { call, answers } = await openMergedCall(['a1'], ['b2']);
    await call(1).answer(err({ ...refused(302, false, 'Moved.'), message: 'A redirect.' }));
    const share = err({ ...refused(302, false), message: 'A redirect.' });
    expect(await answers()).toEqual([share, share]);
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
