import { describe, expect, it } from 'vitest';
import type { PreviewSelection } from '../../../src/core/articles/article-previews.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { createRequestFacts } from '../../../src/core/callers/request-facts.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { json, status } from '../../support/faulty-service.ts';
import { openScene } from '../../support/rest-scene.ts';
import { categoryOf, listedEntry, type ServiceEdition, serveEditions } from '../../support/service-editions.ts';

const VERSIONS = '/v2/ProjectVersions';
const treeOf = (id: string, code: string) =>
  `/v2/ProjectVersions/${id}/categories?excludeArticles=false&langCode=${code}&includeCategoryDescription=false`;

/** So many articles with IDs that begin with `prefix`. */
const articlesOf = (prefix: string, count: number, members: object = {}) =>
  Object.fromEntries(idsOf(prefix, count).map((id) => [id, members]));
const idsOf = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const editionOf = (projectVersionId: string, languageCode: string, articles: ServiceEdition['articles']) => ({
  projectVersionId,
  languageCode,
  articles,
});

const WITHOUT_TEXT = { withText: false, callsPerArticle: 0 };

/** Reads the articles of the updates from a service with these editions. */
async function readFrom(
  editions: readonly ServiceEdition[],
  updates: readonly ArticleUpdate[],
  { selection = WITHOUT_TEXT, ...options }: { selection?: PreviewSelection } & Partial<RestBackendOptions> = {},
) {
  const { service, backend, caller } = await openScene(options);
  service.onAny(serveEditions(editions));
  const result = await backend.articlesOfUpdates(caller, updates, selection);
  return {
    result,
    articles: result.ok ? result.value : result.error,
    urls: service.received.map(({ url }) => url),
    paths: service.received.map(({ url }) => url.split('?')[0]),
  };
}

const everything = { title: 'New', hidden: true, order: 9, translationStatus: 'TRANSLATED', categoryId: 'c' } as const;

