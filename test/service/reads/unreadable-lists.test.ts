import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import type { Caller } from '../../../src/core/callers/caller.ts';
import { json } from '../../support/faulty-service.ts';
import { openScene } from '../../support/rest-scene.ts';
import { listedEntry } from '../../support/service-editions.ts';

const edition = { projectVersionId: 'v1', languageCode: 'en' };
const page = { limit: 20 };

/** Every list of the service, read by a call that asks for nothing else. */
const LISTS: Readonly<Record<string, (backend: Backend, caller: Caller) => Promise<unknown>>> = {
  'project versions': (backend, caller) => backend.projectVersions(caller),
  'team accounts': (backend, caller) => backend.listTeamAccounts(caller, page),
  articles: (backend, caller) => backend.listArticles(caller, edition, page),
  'articles of a category': (backend, caller) => backend.listArticles(caller, { ...edition, categoryId: 'c1' }, page),
  'articles, of which one has a slug': (backend, caller) =>
    backend.articleBySlug(caller, { ...edition, slug: 'pair-a-lamp' }),
  categories: (backend, caller) => backend.rootCategories(caller, edition),
  'reader groups': (backend, caller) => backend.listReaderGroups(caller, page),
  readers: (backend, caller) => backend.listReaders(caller, null, page),
};

/** Lists of something else, and no lists, as other programs send them with the status 200. */
const BODIES: readonly unknown[] = [
  { data: [{ name: 'sign-in' }] },
  { data: [{ name: 'sign-in' }], success: true },
  { result: [{ name: 'sign-in' }, null] },
  { data: [null] },
  [{ message: 'Not found' }],
  ['sign-in'],
  { result: null },
  { data: null, result: null },
  [],
];

describe.each(Object.entries(LISTS))('a list of %s', (_name, read) => {
  it.each(BODIES.map((body) => [JSON.stringify(body), body]))(
    'is no empty list where it is %s',
    async (_text, body) => {
      const { service, backend, caller } = await openScene();
      service.onAny(json(200, body));
      expect(await read(backend, caller)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    },
  );
});

describe('an empty list of project versions', () => {
  const readWithoutLanguage = async (body: unknown) => {
    const { service, backend, caller } = await openScene();
    service.onAny(json(200, body));
    return backend.listArticles(caller, {}, page);
  };

  it.each([[[]], [{ data: [] }], [{ result: [] }]])(
    'is an error where %j has no envelope of the service',
    async (body) => {
      expect(await readWithoutLanguage(body)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    },
  );

  it("says that nothing is there where the service's envelope carries it", async () => {
    expect(await readWithoutLanguage({ data: [], success: true, errors: [] })).toEqual({ ok: true, value: null });
  });
});

describe('a list of articles', () => {
  const readList = async (entries: readonly unknown[]) => {
    const { service, backend, caller } = await openScene();
    service.onAny(json(200, { data: entries, success: true }));
    return backend.listArticles(caller, edition, page);
  };

  it('leaves out an entry that cannot be read among others', async () => {
    const read = await readList([{ title: 'no ID' }, listedEntry('a1', 'en')]);
    expect(read).toMatchObject({ ok: true, value: { edges: [{ node: { articleId: 'a1' } }] } });
  });

  it('keeps entries that all name another language, since these show nothing of the language', async () => {
    expect(await readList([listedEntry('a1', 'de')])).toMatchObject({
      ok: true,
      value: { edges: [{ node: { articleId: 'a1', languageCode: 'en' } }], totalCount: null },
    });
  });
});
