import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { type Behaviour, json, reset, status } from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const ROUTE = 'PUT /v2/Articles/bulkupdate';

interface Item {
  readonly article_id: string;
}

const isItems = (body: unknown): body is readonly Item[] =>
  Array.isArray(body) && body.every((item) => typeof item === 'object' && 'article_id' in item);

const itemsOf = (body: unknown): readonly Item[] => {
  if (!isItems(body)) throw new Error('The body is no list of items.');
  return body;
};

/** Updates every article, but refuses calls with one named `bad`. */
const service: Behaviour = (response, request) => {
  const items = itemsOf(request.body);
  const isRefused = items.some(({ article_id }) => article_id === 'bad');
  const errors = isRefused ? [{ description: 'The article bad is not to be updated.', error_code: '400' }] : [];
  const data = items.map(({ article_id }) => ({ article_id, success: true, details: `${article_id} is updated` }));
  const body = { success: !isRefused, errors, warnings: [], information: [], extension_data: null };
  return json(isRefused ? 400 : 200, isRefused ? body : { ...body, data })(response, request);
};

/** Updates every article by a caller of its own, all at the same time. */
async function updateAtOnce(articleIds: readonly string[], ...behaviours: readonly Behaviour[]) {
  const scene = await openScene();
  scene.service.on(ROUTE, ...behaviours);
  const gateway = withPipeline(scene.backend, { merging: mergeWrites({ maxItems: 100 }) });
  const results = await Promise.all(
    articleIds.map((articleId) => gateway.bulkUpdateArticles(callerWith(), [{ articleId, title: 'New' }])),
  );
  return {
    sent: scene.service.receivedOn(ROUTE).map(({ body }) => itemsOf(body).map(({ article_id }) => article_id)),
    results: results.map((answer) => (answer.ok ? answer.value.outcomes : answer.error)),
  };
}

describe('coalesced writes over REST', () => {
  it('take three calls for two hundred callers', async () => {
    const articleIds = Array.from({ length: 200 }, (_, index) => `a${index}`);
    const { sent, results } = await updateAtOnce(articleIds, service);
    expect(sent).toEqual([articleIds.slice(0, 1), articleIds.slice(1, 101), articleIds.slice(101)]);
    expect(results).toEqual(
      articleIds.map((articleId) => [{ kind: 'updated', articleId, details: `${articleId} is updated` }]),
    );
  });

  it('fail for no other caller when the service refuses a call for the input of one', async () => {
    const { sent, results } = await updateAtOnce(['a', 'b', 'bad', 'c'], service);
    expect(sent.slice(0, 2)).toEqual([['a'], ['b', 'bad', 'c']]);
    expect(sent.slice(2).toSorted()).toEqual([['b'], ['bad'], ['c']]);
    expect(results).toMatchObject([
      [{ kind: 'updated' }],
      [{ kind: 'updated' }],
      [{ kind: 'unknown', details: expect.stringContaining('The article bad is not to be updated.') }],
      [{ kind: 'updated' }],
    ]);
  });

  it.each([
    [403, 'not-attempted'],
    [413, 'not-attempted'],
    [400, 'unknown'],
    [409, 'unknown'],
    [422, 'unknown'],
  ])('refused with %i are sent again alone as far as the rate limit allows at once, else %s', async (status, kind) => {
    const left = (calls: number) => ({ 'x-ratelimit-remaining': `${calls}`, 'x-ratelimit-reset': '5' });
    const { sent, results } = await updateAtOnce(
      ['a', 'b', 'c', 'd'],
      service,
      json(status, { success: false, errors: [{ description: 'The text "Secret" is not allowed.' }] }, left(1)),
      service,
    );
    expect(sent).toEqual([['a'], ['b', 'c', 'd'], ['b']]);
    const reason = kind === 'unknown' ? {} : { reason: 'REJECTED', retryAfterSeconds: null };
    const unsent = { kind, details: expect.stringContaining('rate limit'), ...reason };
    expect(results).toMatchObject([[{ kind: 'updated' }], [{ kind: 'updated' }], [unsent], [unsent]]);
    expect(JSON.stringify(results)).not.toContain('Secret');
  });

  it.each([403, 413])('are not attempted by callers whose time is up when they are refused with %i', async (code) => {
    const scene = await openScene();
    const refuseLate: Behaviour = async (response, request) => {
      await sleep(300);
      await status(code)(response, request);
    };
    scene.service.on(ROUTE, service, refuseLate, service);
    const gateway = withPipeline(scene.backend, { merging: mergeWrites({ maxItems: 100 }) });
    const update = (articleId: string, waitMs: number) =>
      gateway.bulkUpdateArticles(callerWith('token-1', waitMs), [{ articleId }]);
    const results = await Promise.all([update('a', 5_000), update('b', 1_200), update('c', 1_200)]);
    const late = { kind: 'not-attempted', reason: 'REJECTED', retryAfterSeconds: null };
    expect(results.map((result) => result.ok && result.value.outcomes)).toMatchObject([
      [{ kind: 'updated' }],
      [{ ...late, articleId: 'b' }],
      [{ ...late, articleId: 'c' }],
    ]);
    expect(scene.service.receivedOn(ROUTE)).toHaveLength(2);
  });

  it('do not wait when the retry exceeds the rate limit, whose error stands after 403', async () => {
    const { sent, results } = await updateAtOnce(
      ['a', 'b', 'c'],
      service,
      json(403, {}),
      json(429, {}, { 'retry-after': '1' }),
    );
    expect(sent.slice(0, 2)).toEqual([['a'], ['b', 'c']]);
    expect(sent.slice(2).toSorted()).toEqual([['b'], ['c']]);
    const limited = { kind: 'rate-limited', retryAfterSeconds: 1 };
    expect(results).toMatchObject([[{ kind: 'updated' }], limited, limited]);
  });

  it('are unknown for each caller, and not sent again, when the connection is closed', async () => {
    const { sent, results } = await updateAtOnce(['a', 'b', 'c'], service, reset());
    expect(sent).toEqual([['a'], ['b', 'c']]);
    expect(results).toMatchObject([
      [{ kind: 'updated' }],
      [{ kind: 'unknown', articleId: 'b' }],
      [{ kind: 'unknown', articleId: 'c' }],
    ]);
  });
});
