import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { type Facade, openFacade } from './harness.ts';

const USER = STORE_ACCOUNT.user_id;

const PATH = '/v2/Articles/bulkpublish/en';

const item = (articleId: string, version = 1, more: object = {}) => ({
  article_id: articleId,
  user_id: USER,
  version_number: version,
  publish_message: null,
  ...more,
});

const unpublishing = (...articles: readonly object[]) => ({
  articles,
  user_id: USER,
  project_version_id: 'pv1',
  unpublish_message: 'Old',
});

describe('publications over REST', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade({ maxBulkItems: 5 });
  });
  afterAll(() => facade.close());

  const send =
    (method: string) =>
    (body: unknown, path = PATH) =>
      facade.send(path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? '' : JSON.stringify(body),
      });
  const publish = send('POST');
  const unpublish = send('DELETE');
  const errorsOf = (answer: { body: unknown }): readonly string[] =>
    Object(answer.body).errors.map(({ description }: { description: string }) => description);
  const publicVersion = async (articleId: string, languageCode = 'en'): Promise<number> =>
    Object((await facade.get(`/v2/Articles/${articleId}/${languageCode}`)).body).data.public_version;

  it('answer with an entry for each item, as documented', async () => {
    const published = await publish([item('a4'), item('a5')]);
    expect([published.status, published.body]).toEqual([
      200,
      {
        data: ['a4', 'a5'].map((id) => ({
          article_id: id,
          success: true,
          details: `Successfully published article with an id ${id}`,
        })),
        ...{ extension_data: null, success: true, errors: null, warnings: null, information: null },
      },
    ]);
    expect(await publicVersion('a4')).toBe(1);
    const unpublished = await unpublish(unpublishing({ article_id: 'a4', version_number: 1 }));
    expect([unpublished.status, Object(unpublished.body).data]).toEqual([
      200,
      [{ article_id: 'a4', success: true, details: 'Successfully unpublished article with an id a4' }],
    ]);
    expect(await publicVersion('a4')).toBe(0);
  });

  it('answer 400 as soon as one item fails or is as asked for already, and apply the others', async () => {
    await publish([item('a5')]);
    const answer = await publish([item('w1'), item('a5'), item('gone'), item('a3')]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false });
    expect(Object(answer.body).data).toBeUndefined();
    expect(errorsOf(answer)).toEqual([
      'Failed to publish article with an id a5\r\nError: Article has already been published.',
    ]);
    expect([await publicVersion('w1'), await publicVersion('a3')]).toEqual([1, 1]);
    expect(errorsOf(await publish([item('gone')]))).toEqual([
      'Failed to publish article with an id gone\r\nError: There is no such article.',
    ]);
    expect(errorsOf(await publish([item('a1', 9)]))).toEqual([
      'Failed to publish article with an id a1\r\nError: It has no version 9 in the language en.',
    ]);
    expect(errorsOf(await unpublish(unpublishing({ article_id: 'a4', version_number: 1 })))).toEqual([
      'Failed to unpublish article with an id a4\r\nError: Article has already been unpublished.',
    ]);
  });

  it('take the language of the path', async () => {
    expect((await publish([item('a3')], '/v2/articles/BULKPUBLISH/de/')).status).toBe(200);
    expect(await publicVersion('a3', 'de')).toBe(1);
  });

  const REQUIRED = ['ArticleId', 'UserId'].map((name) => `The ${name} field is required.`);
  const VERSION = 'The field VersionNumber must be between 1 and 32767.';

  it.each([
    ['no body', undefined, ['A non-empty request body is required.']],
    ['an empty list', [], ['A non-empty request body is required.']],
    ['an object', {}, [expect.stringContaining('expected array')]],
    ['an item without members', [{}], [REQUIRED[0], VERSION, REQUIRED[1]]],
    ['a version of 0', [item('a2', 0)], [VERSION]],
    ['a version of 32,768', [item('a2', 32_768), item('a2', -1)], [VERSION]],
    ['a version that is a text', [{ ...item('a2'), version_number: '1' }], [expect.stringContaining('version_number')]],
    [
      'an unknown user',
      [item('a2', 1, { user_id: 'nobody' })],
      ["The user with id 'nobody' does not exist in your project."],
    ],
    ['one item without a user', [item('a2'), item('a1', 1, { user_id: null })], ['The UserId field is required.']],
    ['two users', [item('a2'), item('a1', 1, { user_id: 'other' })], ['All items must name the same user_id.']],
    ['six items', Array.from({ length: 6 }, () => item('a2')), [expect.stringContaining('At most 5 items')]],
  ])('apply nothing of %s', async (_name, body, errors) => {
    const answer = await publish(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
    expect(await publicVersion('a2')).toBe(0);
  });

  it('need the project version where they end', async () => {
    const { project_version_id: _, ...body } = unpublishing({ article_id: 'a5', version_number: 1 });
    expect(errorsOf(await unpublish(body))).toEqual(['The ProjectVersionId field is required.']);
    expect(errorsOf(await unpublish(undefined))).toEqual(['A non-empty request body is required.']);
    expect(await publicVersion('a5')).toBe(1);
  });

  it('are refused without a token, with another method, and with another media type', async () => {
    const init = { method: 'DELETE', body: '{}', headers: { 'content-type': 'text/plain' } };
    expect((await facade.send(PATH, init)).status).toBe(415);
    expect((await facade.send(PATH, { ...init, headers: { api_token: 'wrong' } })).status).toBe(401);
    const refused = await facade.send(PATH, { method: 'PUT', body: '[]' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, DELETE, OPTIONS']);
  });
});
