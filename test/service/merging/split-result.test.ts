import { describe, expect, it } from 'vitest';
import { err } from '../../../src/core/base/result.ts';
import {
  type BackendError,
  outcomeUnknown,
  rateLimited,
  unauthenticated,
  unavailable,
} from '../../../src/core/errors.ts';
import { createNotice, createServiceError, HTML_CONTENT_DEPRECATED, type Notice } from '../../../src/core/notices.ts';
import {
  callerOf,
  openMergedCall,
  openScene,
  outcomesOf,
  refused,
  resultWith,
  updated,
  updatesOf,
} from '../../core/writes/harness.ts';

describe('a merged call that succeeded', () => {
  it('keeps partial and unknown outcomes apart by caller', async () => {
    const { call, results } = await openMergedCall(['a', 'b', 'c'], ['d']);
    const outcomes = [
      ...outcomesOf('updated', 'a'),
      ...outcomesOf('unknown', 'b'),
      ...outcomesOf('not-attempted', 'c', 'd'),
    ];
    await call(1).resolve(resultWith(outcomes));
    expect(await results()).toEqual([resultWith(outcomes.slice(0, 3)), resultWith(outcomes.slice(3))]);
  });

  it('gives no caller the extension data, which cannot be attributed', async () => {
    const { call, results } = await openMergedCall();
    await call(1).resolve(resultWith(outcomesOf('updated', 'a', 'b'), { extensionData: { trace: 1 } }));
    expect(await results()).toEqual([updated('a'), updated('b')]);
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
  ])(
    'gives a notice about "%s" only to the caller that it concerns, of %j: %s',
    async (text, [one, other], recipient) => {
      const { call, results, logged } = await openMergedCall(one, other);
      const notices = {
        serviceErrors: [createServiceError(text)],
        warnings: [createNotice(text, '1')],
        information: [createNotice(text)],
      };
      await call(1).resolve(resultWith(outcomesOf('updated', ...one, ...other), notices));
      expect(await results()).toEqual([
        resultWith(outcomesOf('updated', ...one), recipient === 'one' ? notices : {}),
        resultWith(outcomesOf('updated', ...other), recipient === 'other' ? notices : {}),
      ]);
      const counts = { requestId: call(1).caller.request.id, withheld: 3 };
      expect(logged).toEqual(recipient === 'nobody' ? [['info', 'notices of a merged call withheld', counts]] : []);
    },
  );

  it.each([{ article_id: 'b2' }, { articles: [{ id: 'B2', depth: null }] }, { failures: { b2: 'too long' } }])(
    'reads article IDs in %j as well',
    async (customData) => {
      const { call, results } = await openMergedCall(['a1'], ['b2']);
      const notices = { serviceErrors: [{ ...createServiceError('Too long.'), customData }] };
      await call(1).resolve(resultWith(outcomesOf('updated', 'a1', 'b2'), notices));
      expect(await results()).toEqual([updated('a1'), resultWith(outcomesOf('updated', 'b2'), notices)]);
    },
  );

  it.each([
    { list: Array.from({ length: 200_000 }, () => 'a1') },
    Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}`, 'a1'])),
  ])('withholds a notice with too much data', async (customData) => {
    const { call, results } = await openMergedCall(['a1'], ['b2']);
    const notices = { serviceErrors: [{ ...createServiceError('Too long.'), customData }] };
    await call(1).resolve(resultWith(outcomesOf('updated', 'a1', 'b2'), notices));
    expect(await results()).toEqual([updated('a1'), updated('b2')]);
  });

  it('limits the texts that are searched per result, and withholds the rest', async () => {
    const { call, results } = await openMergedCall(['a1'], ['b2']);
    const warnings = Array.from({ length: 100_000 }, () => createNotice('Mind a1.'));
    await call(1).resolve(resultWith(outcomesOf('updated', 'a1', 'b2'), { warnings }));
    const [one, other] = await results();
    expect(one).toEqual(resultWith(outcomesOf('updated', 'a1'), { warnings: warnings.slice(0, 9_090) }));
    expect(other).toEqual(updated('b2'));
  });
});

describe('a notice about html_content in the result of a merged call', () => {
  it.each<[string, Notice, { contents: readonly (string | null | undefined)[]; recipients: readonly number[] }]>([
    [
      'goes to the caller that sent the field',
      HTML_CONTENT_DEPRECATED,
      { contents: ['<p>', undefined, null], recipients: [0] },
    ],
    [
      'goes to all callers that sent the field',
      HTML_CONTENT_DEPRECATED,
      { contents: ['<p>', undefined, ''], recipients: [0, 2] },
    ],
    [
      'is withheld when it has other words, which may quote a text',
      createNotice('html_content is deprecated; cut: <p>', null),
      { contents: [undefined, '<p>', undefined], recipients: [] },
    ],
    [
      'is withheld when no caller sent the field',
      HTML_CONTENT_DEPRECATED,
      { contents: [undefined, undefined, undefined], recipients: [] },
    ],
    [
      'is withheld when it has data',
      { ...HTML_CONTENT_DEPRECATED, extensionData: { x: 1 } },
      { contents: ['<p>', '<p>', null], recipients: [] },
    ],
  ])('%s', async (_name, warning, { contents, recipients }) => {
    const { gateway, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
    const ids = contents.map((_, index) => `a${index}`);
    const results = ids.map((articleId, index) =>
      gateway.bulkUpdateArticles(callerOf(`${index + 1}`), [{ articleId, htmlContent: contents[index] }]),
    );
    await call(0).resolve(updated('first'));
    await call(1).resolve(resultWith(outcomesOf('updated', ...ids), { warnings: [warning] }));
    expect(await Promise.all(results)).toEqual(
      ids.map((id, index) =>
        resultWith(outcomesOf('updated', id), { warnings: recipients.includes(index) ? [warning] : [] }),
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
  ])('fails for each caller with the same error, and is not sent again: %j', async (error) => {
    const { call, results, sent } = await openMergedCall();
    await call(1).resolve(err(error));
    expect(await results()).toEqual([err(error), err(error)]);
    expect(sent()).toHaveLength(2);
  });

  it('gives each caller the notices about their own articles, and withholds those about any', async () => {
    const { call, results, logged } = await openMergedCall(['a1'], ['b2']);
    await call(1).resolve(err(refused(404, false, 'The article a1 is "Secret".', 'It is "Hidden".')));
    expect(await results()).toEqual([
      err(refused(404, false, 'The article a1 is "Secret".')),
      err(refused(404, false)),
    ]);
    expect(logged).toMatchObject([[expect.anything(), expect.anything(), { withheld: 3 }]]);
  });

  it.each([
    unauthenticated([createServiceError('The item "Secret" needs more.')]),
    rateLimited(3, [createServiceError('The item "Secret" was too much.')]),
    outcomeUnknown('gone', [createServiceError('"Secret" broke it.')]),
  ])('withholds the errors of the service for other kinds too: $kind', async (error) => {
    const { call, results } = await openMergedCall(['a1'], ['b2']);
    await call(1).resolve(err(error));
    const silent = err({ ...error, serviceErrors: [] });
    expect(await results()).toEqual([silent, silent]);
  });

  it('keeps a message of the gateway', async () => {
    const { call, results } = await openMergedCall(['a1'], ['b2']);
    await call(1).resolve(err({ ...refused(302, false, 'Moved.'), message: 'A redirect.' }));
    const share = err({ ...refused(302, false), message: 'A redirect.' });
    expect(await results()).toEqual([share, share]);
  });

  it('rejects for each caller with the exception, and goes on', async () => {
    const { gateway, call, results, sent } = await openMergedCall();
    void gateway.bulkUpdateArticles(callerOf('3'), updatesOf('c'));
    const reason = new Error('a bug');
    await call(1).reject(reason);
    expect(await results()).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(sent()).toEqual([['first'], ['a', 'b'], ['c']]);
  });
});
