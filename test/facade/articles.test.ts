import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { articles, type Facade, numbered, openFacade, refusal } from './harness.ts';

describe('GET /v2/Articles/{articleId}', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  it('reads a translation at its latest version', async () => {
    expect(await facade.get('/v2/articles/a1/en?isForDisplay=false&appendSASToken=false')).toMatchObject({
      status: 200,
      body: {
        data: {
          id: 'a1',
          title: 'a1 en 2',
          content: 'Text of a1 in en, version 2.',
          category_id: 'c1',
          project_version_id: 'pv1',
          version_number: 2,
          latest_version: 2,
          order: 1,
          hidden: false,
          content_type: 0,
          translation_option: 0,
          is_fall_back_content: false,
        },
        extension_data: null,
        success: true,
        errors: null,
        warnings: null,
        information: null,
      },
    });
  });

  it('reads the default language when the path names none', async () => {
    expect(await facade.get('/v2/Articles/f1')).toMatchObject({
      body: { data: { title: 'f1 fr 1', is_fall_back_content: false } },
    });
  });

  it.each(['de', 'xx'])('falls back to the default language for %s, and says so', async (language) => {
    expect(await facade.get(`/v2/Articles/a2/${language}`)).toMatchObject({
      status: 200,
      body: { data: { title: 'a2 en 1', is_fall_back_content: true } },
    });
  });

  it.each(['/v2/Articles/none', '/v2/Articles/none/en', '/v2/Articles/none/versions', '/v2/Articles/a2/de/versions'])(
    'sends 400 for %s, as the service does',
    async (path) => {
      expect(await facade.get(path)).toMatchObject({ status: 400, body: refusal('The article Id does not exist.') });
    },
  );

  it.each(['/v2/Articles/a1/en/versions/1', '/v2/Articles/a1/versions/1'])('reads the version at %s', async (path) => {
    expect(await facade.get(path)).toMatchObject({
      body: { data: { title: 'a1 en 1', version_number: 1, latest_version: 2 } },
    });
  });

  it.each(['/v2/Articles/a1/en/versions/9', '/v2/Articles/none/versions/1', '/v2/Articles/a2/de/versions/1'])(
    'sends 400 for the unknown version %s',
    async (path) => {
      expect(await facade.get(path)).toMatchObject({
        status: 400,
        body: refusal('The article version does not exist.'),
      });
    },
  );

  it.each(['0', '-1', '1.5', 'latest', 'versions'])('sends 400 for the version number %s', async (version) => {
    expect(await facade.get(`/v2/Articles/a1/en/versions/${version}`)).toMatchObject({
      status: 400,
      body: refusal('versionNumber must be a whole number of 1 or more.'),
    });
  });

  it.each(['/v2/Articles/a1/en/versions', '/v2/Articles/a1/versions'])('lists the versions at %s', async (path) => {
    const { body } = await facade.get(path);
    expect(body).toMatchObject({ success: true, data: expect.any(Array) });
    const numbers = Object(body).data.map((version: { version_number: number }) => version.version_number);
    expect(numbers.toSorted()).toEqual([1, 2]);
  });
});

describe('GET /v2/ProjectVersions/{projectVersionId}/articles', () => {
  const ids = numbered('n', 1005);
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade({ more: { articles: articles(ids) } });
  });
  afterAll(() => facade.close());

  const listed = async (search: string): Promise<readonly string[]> => {
    const { status, body } = await facade.get(`/v2/ProjectVersions/pv2/articles${search}`);
    expect(status).toBe(200);
    return Object(body).data.map(({ id }: { id: string }) => id);
  };

  it('lists translations in the requested language without content and category', async () => {
    const { body } = await facade.get('/v2/ProjectVersions/pv1/articles?langCode=de');
    const { data } = Object(body);
    expect(data).toMatchObject([
      { id: 'a1', title: 'a1 de 1', language_code: 'de', latest_version: 1, order: 1, content_type: 0 },
      { id: 'a3', title: 'a3 de 1', language_code: 'de' },
    ]);
    expect(data[0]).not.toHaveProperty('content');
    expect(data[0]).not.toHaveProperty('category_id');
  });

  it('lists 1000 articles by default, and at most 100 on each page, counted from 0', async () => {
    const all = ['f1', ...ids];
    expect(await listed('')).toEqual(all.slice(0, 1000));
    expect(await listed('?page=1')).toEqual(all.slice(1000));
    expect(await listed('?page=2&hitsPerPage=100')).toEqual(all.slice(200, 300));
    expect(await listed('?Page=10&HitsPerPage=100')).toEqual(all.slice(1000));
    expect(await listed('?page=11&hitsPerPage=100')).toEqual([]);
  });

  it.each([
    ['hitsPerPage=101', 'hitsPerPage must be a whole number from 0 to 100.'],
    ['page=-1', 'page must be a whole number of 0 or more.'],
  ])('sends 400 for %s', async (search, description) => {
    const answer = await facade.get(`/v2/ProjectVersions/pv1/articles?${search}`);
    expect(answer).toMatchObject({ status: 400, body: refusal(description) });
  });

  it.each(['none/articles', 'pv1/articles?langCode=xx', 'none/categories', 'pv1/categories?langCode=xx'])(
    'sends 400 for %s',
    async (path) => {
      expect(await facade.get(`/v2/ProjectVersions/${path}`)).toMatchObject({
        status: 400,
        body: refusal('The project version Id or the language code does not exist.'),
      });
    },
  );
});
