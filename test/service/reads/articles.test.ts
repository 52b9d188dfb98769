import { describe, expect, it } from 'vitest';
import type { Article } from '../../../src/core/articles/articles.ts';
import { type Behaviour, hang, json, status } from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const found = (data: unknown) => json(200, { data, success: true, errors: null });
const absent = json(400, { success: false, errors: [{ description: 'Not found.' }] });

/** The first of its languages is its default. */
const version = (id: string, ...codes: readonly string[]) => ({
  id,
  version_code_name: id,
  is_main_version: id === 'v1',
  language_versions: codes.toSorted().map((code) => ({ code, name: code, set_as_default: code === codes[0] })),
});

const VERSIONS = 'GET /v2/ProjectVersions';
const versions = found([version('v2', 'de', 'fr'), version('v1', 'en', 'de', 'fr')]);

const text = (id: string, members: object = {}): Behaviour =>
  found({ id, title: id, content: `text of ${id}`, project_version_id: 'v1', version_number: 3, ...members });

const listed = (id: string, members: object = {}) => ({
  id,
  title: id,
  language_code: 'en',
  latest_version: 2,
  ...members,
});

const article: Article = {
  articleId: 'a',
  languageCode: 'en',
  projectVersionId: 'v1',
  versionNumber: 3,
  pinned: false,
  latestVersionNumber: 3,
  title: 'a',
  slug: null,
  hidden: false,
  order: null,
  translationStatus: null,
  contentType: null,
  modifiedAt: null,
  status: null,
  publicVersionNumber: null,
  url: null,
};

describe('the times of the default language', () => {
  it('take its tree, and its list for an article without a category', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, versions);
    const changed = { modified_at: '2026-05-06T07:08:09Z' };
    const category = { id: 'c', articles: [listed('a', changed), listed('b')], child_categories: [] };
    service.on('GET /v2/ProjectVersions/v1/categories', found([category]));
    service.on('GET /v2/ProjectVersions/v1/articles', found([listed('a'), listed('c', changed)]));
    const articles = ['a', 'b'].map((articleId) => ({ ...article, articleId, languageCode: 'fr' }));
    const times = [{ value: new Date(changed.modified_at) }, { value: null }];
    expect(await backend.defaultLanguageTimes(caller, articles)).toMatchObject(times);
    expect(service.received).toHaveLength(2);
    const others = ['c', 'd'].map((articleId) => ({ ...article, articleId, languageCode: 'fr' }));
    expect(await backend.defaultLanguageTimes(caller, others)).toMatchObject(times);
    expect(service.received).toHaveLength(3);
    const elsewhere = { ...article, projectVersionId: 'gone' };
    expect(await backend.defaultLanguageTimes(caller, [elsewhere])).toMatchObject([{ value: null }]);
  });
});

