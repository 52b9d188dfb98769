import { describe, expect, it } from 'vitest';
import { coalesceWrites } from '../../../src/backend/coalescing/coalesce-writes.ts';
import { type Behaviour, json, reset } from '../../support/faulty-service.ts';
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
  const gateway = coalesceWrites(scene.backend, { maxItems: 100 });
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
    const unsent = { kind, details: expect.stringContaining('rate limit') };
    expect(results).toMatchObject([[{ kind: 'updated' }], [{ kind: 'updated' }], [unsent], [unsent]]);
    expect(JSON.stringify(results)).not.toContain('Secret');
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
