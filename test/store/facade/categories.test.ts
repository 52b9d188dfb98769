import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { articles, type Facade, numbered, openFacade, refusal } from './harness.ts';

interface Node {
  readonly id: string;
  readonly articles: readonly { readonly id: string }[];
  readonly child_categories: readonly Node[];
}

/** A tree as nested arrays: the ID of a node, the IDs of its articles, its children. */
const shapeOf = (nodes: readonly Node[]): unknown =>
  nodes.map(({ id, articles, child_categories }) => [id, articles.map((one) => one.id), shapeOf(child_categories)]);

describe('GET /v2/ProjectVersions/{projectVersionId}/categories', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  it('sends the whole tree with its articles', async () => {
    const { status, body } = await facade.get('/v2/ProjectVersions/pv1/categories');
    expect(status).toBe(200);
    expect(shapeOf(Object(body).data)).toEqual([
      ['c1', ['a1', 'a2'], [['c3', ['a3'], []]]],
      ['c2', ['a4', 'a5', 'w1'], []],
    ]);
    expect(Object(body).data[0]).toMatchObject({
      name: 'Guides',
      order: 1,
      parent_category_id: null,
      project_version_id: 'pv1',
      language_code: 'en',
      articles: [{ id: 'a1', title: 'a1 en 2', language_code: 'en' }, { id: 'a2' }],
      child_categories: [{ id: 'c3', parent_category_id: 'c1' }],
    });
  });

  it('shows the translations in the requested language', async () => {
    const { body } = await facade.get('/v2/ProjectVersions/pv1/categories?langCode=de');
    expect(shapeOf(Object(body).data)).toEqual([
      ['c1', ['a1'], [['c3', ['a3'], []]]],
      ['c2', [], []],
    ]);
  });

  it('leaves out the articles with excludeArticles', async () => {
    const { body } = await facade.get('/v2/ProjectVersions/pv1/categories?excludeArticles=true');
    expect(shapeOf(Object(body).data)).toEqual([
      ['c1', [], [['c3', [], []]]],
      ['c2', [], []],
    ]);
  });

  it('sends 400 for an invalid flag', async () => {
    expect(await facade.get('/v2/ProjectVersions/pv1/categories?excludeArticles=1')).toMatchObject({
      status: 400,
      body: refusal('excludeArticles must be true or false.'),
    });
  });
});

describe('GET /v2/Categories/{categoryId}', () => {
  it('sends one node with its descendants', async () => {
    const facade = await openFacade();
    const answer = await facade.get('/v2/Categories/c1?langCode=de');
    const unknown = await facade.get('/v2/Categories/none');
    await facade.close();
    expect(shapeOf([Object(answer.body).data])).toEqual([['c1', ['a1'], [['c3', ['a3'], []]]]]);
    expect(unknown).toMatchObject({ status: 400, body: refusal('The category Id does not exist.') });
  });

  it('sends all articles of a category that has many', { tags: 'long' }, async () => {
    const ids = numbered('n', 2001);
    const facade = await openFacade({ more: { articles: articles(ids) } });
    const { body } = await facade.get('/v2/Categories/c4');
    await facade.close();
    expect(new Set(Object(body).data.articles.map(({ id }: { id: string }) => id))).toEqual(new Set(['f1', ...ids]));
    expect(Object(body).data.articles).toHaveLength(2002);
  });
});
