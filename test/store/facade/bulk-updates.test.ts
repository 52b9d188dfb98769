import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { encodeArticleUpdate } from '../../../src/service/v2/bulk-updates.ts';
import { articleUpdate, id } from '../../support/arbitraries.ts';
import { fixture, textOf } from '../../support/fixtures.ts';
import { type Facade, openFacade, refusal } from './harness.ts';

const BULK = '/v2/Articles/bulkupdate';
const empty = { warnings: [], information: [] };

describe('PUT /v2/Articles/bulkupdate', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade({ maxBulkItems: 3 });
  });
  afterAll(() => facade.close());

  it('sends exactly the envelope of a success: data, no result, empty lists', async () => {
    const answer = await facade.put(BULK, [{ article_id: 'a1', title: 'New' }]);
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(
      /^\{"data":\[\{"article_id":"a1","success":true,"details":"[^"]*a1[^"]*"\}\],"extension_data":null,"success":true,"errors":\[\],"warnings":\[\],"information":\[\]\}$/u,
    );
    expect(await facade.get('/v2/Articles/a1/en')).toMatchObject({ body: { data: { title: 'New' } } });
  });

  it('applies the other items when one fails, and reports why it failed', async () => {
    const answer = await facade.put(BULK, [
      { article_id: 'none', title: 'X' },
      { article_id: 'a2', title: 'Second' },
      { article_id: 'a3', order: -1 },
    ]);
    expect(answer).toMatchObject({ status: 200, body: { success: true, errors: [] } });
    expect(Object(answer.body).data).toEqual([
      { article_id: 'none', success: false, details: expect.stringMatching(/./u) },
      { article_id: 'a2', success: true, details: expect.stringContaining('a2') },
      { article_id: 'a3', success: false, details: expect.stringContaining('order') },
    ]);
    expect(await facade.get('/v2/Articles/a2/en')).toMatchObject({ body: { data: { title: 'Second' } } });
  });

  it('fails only the item that names no article', async () => {
    const answer = await facade.put(BULK, [{}, { article_id: null, title: 'X' }]);
    expect(Object(answer.body).data).toMatchObject([
      { article_id: null, success: false },
      { article_id: null, success: false },
    ]);
  });

  it('reads order 0 and an empty translation_option as absent', async () => {
    await facade.put(BULK, [{ article_id: 'a4', order: 7, translation_option: '2' }]);
    await facade.put(BULK, [{ article_id: 'a4', order: 0, translation_option: '' }]);
    expect(await facade.get('/v2/Articles/a4/en')).toMatchObject({
      body: { data: { order: 7, translation_option: 2 } },
    });
  });

  it('warns that html_content is deprecated', async () => {
    const answer = await facade.put(BULK, [{ article_id: 'w1', html_content: '<p>x</p>' }]);
    expect(answer).toMatchObject({
      status: 200,
      body: { errors: [], warnings: [{ extension_data: null, description: expect.stringContaining('html_content') }] },
    });
    expect(await facade.get('/v2/Articles/w1')).toMatchObject({ body: { data: { html_content: '<p>x</p>' } } });
  });

  it.each(['[]', 'null', ''])('sends exactly the documented error for the body %j', async (body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await facade.send(BULK, { method: 'PUT', body, headers });
    expect(answer.status).toBe(400);
    expect(answer.text).toBe(textOf(fixture('bulk-update-empty-body')));
  });

  it('accepts the largest number of items, and refuses one more before it reads them', async () => {
    expect((await facade.put(BULK, [{}, {}, {}])).status).toBe(200);
    expect(await facade.put(BULK, [{}, {}, {}, 5])).toMatchObject({
      status: 400,
      body: { ...refusal('$: at most 3 items can be updated at once; these are 4.'), ...empty },
    });
  });

  it('names the path of every invalid value, and applies nothing', async () => {
    const answer = await facade.put(BULK, [
      { article_id: 'a5', title: 'Lost' },
      { hidden: null, order: null },
    ]);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        ...refusal(expect.stringMatching(/^\$\[1\]\.hidden: /u), expect.stringMatching(/^\$\[1\]\.order: /u)),
        ...empty,
      },
    });
    expect(await facade.get('/v2/Articles/a5/en')).toMatchObject({ body: { data: { title: 'a5 en 1' } } });
  });

  it('sends one result per item, in order, for any items', async () => {
    const articleId = fc.oneof(fc.constantFrom('a1', 'a2', 'w1', 'f1', 'none'), id);
    const item = fc.tuple(articleUpdate, articleId).map(([update, known]) => ({ ...update, articleId: known }));
    const updates = fc.array(item, { minLength: 1, maxLength: 3 });
    const sendAll = async (items: readonly ArticleUpdate[]) => {
      const { status, body } = await facade.put(BULK, items.map(encodeArticleUpdate));
      expect([status, Object(body).success]).toEqual([200, true]);
      expect(Object(body).data).toEqual(
        items.map((one) => ({ article_id: one.articleId, success: expect.any(Boolean), details: expect.any(String) })),
      );
    };
    await fc.assert(fc.asyncProperty(updates, sendAll), { numRuns: 50 });
  });
});
