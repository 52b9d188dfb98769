import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPartialFile } from '../../../src/cli/knowledge-base/partial-file.ts';
import { ServiceSource } from '../../../src/cli/knowledge-base/service-source.ts';
import { openFaultyService } from '../../support/faulty-service.ts';
import { startGateway } from '../../support/gateway.ts';
import { openBackendTo } from '../../support/rest-scene.ts';
import { categoryOf, type ListReading, serveEditions } from '../../support/service-editions.ts';

const READINGS: readonly ListReading[] = (['requested', 'default', 'null'] as const).flatMap((codes) =>
  (['absent', 'stand-ins'] as const).map((untranslated) => ({ codes, untranslated })),
);

/** `a5` has no French text. The French title of `a3` is the English one. */
const ENGLISH = Object.fromEntries(['a1', 'a2', 'a3', 'a4', 'a5'].map((id) => [id, { title: id, slug: id }]));
const FRENCH = { ...ENGLISH, a1: { title: 'un', slug: 'a1' }, a2: { title: 'deux', slug: 'a2' } };
const TRANSLATED = ['a1', 'a2', 'a3', 'a4'];
const EDITIONS = [
  { projectVersionId: 'v1', languageCode: 'en', articles: ENGLISH },
  {
    projectVersionId: 'v1',
    languageCode: 'fr',
    articles: Object.fromEntries(Object.entries(FRENCH).filter(([id]) => id !== 'a5')),
  },
];
const PLACE = 'projectVersionId: "v1", languageCode: "fr"';