describe('articles', () => {
  it('cost one call each, for text that may be written back', async () => {
    const { service, backend, caller } = await openScene();
    service.on('GET /v2/Articles/a/en', text('a'));
    service.on('GET /v2/Articles/b/en/versions/2', text('b', { version_number: 2 }));
    const read = await backend.articles(caller, [
      { articleId: 'a', languageCode: 'en' },
      { articleId: 'b', languageCode: 'en', versionNumber: 2 },
    ]);
    expect(read).toMatchObject([
      { value: { articleId: 'a', content: 'text of a', versionNumber: 3, pinned: false } },
      { value: { articleId: 'b', versionNumber: 2, pinned: true } },
    ]);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/Articles/a/en?isForDisplay=false&appendSASToken=false&isPublished=false',
      '/v2/Articles/b/en/versions/2?isForDisplay=false&appendSASToken=false',
    ]);
  });

  it('are null where they do not exist, and one that fails does not hide the others', async () => {
    const { service, backend, caller } = await openScene({ timeoutMs: 1_000 });
    service.on('GET /v2/Articles/gone/en', absent);
    service.on(
      'GET /v2/Articles/missing/en',
      json(404, { success: false, errors: [{ description: 'Article not found.' }] }),
    );
    service.on('GET /v2/Articles/other/en', text('other', { is_fall_back_content: true }));
    service.on('GET /v2/Articles/broken/en', status(500));
    service.on('GET /v2/Articles/slow/en', hang());
    service.on('GET /v2/Articles/page/en', status(200, '<html>'));
    service.on('GET /v2/Articles/a/en', text('a'));
    const ids = ['gone', 'missing', 'other', 'broken', 'slow', 'page', 'unoffered', 'a'];
    const read = await backend.articles(
      caller,
      ids.map((articleId) => ({ articleId, languageCode: 'en' })),
    );
    expect(read).toMatchObject([
      { value: null },
      { value: null },
      { value: null },
      { error: { kind: 'unavailable' } },
      { error: { kind: 'unavailable' } },
      { error: { kind: 'unavailable' } },
      { error: { kind: 'not-offered' } },
      { value: { articleId: 'a' } },
    ]);
  });

  it.each([[''], ['.'], ['..'], ['half a pair \ud800']])(
    'do not exist under the ID %j, and nothing is sent',
    async (id) => {
      const { service, backend, caller } = await openScene();
      expect(await backend.articles(caller, [{ articleId: id, languageCode: 'en' }])).toEqual([
        { ok: true, value: null },
      ]);
      expect(await backend.articles(caller, [{ articleId: 'a', languageCode: id }])).toEqual([
        { ok: true, value: null },
      ]);
      expect(service.received).toEqual([]);
    },
  );

  it('are read in the default language of their own project version where none is named', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, versions);
    service.on('GET /v2/Articles/a/en', text('a'));
    service.on('GET /v2/Articles/b/en', text('b', { project_version_id: 'v2', is_fall_back_content: true }));
    service.on('GET /v2/Articles/b/de', text('b', { project_version_id: 'v2' }));
    service.on('GET /v2/Articles/c/en', absent);
    service.on('GET /v2/Articles/c/de', text('c', { project_version_id: 'v2' }));
    const read = await backend.articles(caller, [{ articleId: 'a' }, { articleId: 'b' }, { articleId: 'c' }]);
    expect(read).toMatchObject([
      { value: { languageCode: 'en' } },
      { value: { languageCode: 'de' } },
      { value: { languageCode: 'de' } },
    ]);
    expect(service.receivedOn(VERSIONS)).toHaveLength(1);
    expect(service.received).toHaveLength(6);
  });

  it('are read once in a request, and again after a write and in another request', async () => {
    const { service, backend, caller } = await openScene();
    const keys = [{ articleId: 'a', languageCode: 'en' }];
    service.on('GET /v2/Articles/a/en', text('a'));
    service.on('PUT /v2/Articles/bulkupdate', json(200, { success: true, data: [{ article_id: 'a', success: true }] }));
    await backend.articles(caller, keys);
    await backend.articles({ ...caller }, keys);
    expect(service.received).toHaveLength(1);
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a' }]);
    backend.forgetReads?.(caller);
    await backend.articles(caller, keys);
    expect(service.received).toHaveLength(3);
    await backend.articles(callerWith(), keys);
    expect(service.received).toHaveLength(4);
  });

  it('stop at the maximum of calls, which writes do not raise', async () => {
    const { service, backend, caller } = await openScene({ maxReadCalls: 2 });
    for (const id of ['a', 'b', 'c']) service.on(`GET /v2/Articles/${id}/en`, text(id));
    service.on('PUT /v2/Articles/bulkupdate', status(500));
    const keys = ['a', 'b', 'c'].map((articleId) => ({ articleId, languageCode: 'en' }));
    const costly = { ok: false, error: { kind: 'too-costly', message: expect.stringContaining('2 calls') } };
    expect(await backend.articles(caller, keys)).toMatchObject([{ ok: true }, { ok: true }, costly]);
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a' }]);
    backend.forgetReads?.(caller);
    expect(await backend.articles(caller, keys)).toMatchObject([costly, costly, costly]);
    expect(service.received).toHaveLength(3);
  });
});

describe('the versions of an article', () => {
  it('cost one call', async () => {
    const { service, backend, caller } = await openScene();
    service.on(
      'GET /v2/Articles/a/en/versions',
      found([{ version_number: 1, created_at: '0001-01-01T00:00:00', modified_at: '2024-01-02T03:04:05', status: 3 }]),
    );
    expect(await backend.articleVersions(caller, [article])).toEqual([
      {
        ok: true,
        value: [
          {
            ...{ versionNumber: 1, createdAt: null, modifiedAt: new Date('2024-01-02T03:04:05Z') },
            ...{ status: 'published', baseVersionNumber: null },
          },
        ],
      },
    ]);
    expect(service.received).toHaveLength(1);
  });
});

