import { describe, expect, it, onTestFinished } from 'vitest';
import { needsApiFile } from '../support/stand-in-service/api-file.ts';
import { type Readings, singleReadings } from '../support/stand-in-service/readings.ts';
import { STAND_IN_TOKEN, StandInService } from '../support/stand-in-service/stand-in-service.ts';

async function open(readings: Partial<Readings> = {}) {
  const service = await StandInService.open({ readings });
  onTestFinished(() => service.close());
  return {
    service,
    async send(method: string, path: string, body?: unknown) {
      const response = await fetch(`${service.url}/v2/${path}`, {
        method,
        headers: { api_token: STAND_IN_TOKEN, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

const PUBLISHED = { article_id: 'public', lang_code: 'en', title: 'Changed', hidden: false, order: 3 };

describe('the stand-in service', needsApiFile, () => {
  it.each(singleReadings())('answers by the API file with $name', async ({ readings }) => {
    const { service, send } = await open(readings);
    const user = { user_id: 'user-1', version_number: 1 };
    await send('GET', 'ProjectVersions');
    await send('GET', 'ProjectVersions/pv1/articles?langCode=fr&page=0&hitsPerPage=2');
    await send('GET', 'ProjectVersions/pv1/categories?langCode=fr&excludeArticles=false');
    await send('GET', 'ProjectVersions/pv1/en?searchQuery=public');
    await send('GET', 'Language/pv1');
    await send('GET', 'Categories/guides?langCode=en');
    await send('GET', 'Articles/untranslated/fr?isPublished=true');
    await send('GET', 'Articles/no-such-article/fr');
    await send('GET', 'Articles/public/en/versions');
    await send('GET', 'Articles/public/versions/1');
    await send('POST', 'Articles', { title: 'New', project_version_id: 'pv1', user_id: 'user-1' });
    await send('POST', 'Articles/bulkcreate', [{ title: 'New', project_version_id: 'pv9', user_id: 'user-1' }]);
    await send('POST', 'Categories', { name: 'New', project_version_id: 'pv1' });
    await send('POST', 'Categories/bulkcreate', [{ name: 'Newer', project_version_id: 'pv1', user_id: 'user-1' }]);
    await send('PUT', 'Articles/bulkupdate', [PUBLISHED, { article_id: 'no-such-article', title: 'x' }]);
    await send('PUT', 'Articles/draft/en', { title: 'Changed' });
    await send('PUT', 'Articles/public/fork', { ...user, lang_code: 'en' });
    await send('POST', 'Articles/bulkpublish/en', [{ ...user, article_id: 'draft' }]);
    await send('POST', 'Articles/draft/en/publish', user);
    await send('DELETE', 'Articles/bulkpublish/en', {
      articles: [{ article_id: 'draft', version_number: 1 }],
      project_version_id: 'pv1',
      user_id: 'user-1',
    });
    await send('GET', 'Teams?skip=0&take=1');
    await send('GET', 'Teams/user-1');
    await send('GET', 'Readers?offSet=1&searchEmail=');
    await send('GET', 'Readers/groups?offSet=2&excludeReaders=true');
    const { body } = await send('GET', 'Readers/groups/group-1?offSet=1');
    const { reader_group_id: _id, ...group } = body.result;
    await send('PUT', 'Readers/groups/group-1', { ...group, title: 'Renamed' });
    expect(service.invalid).toEqual([]);
  });

  it('refuses and records requests that the API file does not allow', async () => {
    const { service, send } = await open();
    expect(await send('PUT', 'Articles/bulkupdate', [{ article_id: 'draft', hidden: null }])).toMatchObject({
      status: 400,
    });
    expect(await send('GET', 'ProjectVersions?fields=id')).toMatchObject({ status: 400 });
    expect(await send('GET', 'Articles/draft')).toMatchObject({ status: 400 });
    expect(service.invalid).toEqual([
      expect.stringContaining('/0/hidden: Invalid input: expected boolean'),
      'GET /v2/ProjectVersions has no parameter fields',
      'GET /v2/Articles/draft is not in the API file',
    ]);
    expect(service.article('draft').hidden).toBe(false);
  });

  it.each([
    ['edits in place', { public_version: 1, latest_version: 1, title: 'Changed' }],
    ['refuses', { public_version: 1, latest_version: 1, title: 'public en' }],
    ['makes a version', { public_version: 1, latest_version: 2, title: 'Changed' }],
  ] as const)('%s where a published version is updated', async (published, expected) => {
    const { send } = await open({ published });
    await send('PUT', 'Articles/bulkupdate', [PUBLISHED]);
    const { body } = await send('GET', 'Articles/public/en');
    expect(body.data).toMatchObject(expected);
  });

  it('shows what was hidden where an update leaves it out, if omitted members are reset', async () => {
    const { service, send } = await open({ omitted: 'reset' });
    await send('PUT', 'Articles/bulkupdate', [{ article_id: 'hidden-draft', title: 'Changed' }]);
    expect(service.article('hidden-draft')).toMatchObject({ hidden: false, order: 0 });
  });

  it('lists stand-ins with the code of their own text', async () => {
    const { send } = await open({ untranslated: 'stand-ins' });
    const { body } = await send('GET', 'ProjectVersions/pv1/articles?langCode=fr');
    const codes = Object.fromEntries(
      body.data.map((one: { id: string; language_code: string }) => [one.id, one.language_code]),
    );
    expect(codes).toMatchObject({ public: 'fr', untranslated: 'en' });
  });

  it('shows a write 3 seconds of its own time later', async () => {
    const { service, send } = await open({ lag: '3 seconds' });
    await send('PUT', 'Articles/bulkupdate', [PUBLISHED]);
    expect(await send('GET', 'Articles/public/en')).toMatchObject({ body: { data: { title: 'public en' } } });
    service.pass(3_000);
    expect(await send('GET', 'Articles/public/en')).toMatchObject({ body: { data: { title: 'Changed' } } });
  });

  it.each([
    ['200', 200, true],
    ['200 without success', 200, false],
    ['400 without items', 400, false],
  ] as const)('answers a failing item by %s, and applies the others', async (failingItem, status, success) => {
    const { service, send } = await open({ failingItem });
    const answer = await send('PUT', 'Articles/bulkupdate', [{ article_id: 'no-such-article' }, PUBLISHED]);
    expect(answer).toMatchObject({ status, body: { success } });
    expect('data' in answer.body).toBe(status === 200);
    expect(service.article('public').texts.get('en')?.versions[0].title).toBe('Changed');
  });
});
