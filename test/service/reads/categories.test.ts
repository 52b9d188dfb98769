import { describe, expect, it } from 'vitest';
import type { Article, Category } from '../../../src/core/articles/articles.ts';
import { ok } from '../../../src/core/base/result.ts';
import { json, status } from '../../support/faulty-service.ts';
import { callerWith, openScene, type Scene } from '../../support/rest-scene.ts';

const found = (data: unknown) => json(200, { data, success: true });

const node = (id: string, articles: readonly string[], children: readonly object[] = []) => ({
  id,
  name: `Category ${id}`,
  order: 1,
  articles: articles.map((article) => ({ id: article, title: article, language_code: 'en', latest_version: 1 })),
  child_categories: children,
});

const VERSIONS = 'GET /v2/ProjectVersions';
const TREE = 'GET /v2/ProjectVersions/v1/categories';
const OTHER_TREE = 'GET /v2/ProjectVersions/v2/categories';

const version = (id: string, code: string) => ({
  id,
  is_main_version: id === 'v1',
  language_versions: [{ code, name: code, set_as_default: true }],
});

function serveTrees({ service }: Scene) {
  service.on(VERSIONS, found([version('v2', 'de'), version('v1', 'en')]));
  service.on(TREE, found([node('c1', ['a1', 'a2', 'a3'], [node('c2', ['a4'], [node('c3', [])])]), node('c4', [])]));
  service.on(OTHER_TREE, found([node('d1', [])]));
}

async function openTrees() {
  const scene = await openScene();
  serveTrees(scene);
  return scene;
}

const edition = { projectVersionId: 'v1', languageCode: 'en' };

const category = (categoryId: string): Category => ({
  ...edition,
  categoryId,
  name: '',
  order: null,
  parentCategoryId: null,
});

const article = (articleId: string): Article => ({
  ...edition,
  articleId,
  versionNumber: 1,
  pinned: false,
  latestVersionNumber: null,
  title: null,
  slug: null,
  hidden: false,
  order: null,
  translationStatus: null,
  contentType: null,
  modifiedAt: null,
  status: null,
  publicVersionNumber: null,
  url: null,
});

describe('the categories of an edition', () => {
  it('are read however deep they are within each other', async () => {
    const scene = await openTrees();
    const ids = Array.from({ length: 100 }, (_, n) => `deep${n}`);
    const root = ids.reduceRight<object[]>((children, id) => [node(id, [`a-${id}`], children)], []);
    scene.service.on(TREE, found(root));
    const [deepest] = await scene.backend.categories(scene.caller, [{ ...edition, categoryId: 'deep99' }]);
    expect(deepest).toMatchObject({ value: { categoryId: 'deep99', parentCategoryId: 'deep98' } });
  });

  it('cost one call altogether: roots, children, their articles, and the categories of articles', async () => {
    const { service, backend, caller } = await openTrees();
    const roots = await backend.rootCategories(caller, edition);
    const children = await backend.childCategories(caller, [category('c1'), category('c4')]);
    const named = await backend.categories(caller, [
      { ...edition, categoryId: 'c3' },
      { ...edition, categoryId: 'x' },
    ]);
    const ofArticles = await backend.categoriesOfArticles(caller, [article('a1'), article('a4'), article('a9')]);
    const inThem = await backend.articlesOfCategories(caller, [category('c1'), category('c2')], { limit: 2 });
    const inFilter = await backend.listArticles(caller, { ...edition, categoryId: 'c2' }, { limit: 2 });
    expect(roots).toMatchObject({ value: [{ categoryId: 'c1', name: 'Category c1' }, { categoryId: 'c4' }] });
    expect(children).toMatchObject([{ value: [{ categoryId: 'c2', parentCategoryId: 'c1' }] }, { value: [] }]);
    expect(named).toMatchObject([{ value: { categoryId: 'c3', parentCategoryId: 'c2' } }, { value: null }]);
    expect(ofArticles).toMatchObject([
      { value: { categoryId: 'c1' } },
      { value: { categoryId: 'c2' } },
      { value: null },
    ]);
    expect(inThem).toMatchObject([
      { value: { edges: [{ node: { articleId: 'a1', categoryId: 'c1' } }, {}], hasNextPage: true } },
      { value: { edges: [{ node: { articleId: 'a4' } }], hasNextPage: false } },
    ]);
    expect(inFilter).toMatchObject({ value: { edges: [{ node: { articleId: 'a4', categoryId: 'c2' } }] } });
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/ProjectVersions/v1/categories?excludeArticles=false&langCode=en&includeCategoryDescription=false',
    ]);
  });

  it('give their articles page by page, with a total', async () => {
    const { backend, caller } = await openTrees();
    const [first] = await backend.articlesOfCategories(caller, [category('c1')], { limit: 2 });
    const page = first?.ok ? first.value : undefined;
    expect(await page?.totalCount?.()).toEqual(ok(3));
    const after = page?.edges[1]?.cursor;
    const [second] = await backend.articlesOfCategories(caller, [category('c1')], { limit: 2, after });
    expect(second).toMatchObject({
      value: { edges: [{ node: { articleId: 'a3' } }], hasNextPage: false, hasPreviousPage: true },
    });
  });

  it('hold no article of another language, though the service lists one', async () => {
    const { service, backend, caller } = await openTrees();
    const german = { id: 'a9', title: 'a9', language_code: 'de', latest_version: 1 };
    service.on(TREE, found([{ ...node('c1', ['a1']), articles: [german, ...node('c1', ['a1']).articles] }]));
    const [page] = await backend.articlesOfCategories(caller, [category('c1')], { limit: 5 });
    expect(page).toMatchObject({ value: { edges: [{ node: { articleId: 'a1' } }] } });
    expect(await backend.categoriesOfArticles(caller, [article('a9')])).toEqual([{ ok: true, value: null }]);
  });

  it('are of the default language where none is named', async () => {
    const { service, backend, caller } = await openTrees();
    expect(await backend.rootCategories(caller, { projectVersionId: 'v2' })).toMatchObject({
      value: [{ categoryId: 'd1', languageCode: 'de' }],
    });
    expect(service.received).toHaveLength(2);
  });

  it('are null where the project version does not exist', async () => {
    const { service, backend, caller } = await openTrees();
    service.on(
      'GET /v2/ProjectVersions/v9/categories',
      json(400, { errors: [{ description: 'The supplied project version id does not exist.' }], success: false }),
    );
    const nothing = { ok: true, value: null };
    expect(await backend.rootCategories(caller, { projectVersionId: 'v9', languageCode: 'en' })).toEqual(nothing);
    expect(await backend.rootCategories(caller, { projectVersionId: 'v9' })).toEqual(nothing);
    expect(await backend.rootCategories(caller, { projectVersionId: '..', languageCode: 'en' })).toEqual(nothing);
    const filter = { projectVersionId: 'v9', languageCode: 'en', categoryId: 'c1' };
    expect(await backend.listArticles(caller, filter, { limit: 1 })).toEqual(nothing);
  });

  it('are not offered by a service without them, which other reads survive', async () => {
    const { service, backend, caller } = await openTrees();
    service.on(TREE, status(404));
    expect(await backend.rootCategories(caller, edition)).toMatchObject({ error: { kind: 'not-offered' } });
    service.on(TREE, status(405));
    expect(await backend.rootCategories(callerWith(), edition)).toMatchObject({ error: { kind: 'not-offered' } });
    expect(await backend.projectVersions(caller)).toMatchObject({ ok: true });
  });
});