describe('a list of articles', () => {
  const LIST = 'GET /v2/ProjectVersions/v1/articles';
  const page = (from: number, count: number) =>
    found(Array.from({ length: count }, (_, index) => listed(`a${from + index}`)));
  const edition = { projectVersionId: 'v1', languageCode: 'en' };
  const idsOf = (read: Awaited<ReturnType<Awaited<ReturnType<typeof openScene>>['backend']['listArticles']>>) =>
    read.ok ? read.value?.edges.map(({ node }) => node.articleId) : read.error;

  it('costs one call where it fits into a page of the service, which counts from 0', async () => {
    const { service, backend, caller } = await openScene();
    service.on(LIST, page(0, 30));
    const read = await backend.listArticles(caller, edition, { limit: 20 });
    expect(read).toMatchObject({ value: { hasNextPage: true, hasPreviousPage: false } });
    expect(idsOf(read)).toHaveLength(20);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/ProjectVersions/v1/articles?langCode=en&page=0&hitsPerPage=100',
    ]);
  });

  it('goes on behind a cursor, with the page that holds the next articles', async () => {
    const { service, backend, caller } = await openScene();
    service.on(LIST, page(0, 100), page(100, 50));
    const first = await backend.listArticles(caller, edition, { limit: 100 });
    expect(first).toMatchObject({ value: { hasNextPage: true } });
    expect(service.received).toHaveLength(2);
    const after = first.ok ? first.value?.edges.at(-1)?.cursor : null;
    service.on(LIST, page(100, 50));
    const second = await backend.listArticles(callerWith(), edition, { limit: 100, after });
    expect(second).toMatchObject({ value: { hasNextPage: false, hasPreviousPage: true } });
    expect(idsOf(second)).toEqual(Array.from({ length: 50 }, (_, index) => `a${100 + index}`));
    expect(service.received.at(-1)?.url).toContain('page=1&');
    expect(service.received).toHaveLength(3);
  });

  it('is read to its end from a service without paging', async () => {
    const { service, backend } = await openScene();
    service.on(LIST, page(0, 250));
    const seen: unknown[] = [];
    let after: string | null | undefined = null;
    do {
      const read = await backend.listArticles(callerWith(), edition, { limit: 90, after });
      seen.push(...[idsOf(read)].flat());
      after = read.ok && read.value?.hasNextPage ? read.value.edges.at(-1)?.cursor : null;
    } while (after);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => `a${index}`));
    expect(service.received).toHaveLength(3);
  });

  it('ends where a service without paging repeats a list of exactly one page', async () => {
    const { service, backend, caller } = await openScene();
    service.on(LIST, page(0, 100));
    const read = await backend.listArticles(caller, edition, { limit: 100 });
    expect(read).toMatchObject({ value: { hasNextPage: false } });
    expect(idsOf(read)).toHaveLength(100);
    expect(service.received).toHaveLength(2);
  });

  it('shows only articles of the requested language', async () => {
    const { service, backend, caller } = await openScene();
    service.on(LIST, found([listed('a'), listed('b', { language_code: 'de' }), { nonsense: 1 }, listed('c')]));
    expect(idsOf(await backend.listArticles(caller, edition, { limit: 10 }))).toEqual(['a', 'c']);
  });

  it('is of the default project version and language where none is named', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, versions);
    service.on(LIST, page(0, 1));
    service.on('GET /v2/ProjectVersions/v2/articles', found([listed('d', { language_code: 'de' })]));
    expect(idsOf(await backend.listArticles(caller, {}, { limit: 10 }))).toEqual(['a0']);
    expect(idsOf(await backend.listArticles(caller, { projectVersionId: 'v2' }, { limit: 10 }))).toEqual(['d']);
    expect(service.received).toHaveLength(3);
  });

  it('is null where the project version does not exist', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, versions);
    service.on('GET /v2/ProjectVersions/v9/articles', absent);
    const v9 = { projectVersionId: 'v9' };
    expect(await backend.listArticles(caller, v9, { limit: 1 })).toEqual({ ok: true, value: null });
    expect(await backend.listArticles(caller, { ...v9, languageCode: 'en' }, { limit: 1 })).toEqual({
      ok: true,
      value: null,
    });
  });

  it.each(['', 'nonsense', 'MTI', 'MTI6', 'MTIzNDU2Nzg5MDEyOmE', 'MDE6YQ', 'MTph='])(
    'refuses the cursor %j',
    async (after) => {
      const { service, backend, caller } = await openScene();
      expect(await backend.listArticles(caller, edition, { limit: 1, after })).toMatchObject({
        ok: false,
        error: { kind: 'validation', issues: [{ path: ['after'] }] },
      });
      expect(service.received).toEqual([]);
    },
  );
});

