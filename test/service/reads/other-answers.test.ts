import { describe, expect, it } from 'vitest';
import type { ArticleKey } from '../../../src/core/articles/articles.ts';
import { envelope, json } from '../../support/faulty-service.ts';
import { openScene } from '../../support/rest-scene.ts';

const found = (data: unknown) => json(200, envelope(data));

const articleEntry = { id: 'a1', title: 'One', project_version_id: 'v1', content: 'Text', version_number: 3 };

const VERSIONS = [{ id: 'v1', language_versions: [{ code: 'en', set_as_default: true }] }];

async function readOver(data: unknown, key: ArticleKey) {
  const { service, backend, caller } = await openScene();
  service.onAny(found(data));
  service.on('GET /v2/ProjectVersions', found(VERSIONS));
  const [result] = await backend.articles(caller, [key]);
  return result;
}

const UNREADABLE = { ok: false, error: { kind: 'unavailable' } };

describe('the answer to another request, as a proxy may send it from its cache', () => {
  it.each<[string, object, ArticleKey]>([
    ['another article', { id: 'a2' }, { articleId: 'a1', languageCode: 'en' }],
    ['another article in the default language', { id: 'a2' }, { articleId: 'a1' }],
    ['the version of another article', { id: 'a2' }, { articleId: 'a1', languageCode: 'en', versionNumber: 3 }],
  ])('is not the article: %s', async (_name, members, key) => {
    expect(await readOver({ ...articleEntry, ...members }, key)).toMatchObject(UNREADABLE);
  });

  it('is the article where only the case of its ID differs', async () => {
    const inCase = await readOver({ ...articleEntry, id: 'A1' }, { articleId: 'a1', languageCode: 'en' });
    expect(inCase).toMatchObject({ ok: true, value: { title: 'One' } });
  });

  it.each([
    ['articles', [{ id: 'a1', title: 'One', latest_version: 1 }]],
    ['categories', [{ id: 'c1', name: 'All', child_categories: [] }]],
    ['an article', articleEntry],
  ])('is no project version without languages, in which nothing would be found: %s', async (_name, data) => {
    const { service, backend, caller } = await openScene();
    service.onAny(found(data));
    const results = [
      ...(await backend.articles(caller, [{ articleId: 'a1' }])),
      await backend.listArticles(caller, {}, { limit: 10 }),
      await backend.articleBySlug(caller, { slug: 'one' }),
    ];
    expect(results).toMatchObject([UNREADABLE, UNREADABLE, UNREADABLE]);
  });
});
