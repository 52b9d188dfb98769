import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';
import { type Facade, openFacade } from './harness.ts';

const ONE = '/v2/Articles';
const SEVERAL = '/v2/Articles/bulkcreate';

const body = (title: string, more: object = {}) => ({
  title,
  project_version_id: 'pv1',
  user_id: STORE_ACCOUNT.user_id,
  category_id: 'c1',
  ...more,
});

describe('creates over REST', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade({ maxBulkItems: 3 });
  });
  afterAll(() => facade.close());

  const post = (path: string, json: unknown) =>
    facade.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: json === undefined ? '' : JSON.stringify(json),
    });
  const errorsOf = (answer: { body: unknown }): readonly string[] =>
    Object(answer.body).errors.map(({ description }: { description: string }) => description);
  const titles = async (): Promise<readonly string[]> => {
    const { body: list } = await facade.get('/v2/ProjectVersions/pv1/articles?langCode=en');
    return Object(list).data.map(({ title }: { title: string }) => title);
  };

  it('refuses more than 1,000 articles, whatever other bulk requests may have', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const answer = await fetch(`${gateway.url}${SEVERAL}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: TOKEN },
      body: JSON.stringify(Array.from({ length: 1_001 }, (_, n) => body(`New ${n}`))),
    });
    const refused = { body: await answer.json() };
    await gateway.close();
    expect(answer.status).toBe(400);
    expect(errorsOf(refused)).toEqual(['$: at most 1000 items can be created at once; these are 1001.']);
  });

  it('answers POST /v2/Articles with the new article, as documented', async () => {
    const answer = await post(ONE, body('Pair a sensor', { content: 'Text', order: 2, content_type: 1 }));
    expect(answer.status).toBe(200);
    const { id } = Object(answer.body).data;
    expect(answer.body).toEqual({
      data: expect.objectContaining({
        id: expect.stringMatching(/^[\da-f-]{36}$/u),
        title: 'Pair a sensor',
        public_version: 0,
        latest_version: 1,
        language_code: null,
        hidden: false,
        status: 0,
        order: 2,
        slug: 'pair-a-sensor',
        content_type: 1,
      }),
      extension_data: null,
      success: true,
      errors: null,
      warnings: null,
      information: null,
    });
    expect(await facade.get(`/v2/Articles/${id}/en`)).toMatchObject({
      body: {
        data: {
          html_content: 'Text',
          category_id: 'c1',
          version_number: 1,
          created_by: STORE_ACCOUNT.user_id,
          authors: [{ id: STORE_ACCOUNT.user_id }],
          created_at: expect.stringMatching(/Z$/u),
        },
      },
    });
  });

  it('answers POST /v2/Articles/bulkcreate with an entry for each, as documented', async () => {
    const answer = await post(SEVERAL, [body('c1'), body('c2', { category_id: null, order: 0 })]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: ['c1', 'c2'].map((title) => ({
        article_id: expect.stringMatching(/^[\da-f-]{36}$/u),
        success: true,
        details: `Successfully created article ${title}`,
      })),
      extension_data: null,
      success: true,
      errors: null,
      warnings: null,
      information: null,
    });
  });

  it('names the first item that fails, and creates the others', async () => {
    const answer = await post(SEVERAL, [
      body('Good one'),
      body('Bad one', { user_id: 'nobody' }),
      body('Bad two', { category_id: 'c4' }),
    ]);
    const text = "Failed to create article Bad one\r\nError: The user with id 'nobody' does not exist in your project.";
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, errors: [{ description: text, error_code: '400' }] },
    });
    expect(Object(answer.body)).not.toHaveProperty('data');
    expect((await titles()).filter((title) => / one$| two$/u.test(title))).toEqual(['Good one']);
  });

  it.each([
    ['an unknown user', { user_id: 'nobody' }, "The user with id 'nobody' does not exist in your project."],
    ['another category', { category_id: 'c4' }, "The category with id 'c4' does not exist in the project version."],
  ])('refuses one article with %s', async (_name, more, text) => {
    const answer = await post(ONE, body('Never', more));
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([text]);
    expect(await titles()).not.toContain('Never');
  });

  it.each([
    ['no body', undefined, ['A non-empty request body is required.']],
    ['null', null, ['A non-empty request body is required.']],
    [
      'an empty object',
      {},
      ['The Title field is required.', 'The ProjectVersionId field is required.', 'The UserId field is required.'],
    ],
    ['a blank title', body(' '), ['The Title field is required.']],
    ['a long title', body('x'.repeat(301)), ['The Title field must have at most 300 characters.']],
    ['an unknown editor', body('a', { content_type: 3 }), ['The ContentType field must be 0, 1 or 2.']],
    ['a list', [body('a')], ['$: Invalid input: expected object, received array']],
    ['a title of another type', body('a', { title: 5 }), ['$.title: Invalid input: expected string, received number']],
    ['a negative order', body('a', { order: -1 }), ['The Order field must not be negative.']],
  ])('refuses %s', async (_name, json, texts) => {
    const answer = await post(ONE, json);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual(texts);
  });

  it('refuses a list with every finding and its place, and creates none of it', async () => {
    const before = await titles();
    const answer = await post(SEVERAL, [body('Fine'), body('', { user_id: '' }), body('a', { order: -1 })]);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([
      '$[1]: The Title field is required.',
      '$[1]: The UserId field is required.',
      '$[2]: The Order field must not be negative.',
    ]);
    expect(await titles()).toEqual(before);
  });

  it.each([
    ['an object', body('a'), /expected array/u],
    ['wrong types', [{ title: 1, order: 1.5 }], /^\$\[0\]\.title: /u],
    [
      'more items than permitted',
      Array.from({ length: 4 }, () => body('a')),
      /at most 3 items can be created at once; these are 4/u,
    ],
    ['an empty list', [], /^A non-empty request body is required\.$/u],
    ['a text that cannot be stored', [body('a', { content: '\0' })], /U\+0000/u],
  ])('refuses %s for a list', async (_name, json, text) => {
    const answer = await post(SEVERAL, json);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)[0]).toMatch(text);
  });

  it('takes articles of several contributors in one request', async () => {
    const answer = await post(SEVERAL, [body('Of the store'), body('Of nobody', { user_id: 'nobody' })]);
    expect(answer.status).toBe(400);
    expect(await titles()).toContain('Of the store');
  });

  it('takes no other method, and asks for a token first', async () => {
    const wrong = await facade.put(SEVERAL, []);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const stranger = await facade.send(ONE, { method: 'POST', headers: { api_token: 'wrong' }, body: '{}' });
    expect(stranger.status).toBe(401);
    const form = await facade.send(ONE, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
    expect(form.status).toBe(415);
  });
});