describe('many summaries of articles', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'gone'].map((articleId) => ({ articleId, languageCode: 'en' }));
  const told = { hidden: false, order: 1, translation_option: 0 };
  const entries = (...ids: readonly string[]) => found([{ id: 'c', articles: ids.map((id) => listed(id, told)) }]);

  it('are found in the tree of their language, with null for those that do not exist', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, versions);
    service.on('GET /v2/ProjectVersions/v1/categories', entries('a', 'b', 'c', 'd', 'e'));
    service.on('GET /v2/Articles/gone/en', absent);
    const read = await backend.articles(caller, keys, 'summary');
    expect(read.map((result) => result.ok && result.value?.articleId)).toEqual(['a', 'b', 'c', 'd', 'e', undefined]);
    expect(service.received).toHaveLength(3);
  });

  it('leave a few articles of another project version to a read of each', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found([version('v1', 'en'), version('v2', 'en'), version('v3', 'en')]));
    service.on('GET /v2/ProjectVersions/v1/categories', entries('a', 'b', 'c', 'd'));
    service.on('GET /v2/Articles/e/en', text('e', { project_version_id: 'v3' }));
    service.on('GET /v2/Articles/gone/en', absent);
    const read = await backend.articles(caller, keys, 'summary');
    expect(read.slice(4)).toMatchObject([{ value: { articleId: 'e', projectVersionId: 'v3' } }, { value: null }]);
    expect(service.received).toHaveLength(4);
  });
});

describe('the translations of articles', () => {
  it('are read by themselves where they are those of one article', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found([version('v1', 'en', 'de', 'fr')]));
    service.on('GET /v2/Articles/a/de', text('a', { content: 'Deutsch' }));
    service.on('GET /v2/Articles/a/fr', text('a', { is_fall_back_content: true }));
    const read = await backend.articleTranslations(caller, [article]);
    expect(read).toMatchObject([{ value: [{ languageCode: 'de', content: 'Deutsch' }, { languageCode: 'en' }] }]);
    expect(service.received).toHaveLength(3);
  });

  it('cost one list per other language, however many articles there are', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, versions);
    const list = (code: string, ...ids: readonly string[]) =>
      found(ids.map((id) => listed(id, { language_code: code })));
    service.on('GET /v2/ProjectVersions/v1/articles', (response, request) =>
      list(request.url.includes('langCode=de') ? 'de' : 'fr', 'a', 'b')(response, request),
    );
    const read = await backend.articleTranslations(caller, [article, { ...article, articleId: 'b' }]);
    expect(read.map((result) => result.ok && result.value.map((one) => one.articleId + one.languageCode))).toEqual([
      ['ade', 'aen', 'afr'],
      ['bde', 'ben', 'bfr'],
    ]);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/ProjectVersions',
      '/v2/ProjectVersions/v1/articles?langCode=de',
      '/v2/ProjectVersions/v1/articles?langCode=fr',
    ]);
  });

  it('show the latest version where the article itself is an earlier one', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found([version('v1', 'en')]));
    service.on('GET /v2/ProjectVersions/v1/articles', found([listed('a', { latest_version: 9 })]));
    const pinned = { ...article, pinned: true, versionNumber: 1 };
    const read = await backend.articleTranslations(caller, [pinned, { ...pinned, articleId: 'b' }]);
    expect(read).toMatchObject([{ value: [{ articleId: 'a', versionNumber: 9 }] }, { value: [] }]);
  });

  it('are found behind the thousandth article as well, where the service cuts a list off', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found([version('v1', 'en', 'de')]));
    const entries = (from: number, count: number) =>
      found(Array.from({ length: count }, (_, index) => listed(`a${from + index}`, { language_code: 'de' })));
    service.on('GET /v2/ProjectVersions/v1/articles', entries(0, 1_000), entries(1_000, 40));
    const read = await backend.articleTranslations(caller, [{ ...article, articleId: 'a1039' }, article]);
    expect(read[0]).toMatchObject({ value: [{ languageCode: 'de' }, { languageCode: 'en' }] });
    expect(service.received.at(-1)?.url).toContain('page=10&hitsPerPage=100');
  });
});