describe('the articles of updates', () => {
  it('cost two calls for two hundred that move, in a named language', async () => {
    const english = editionOf('v1', 'en', articlesOf('a', 300));
    const updates = idsOf('a', 200).map((articleId) => ({ articleId, languageCode: 'en', ...everything }));
    const { articles, urls } = await readFrom([english], updates);
    expect(urls).toEqual([VERSIONS, treeOf('v1', 'en')]);
    expect(articles).toEqual(
      updates.map(({ articleId }) =>
        expect.objectContaining({
          articleId,
          languageCode: 'en',
          projectVersionId: 'v1',
          title: articleId,
          hidden: false,
          order: 1,
          translationStatus: 'NONE',
          categoryId: categoryOf('v1'),
          versionNumber: 3,
        }),
      ),
    );
  });

  it('cost a call for each of those that no tree has', async () => {
    const updates = [...idsOf('a', 100), ...idsOf('gone', 5)].map((articleId) => ({ articleId, title: 'New' }));
    const { articles, urls } = await readFrom([editionOf('v1', 'en', articlesOf('a', 100))], updates);
    expect(urls.slice(0, 2)).toEqual([VERSIONS, treeOf('v1', 'en')]);
    expect(urls).toHaveLength(7);
    expect(articles).toEqual([...idsOf('a', 100).map(() => expect.anything()), ...idsOf('gone', 5).map(() => null)]);
  });

  it('cost four calls in an edition that is not the default one, however many project versions there are', async () => {
    const editions = idsOf('v', 30).map((id) => editionOf(id, 'en', articlesOf(`${id}-`, 10)));
    const updates = idsOf('v22-', 10).map((articleId) => ({ articleId, ...everything }));
    const { articles, urls } = await readFrom(editions, updates);
    expect(urls).toHaveLength(4);
    expect(urls.at(-1)).toBe(treeOf('v22', 'en'));
    expect(articles).toMatchObject(updates.map(() => ({ projectVersionId: 'v22', categoryId: categoryOf('v22') })));
  });

  it('are found in several editions, in the default language of each where none is named', async () => {
    const editions = [
      editionOf('v1', 'en', articlesOf('a', 4)),
      editionOf('v1', 'de', { a1: { title: 'eins' }, a2: {} }),
      editionOf('v2', 'fr', articlesOf('f', 4)),
    ];
    const updates = [
      ...[...idsOf('a', 4), ...idsOf('f', 4)].map((articleId) => ({ articleId, hidden: true })),
      ...idsOf('a', 4).map((articleId) => ({ articleId, languageCode: 'de', hidden: true })),
      { articleId: 'a1', languageCode: 'xx', hidden: true },
    ];
    const { articles, urls } = await readFrom(editions, updates);
    expect(articles).toMatchObject([
      ...idsOf('a', 4).map((articleId) => ({ articleId, languageCode: 'en', title: articleId })),
      ...idsOf('f', 4).map((articleId) => ({ articleId, languageCode: 'fr', projectVersionId: 'v2' })),
      null,
      { articleId: 'a1', languageCode: 'de', title: 'eins' },
      { articleId: 'a2', languageCode: 'de' },
      null,
      null,
    ]);
    expect(urls.filter((url) => url.includes('categories'))).toEqual([
      treeOf('v1', 'en'),
      treeOf('v2', 'fr'),
      treeOf('v1', 'de'),
    ]);
  });

  it('are read themselves for a text and for a version by its number, and only those', async () => {
    const english = editionOf('v1', 'en', articlesOf('a', 20));
    const updates: ArticleUpdate[] = idsOf('a', 20).map((articleId) => ({
      articleId,
      languageCode: 'en',
      title: 'New',
    }));
    updates.push({ articleId: 'a3', languageCode: 'en', content: 'New' });
    updates.push({ articleId: 'a4', languageCode: 'en', htmlContent: 'New' });
    updates.push({ articleId: 'a5', languageCode: 'en', versionNumber: 2, title: 'New' });
    const { articles, paths } = await readFrom([english], updates);
    expect(paths.slice(2).toSorted()).toEqual([
      '/v2/Articles/a3/en',
      '/v2/Articles/a4/en',
      '/v2/Articles/a5/en/versions/2',
    ]);
    expect(articles).toMatchObject({
      3: { content: 'text of a3' },
      20: { content: 'text of a3' },
      22: { pinned: true },
    });
  });

  it.each([
    ['title', { title: undefined }],
    ['hidden', { hidden: null }],
    ['translationStatus', { translation_option: undefined }],
    ['categoryId', { is_shared_article: true }],
    ['title', { latest_version: undefined }],
  ] as const)('are read themselves where their entry does not tell %s: %j', async (field, members) => {
    const english = editionOf('v1', 'en', { ...articlesOf('a', 3), odd: members });
    const updates = ['a0', 'a1', 'a2', 'odd'].map((articleId) => ({ articleId, [field]: everything[field] }));
    const { articles, paths } = await readFrom([english], updates);
    expect(paths.filter((path) => path?.startsWith('/v2/Articles'))).toEqual(['/v2/Articles/odd/en']);
    expect(articles).toMatchObject([
      { articleId: 'a0' },
      { articleId: 'a1' },
      { articleId: 'a2' },
      { articleId: 'odd' },
    ]);
  });

  it('are not read themselves for what no update of them sets', async () => {
    const english = editionOf('v1', 'en', articlesOf('a', 10, { hidden: null, is_shared_article: true }));
    const { urls } = await readFrom(
      [english],
      idsOf('a', 10).map((articleId) => ({ articleId, title: 'New' })),
    );
    expect(urls).toEqual([VERSIONS, treeOf('v1', 'en')]);
  });

  it('are read one by one where they are two, as trees would cost as many calls', async () => {
    const english = editionOf('v1', 'en', articlesOf('a', 2));
    const { urls, articles } = await readFrom(
      [english],
      ['a0', 'a1', 'a0'].map((articleId) => ({ articleId, languageCode: 'en', title: 'New' })),
    );
    expect(urls).toHaveLength(2);
    expect(articles).toMatchObject([{ content: 'text of a0' }, { content: 'text of a1' }, { content: 'text of a0' }]);
  });

  it('are read one by one from a service without trees', async () => {
    const { service, backend, caller } = await openScene();
    service.onAny(serveEditions([editionOf('v1', 'en', articlesOf('a', 4))]));
    service.on('GET /v2/ProjectVersions/v1/categories', status(404));
    const updates = idsOf('a', 4).map((articleId) => ({ articleId, ...everything }));
    const read = await backend.articlesOfUpdates(caller, updates, WITHOUT_TEXT);
    expect(read).toMatchObject({
      value: updates.map(({ articleId }) => ({ articleId, categoryId: categoryOf('v1') })),
    });
    service.on(`GET ${VERSIONS}`, status(404));
    const named = updates.map((update) => ({ ...update, languageCode: 'en' }));
    const another = { ...caller, request: createRequestFacts() };
    expect(await backend.articlesOfUpdates(another, named, WITHOUT_TEXT)).toMatchObject({
      value: updates.map(({ articleId }) => ({ articleId, categoryId: categoryOf('v1') })),
    });
  });

  it('fail as a whole where a tree fails', async () => {
    const { service, backend, caller } = await openScene();
    service.onAny(serveEditions([editionOf('v1', 'en', articlesOf('a', 4))]));
    service.on('GET /v2/ProjectVersions/v1/categories', status(500));
    const updates = idsOf('a', 4).map((articleId) => ({ articleId, title: 'New' }));
    expect(await backend.articlesOfUpdates(caller, updates, WITHOUT_TEXT)).toMatchObject({
      error: { kind: 'unavailable' },
    });
  });

  it('are never of another language, whatever a tree says of them', async () => {
    const { service, backend, caller } = await openScene();
    service.onAny(serveEditions([editionOf('v1', 'en', articlesOf('a', 1))]));
    const tree = [{ id: 'c', articles: [listedEntry('a0', 'en'), listedEntry('a1', 'de'), { nonsense: 1 }] }];
    service.on('GET /v2/ProjectVersions/v1/categories', json(200, { data: tree, success: true }));
    const updates = idsOf('a', 3).map((articleId) => ({ articleId, title: 'New' }));
    expect(await backend.articlesOfUpdates(caller, updates, WITHOUT_TEXT)).toMatchObject({
      value: [{ articleId: 'a0', languageCode: 'en' }, null, null],
    });
  });
});