async function open(reading: ListReading) {
  const service = await openFaultyService();
  service.onAny(serveEditions(EDITIONS, reading));
  const backend = openBackendTo(service);
  const gateway = await startGateway({ backend, local: false, token: 'token' });
  onTestFinished(async () => {
    await gateway.close();
    await backend.close();
    await service.close();
  });
  const ask = async (document: string) => {
    const { body } = await gateway.send(document);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  return { service, backend, ask };
}

interface Listed {
  readonly nodes: readonly { readonly articleId: string; readonly languageCode: string }[];
  readonly totalCount: number | null;
}

/** Where entries name the requested language, a list is sure; elsewhere it may have a stand-in, and no total. */
function expectList(list: unknown, { codes, untranslated }: ListReading, hasTotal = true) {
  const { nodes, totalCount }: Listed = Object(list);
  const isSure = codes === 'requested';
  const ids = nodes.map(({ articleId }) => articleId).toSorted();
  expect(ids).toEqual(isSure || untranslated === 'absent' ? TRANSLATED : [...TRANSLATED, 'a5']);
  expect(nodes.every(({ languageCode }) => languageCode === 'fr')).toBe(true);
  expect(totalCount).toBe(isSure && hasTotal ? TRANSLATED.length : null);
}

const FIELDS = '{ nodes { articleId languageCode } totalCount }';

describe.each(READINGS)('lists that name $codes languages, with untranslated articles as $untranslated', (reading) => {
  it.each([
    ['the list', `articles(${PLACE}) ${FIELDS}`],
    ['the sorted list', `articles(${PLACE}, orderBy: TITLE) ${FIELDS}`],
    ['a filtered list', `articles(${PLACE}, filter: { hidden: false }) ${FIELDS}`],
    ['the list of a category', `articles(${PLACE}, categoryId: "${categoryOf('v1')}") ${FIELDS}`],
  ])('lose no translation from %s', async (_name, field) => {
    const { ask } = await open(reading);
    expectList((await ask(`{ list: ${field} }`))?.['list'], reading);
  });

  it('lose no translation from the pages of the list', async () => {
    const { ask } = await open(reading);
    const found: unknown[] = [];
    let after: string | null = null;
    do {
      const data = await ask(
        `{ list: articles(${PLACE}, first: 2, after: ${JSON.stringify(after)}) { nodes { articleId languageCode } pageInfo { endCursor hasNextPage } } }`,
      );
      const { nodes, pageInfo } = Object(data?.['list']);
      found.push(...nodes);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expectList({ nodes: found, totalCount: null }, reading, false);
  });

  it('lose no translation from the articles of categories', async () => {
    const { ask } = await open(reading);
    const data = await ask(`{ categories(${PLACE}) { languageCode articles ${FIELDS} } }`);
    const [category, empty] = Object(data?.['categories']);
    expect([category.languageCode, empty.languageCode]).toEqual(['fr', 'fr']);
    expectList(category.articles, reading);
    expect(empty.articles.nodes).toEqual([]);
  });

  it('lose no translation from a search', async () => {
    const { ask } = await open(reading);
    expectList((await ask(`{ list: articles(${PLACE}, filter: { text: "a" }) ${FIELDS} }`))?.['list'], reading, false);
  });

  it('have no article by a slug, by an ID, as an entity or as a translation that is none', async () => {
    const { ask } = await open(reading);
    const bySlug = (slug: string) => `${slug}: articleBySlug(${PLACE}, slug: "${slug}") { title languageCode }`;
    const byId = (id: string) => `id_${id}: article(articleId: "${id}", languageCode: "fr") { title }`;
    const ids = ['a1', 'a2', 'a3', 'a5'];
    const keys = ids.map((id) => `{ __typename: "Article", articleId: "${id}", languageCode: "fr" }`);
    const data = await ask(`{
      ${ids.map(bySlug).join('\n')} ${byId('a1')} ${byId('a5')}
      _entities(representations: [${keys.join(', ')}]) { ... on Article { title } }
      articles(projectVersionId: "v1", languageCode: "en", orderBy: TITLE) { nodes { translations { title languageCode } } }
    }`);
    expect(data).toEqual({
      a1: { title: 'un', languageCode: 'fr' },
      a2: { title: 'deux', languageCode: 'fr' },
      a3: { title: 'a3', languageCode: 'fr' },
      a5: null,
      id_a1: { title: 'un' },
      id_a5: null,
      _entities: [{ title: 'un' }, { title: 'deux' }, { title: 'a3' }, null],
      articles: {
        nodes: Object.keys(ENGLISH).map((id) => ({
          translations: [
            { title: id, languageCode: 'en' },
            ...(id === 'a5' ? [] : [{ title: Object(FRENCH)[id].title, languageCode: 'fr' }]),
          ],
        })),
      },
    });
  });

  it.each([[['a1', 'a5']], [['a1', 'a2', 'a3', 'a4', 'a5']]])('promise no stand-in in a preview of %j', async (ids) => {
    const { ask } = await open(reading);
    const items = ids.map((id) => `{ articleId: "${id}", languageCode: "fr", title: "nouveau" }`);
    const data = await ask(`mutation {
      preview: previewBulkUpdateArticles(input: { articles: [${items.join(', ')}] }) {
        ... on BulkUpdateArticlesPreview { results { articleId article { title } changes { field from to } } }
      }
    }`);
    const { results } = Object(data?.['preview']);
    for (const { articleId, article, changes } of results)
      expect([article?.title ?? null, changes[0]?.from ?? null]).toEqual(
        articleId === 'a5' ? [null, null] : [Object(FRENCH)[articleId].title, Object(FRENCH)[articleId].title],
      );
  });

  it.each([true, false])('export no stand-in, and count those that they show, with texts: %s', async (withTexts) => {
    const { service, backend } = await open(reading);
    const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-lists-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const partial = openPartialFile(join(folder, 'part'), 'owner');
    if (!partial.ok) throw new Error(partial.error);
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const { url } = service;
    const options = { apiToken: 'token', timeoutMs: 10_000, url, token: undefined, asRows: true, withTexts };
    const source = new ServiceSource({ ...options, backend, partial: partial.value });
    const articles = await source.read((entries) => Array.fromAsync(entries.articles));
    source.onPublished();
    const texts = articles.map(({ id, versions }) => [id, versions.map(({ lang_code, title }) => [lang_code, title])]);
    expect(Object.fromEntries(texts)).toEqual(
      Object.fromEntries(
        Object.keys(ENGLISH).map((id) => [
          id,
          [['en', id], ...(id === 'a5' ? [] : [['fr', Object(FRENCH)[id].title]])],
        ]),
      ),
    );
    const said = written.mock.calls.map(([text]) => String(text)).join('');
    expect(said.includes('texts in fr of articles that are not translated, or gone by now: 1')).toBe(
      reading.untranslated === 'stand-ins',
    );
  });
});

it.each([
  ['the default language', undefined],
  ['the default language by its name', '"en"'],
])('costs two calls to preview 100 titles in %s where lists name no language', async (_name, code) => {
  const ids = Array.from({ length: 100 }, (_, index) => `a${index}`);
  const articles = Object.fromEntries(ids.map((id) => [id, { title: id }]));
  const service = await openFaultyService();
  const edition = { projectVersionId: 'v1', languageCode: 'en', articles };
  service.onAny(serveEditions([edition], { codes: 'null', untranslated: 'stand-ins' }));
  const backend = openBackendTo(service);
  const gateway = await startGateway({ backend, local: false, token: 'token' });
  onTestFinished(async () => {
    await gateway.close();
    await backend.close();
    await service.close();
  });
  const language = code === undefined ? '' : `, languageCode: ${code}`;
  const items = ids.map((id) => `{ articleId: "${id}"${language}, title: "new" }`);
  const { body } = await gateway.send(`mutation { previewBulkUpdateArticles(input: { articles: [${items.join(' ')}] }) {
    ... on BulkUpdateArticlesPreview { summary { changed } } } }`);
  expect(body).toEqual({ data: { previewBulkUpdateArticles: { summary: { changed: 100 } } } });
  expect(service.received).toHaveLength(2);
});
