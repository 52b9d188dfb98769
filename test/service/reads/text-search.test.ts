import { describe, expect, it } from 'vitest';
import { parseSearchText } from '../../../src/core/articles/search-words.ts';
import { json, status } from '../../support/faulty-service.ts';
import { openScene } from '../../support/rest-scene.ts';

const found = (data: unknown) => json(200, { data, success: true, errors: null });

const LIST = 'GET /v2/ProjectVersions/v1/articles';
const SEARCH = 'GET /v2/ProjectVersions/v1/en';

const listed = (id: string, members: object = {}) => ({
  id,
  title: id,
  language_code: 'en',
  latest_version: 2,
  ...members,
});

const hit = (id: string, members: object = {}) => ({
  article_id: id,
  title: `old title of ${id}`,
  lang_code: 'en',
  is_category: false,
  is_draft: false,
  is_hidden: false,
  ...members,
});

const EDITION = { projectVersionId: 'v1', languageCode: 'en' };

async function openSearch(...pages: readonly (readonly unknown[])[]) {
  const scene = await openScene();
  const { service, backend, caller } = scene;
  service.on(LIST, found([listed('a'), listed('b', { status: 0 }), listed('h', { hidden: true }), listed('c')]));
  service.on(SEARCH, ...pages.map((hits, page) => found({ hits, page, nb_pages: pages.length, nb_hits: 99 })));
  const search = (filter: object, page: { limit: number; after?: string; itemsOnly?: boolean } = { limit: 10 }) => {
    const words = parseSearchText('A Word');
    if (typeof words === 'string') throw new Error(words);
    return backend.listArticles(caller, { ...EDITION, filter: { words, text: 'A Word', ...filter } }, page);
  };
  return { ...scene, search };
}

const idsOf = (read: Awaited<ReturnType<Awaited<ReturnType<typeof openSearch>>['search']>>) =>
  read.ok ? read.value?.edges.map(({ node }) => node.articleId) : read;

describe('a search over the service', () => {
  it('shows each article that is still there once, in the order of the hits, as the list has it', async () => {
    const { service, search } = await openSearch([
      hit('c'),
      hit('gone'),
      hit('category', { is_category: true }),
      hit('b', { is_draft: true }),
      hit('c', { is_draft: true }),
      hit('a', { lang_code: 'de' }),
      hit('a', { lang_code: 'EN' }),
      {},
      hit('h', { is_hidden: false }),
    ]);
    const read = await search({});
    expect(idsOf(read)).toEqual(['c', 'b', 'a', 'h']);
    expect(read).toMatchObject({
      value: {
        edges: [{ node: { title: 'c' } }, { node: { status: 'DRAFT' } }, {}, {}],
        totalCount: null,
        hasNextPage: false,
      },
    });
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/ProjectVersions/v1/articles?langCode=en',
      '/v2/ProjectVersions/v1/en?searchQuery=A+Word&page=0&hitsPerPage=100',
    ]);
    expect(idsOf(await search({ hidden: true }))).toEqual(['h']);
    expect(idsOf(await search({ hidden: false }))).toEqual(['c', 'b', 'a']);
  });

  it('reads as many pages of hits as it takes, and no article twice', async () => {
    const { service, search } = await openSearch([hit('a'), hit('gone')], [hit('a'), hit('b')], [hit('c'), hit('b')]);
    const first = await search({}, { limit: 1 });
    expect(idsOf(first)).toEqual(['a']);
    expect(service.receivedOn(SEARCH)).toHaveLength(2);
    if (!first.ok || first.value === null) throw new Error('There is no page.');
    const after = first.value.edges[0]?.cursor ?? '';
    const second = await search({}, { limit: 5, after });
    expect(idsOf(second)).toEqual(['b', 'c']);
    expect(second).toMatchObject({ value: { hasNextPage: false, hasPreviousPage: true } });
    // The pages and the list of one request are read once.
    expect(service.receivedOn(SEARCH)).toHaveLength(3);
    expect(service.receivedOn(LIST)).toHaveLength(1);
  });

  it('ends at a page that brings nothing new where the service does not tell the number of pages', async () => {
    const { service, search } = await openSearch();
    service.on(SEARCH, found({ hits: [hit('a')] }), found({ hits: [hit('a')] }));
    expect(idsOf(await search({}))).toEqual(['a']);
    expect(service.receivedOn(SEARCH)).toHaveLength(2);
  });

  it('reads no further page than the items need', async () => {
    const { service, search } = await openSearch([hit('a')], [hit('b')]);
    expect(idsOf(await search({}, { limit: 1, itemsOnly: true }))).toEqual(['a']);
    expect(service.receivedOn(SEARCH)).toHaveLength(1);
  });

  it.each([
    ['categoryId', { request: { categoryId: 'c1' } }],
    ['another order', { request: { orderBy: 'TITLE' as const } }],
    ['a status', { filter: { statuses: ['DRAFT' as const] } }],
    ['a translation status', { filter: { translationStatuses: ['NONE' as const] } }],
    ['a time', { filter: { modifiedSince: new Date() } }],
  ])(
    'is not offered together with %s, and nothing is sent',
    async (_what, { request = {}, filter = {} }: { request?: object; filter?: object }) => {
      const { service, backend, caller } = await openSearch();
      const words = [{ text: 'a', isPrefix: false }];
      const read = await backend.listArticles(
        caller,
        { ...EDITION, ...request, filter: { words, text: 'a', ...filter } },
        { limit: 5 },
      );
      expect(read).toMatchObject({ ok: false, error: { kind: 'not-offered' } });
      expect(service.received).toEqual([]);
    },
  );

  it('is not offered by a service without it, and fails where its answer cannot be read', async () => {
    const { service, search } = await openSearch();
    service.on(SEARCH, status(404));
    expect(await search({})).toMatchObject({
      error: { kind: 'not-offered', message: 'The service does not offer the filter text: it has no search.' },
    });
    const broken = await openSearch();
    broken.service.on(SEARCH, found({ hits: [{ article_id: 5 }] }));
    expect(await broken.search({})).toMatchObject({ error: { kind: 'unavailable' } });
    const absent = await openSearch();
    absent.service.on(LIST, json(400, { success: false, errors: [{ description: 'Not found.' }] }));
    expect(await absent.search({})).toEqual({ ok: true, value: null });
  });
});