describe('the calls for the articles of updates', () => {
  const english = editionOf('v1', 'en', articlesOf('a', 100));
  const texts = (count: number, more: Partial<ArticleUpdate> = {}) =>
    idsOf('a', count).map((articleId) => ({ articleId, languageCode: 'en', content: 'New', ...more }));
  const titles = (ids: readonly string[]) => ids.map((articleId) => ({ articleId, title: 'New' }));

  interface Costly {
    readonly calls: number;
    readonly selection?: PreviewSelection;
  }

  it.each<[name: string, updates: readonly ArticleUpdate[], costly: Costly]>([
    ['texts', texts(61), { calls: 61 }],
    ['the project versions', texts(60, { languageCode: undefined }), { calls: 61 }],
    ['the tree of others', [...texts(59), ...titles(['b0', 'b1', 'b2'])], { calls: 61 }],
    ['texts that are shown', titles(idsOf('a', 61)), { calls: 62, selection: { ...WITHOUT_TEXT, withText: true } }],
    ['what is shown of each', texts(31), { calls: 62, selection: { ...WITHOUT_TEXT, callsPerArticle: 1 } }],
  ])('are counted before the first one: %s', async (_name, updates, { calls, selection = WITHOUT_TEXT }) => {
    const { articles, urls } = await readFrom([english], updates, { selection });
    expect(articles).toMatchObject({ kind: 'too-costly', calls, allowed: 60 });
    expect(urls).toEqual([]);
  });

  it('may be as many as are allowed', async () => {
    const { result, urls } = await readFrom([english], texts(60));
    expect(result.ok).toBe(true);
    expect(urls).toHaveLength(60);
  });

  it('are counted again once the trees have shown which articles have to be read', async () => {
    const odd = editionOf('v1', 'en', articlesOf('a', 70, { title: undefined }));
    const updates = idsOf('a', 70).map((articleId) => ({ articleId, title: 'New' }));
    const { articles, urls } = await readFrom([odd], updates);
    expect(articles).toMatchObject({ kind: 'too-costly', calls: 72, allowed: 60 });
    expect(urls).toEqual([VERSIONS, treeOf('v1', 'en')]);
  });

  it('are refused before they are read one by one, where they do not exist or are in no category', async () => {
    const edition = editionOf('v1', 'en', articlesOf('a', 3));
    const gone = idsOf('gone', 100).map((articleId) => ({ articleId, title: 'New' }));
    const { articles, urls } = await readFrom([edition], gone);
    expect(articles).toMatchObject({ kind: 'too-costly', allowed: 60 });
    expect(urls).toHaveLength(5);
  });

  it('never exceed the maximum, however many editions there are', async () => {
    const editions = idsOf('v', 30).map((id) => editionOf(id, 'en', articlesOf(`${id}-`, 1)));
    const updates = idsOf('v', 30).map((id) => ({ articleId: `${id}-0`, ...everything }));
    const { articles, urls } = await readFrom(editions, updates, { maxReadCalls: 20 });
    expect(articles).toMatchObject({ kind: 'too-costly', allowed: 20 });
    expect(urls).toHaveLength(20);
  });
});
