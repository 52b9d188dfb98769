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
          status: 0,
          public_version: 1,
          url: 'https://docs.example.com/a1',
          description: 'The second',
          created_at: '2024-06-06T07:08:09.000Z',
          created_by: 'u2',
          authors: [
            { id: 'u2', first_name: 'Uma', last_name: 'Ude', email_id: null },
            { id: 'u1', first_name: 'Vic', last_name: null, email_id: null },
          ],
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

describe('GET /v2/ProjectVersions/{projectVersionId}/{langCode}', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  it('finds articles by words, a page of hits at a time', async () => {
    const first = await facade.get('/v2/ProjectVersions/pv1/en?searchQuery=Text&hitsPerPage=4');
    const hits = ['a1', 'a2', 'a3', 'a4'].map((article_id) => expect.objectContaining({ article_id, lang_code: 'en' }));
    expect(first).toMatchObject({
      status: 200,
      body: { data: { hits, nb_hits: 6, page: 0, nb_pages: 2, hits_per_page: 4, query: 'Text' }, success: true },
    });
    expect(await facade.get('/v2/ProjectVersions/pv1/en?searchQuery=A1')).toMatchObject({
      body: {
        data: {
          hits: [
            {
              article_id: 'a1',
              category_id: 'c1',
              title: 'a1 en 2',
              slug: 'a1',
              version: 2,
              is_draft: true,
              is_hidden: false,
              is_category: false,
              lang_code: 'en',
            },
          ],
        },
      },
    });
    const second = await facade.get('/v2/projectversions/pv1/en?searchquery=Text&hitsPerPage=4&page=1');
    expect(second).toMatchObject({ body: { data: { hits: [{ article_id: 'a5' }, { article_id: 'w1' }] } } });
    const all = await facade.get('/v2/ProjectVersions/pv1/de');
    expect(all).toMatchObject({ body: { data: { nb_hits: 2, hits_per_page: 10, query: '' } } });
  });

  it.each([
    ['/v2/ProjectVersions/pv1/xx?searchQuery=a', 'The project version Id or the language code does not exist.'],
    [
      '/v2/ProjectVersions/pv1/en?searchQuery=%21',
      'searchQuery must have a letter or a digit; leave it out to find all articles.',
    ],
    ['/v2/ProjectVersions/pv1/en?hitsPerPage=101', 'hitsPerPage must be a whole number from 1 to 100.'],
    ['/v2/ProjectVersions/pv1/en?page=-1', 'page must be a whole number of 0 or more.'],
  ])('refuses %s', async (path, description) => {
    expect(await facade.get(path)).toMatchObject({ status: 400, body: refusal(description) });
  });
});

describe('GET /v2/Teams', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  it('lists the team accounts without their addresses', async () => {
    expect(await facade.get('/v2/Teams')).toMatchObject({
      body: { result: [{ user_id: 'embedded-store' }, { user_id: 'u2' }, { user_id: 'u1' }] },
    });
    expect(await facade.get('/v2/teams?skip=1&take=1')).toMatchObject({
      status: 200,
      body: { result: [{ user_id: 'u2', first_name: 'Uma', last_name: 'Ude', email_id: null }], success: true },
    });
  });

  it('reads one by its ID', async () => {
    expect(await facade.get('/v2/Teams/u2')).toMatchObject({
      status: 200,
      body: { result: { user_id: 'u2', first_name: 'Uma', last_name: 'Ude', email_id: null }, success: true },
    });
  });

  it.each([
    ['/v2/Teams/nobody', "The user with id 'nobody' does not exist in your project."],
    ['/v2/Teams?take=0', 'take must be a whole number from 1 to 100.'],
    ['/v2/Teams?skip=x', 'skip must be a whole number of 0 or more.'],
  ])('refuses %s', async (path, description) => {
    expect(await facade.get(path)).toMatchObject({ status: 400, body: refusal(description) });
  });
});