describe('a category that is read by its ID alone', () => {
  it('is searched in every project version, the default one first', async () => {
    const { service, backend, caller } = await openTrees();
    const [first] = await backend.categories(caller, [{ categoryId: 'c2' }]);
    expect(first).toMatchObject({ value: { categoryId: 'c2', projectVersionId: 'v1' } });
    expect(service.received).toHaveLength(2);
    const others = await backend.categories(caller, [{ categoryId: 'd1' }, { categoryId: 'x' }]);
    expect(others).toMatchObject([{ value: { projectVersionId: 'v2', languageCode: 'de' } }, { value: null }]);
    expect(service.received).toHaveLength(3);
  });

  it('is not searched where its language does not exist', async () => {
    const { service, backend, caller } = await openTrees();
    const [found] = await backend.categories(caller, [{ categoryId: 'd1', languageCode: 'de' }]);
    expect(found).toMatchObject({ value: { categoryId: 'd1' } });
    expect(service.received.map(({ url }) => url.split('?')[0])).toEqual([
      '/v2/ProjectVersions',
      '/v2/ProjectVersions/v2/categories',
    ]);
  });
});

describe('project versions', () => {
  it('cost one call, however often they are read', async () => {
    const { service, backend, caller } = await openTrees();
    const [read] = await Promise.all([backend.projectVersions(caller), backend.projectVersions(caller)]);
    expect(read).toMatchObject({
      value: [
        { projectVersionId: 'v2', isDefault: false, languages: [{ code: 'de', isDefault: true }] },
        { projectVersionId: 'v1', isDefault: true },
      ],
    });
    expect(service.received).toHaveLength(1);
  });

  it.each([
    ['404', status(404), 'not-offered'],
    ['404 with a reason', json(404, { errors: [{ description: 'No such path.' }], success: false }), 'not-offered'],
    ['401', status(401), 'unauthenticated'],
    ['403', status(403), 'forbidden'],
    ['400', json(400, { errors: [{ description: 'No.' }], success: false }), 'rejected'],
    ['a redirect', status(302, '', { location: '/' }), 'unavailable'],
    ['200 with errors', json(200, { data: [], errors: [{ description: 'Half.' }] }), 'rejected'],
    ['200 with success: false and nothing else', json(200, { success: false }), 'rejected'],
    ['an HTML page', status(200, '<html>'), 'unavailable'],
    ['no list', json(200, { data: {}, success: true }), 'unavailable'],
    ['no data', json(200, { success: true }), 'unavailable'],
    ['an HTML 502', status(502, '<html>'), 'unavailable'],
  ])('fail at %s', async (_name, behaviour, kind) => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, behaviour);
    expect(await backend.projectVersions(caller)).toMatchObject({ ok: false, error: { kind } });
  });

  it.each([
    ['data', json(200, { data: [version('v1', 'en')], success: true })],
    ['result', json(200, { result: [version('v1', 'en')], success: true })],
    ['no member', json(200, [version('v1', 'en')])],
    ['data, with a flag that contradicts', json(200, { data: [version('v1', 'en')], success: false })],
  ])('are found under %s', async (_name, behaviour) => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, behaviour);
    expect(await backend.projectVersions(caller)).toMatchObject({ value: [{ projectVersionId: 'v1' }] });
  });
});
