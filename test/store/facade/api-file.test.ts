import { describe, expect, it, onTestFinished } from 'vitest';
import { FACADE_ROUTES } from '../../../src/store/facade/routes.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';
import { ApiFile, needsApiFile } from '../../support/stand-in-service/api-file.ts';

async function open() {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  onTestFinished(() => gateway.close());
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { api_token: TOKEN, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
}

const CREATION = { title: 'New', project_version_id: 'pv1', user_id: 'u1', category_id: 'c1' };
const CATEGORY = { name: 'New', project_version_id: 'pv1', parent_category_id: 'c1', user_id: 'u1' };
const VERSION = { user_id: 'u1', version_number: 1 };
const GROUP = { title: 'Renamed', access_scope: { access_level: 3 }, associated_readers: ['r1'] };

/** A call of each operation that succeeds, in an order in which all do. */
const CALLS: readonly (readonly [operation: string, path: string, body?: unknown])[] = [
  ['PUT /v2/Articles/bulkupdate', '/v2/Articles/bulkupdate', [{ article_id: 'a5', title: 'Five' }]],
  ['PUT /v2/Articles/{articleId}/{langCode}', '/v2/Articles/a5/en', { title: 'Fifth' }],
  ['PUT /v2/Articles/{articleId}', '/v2/Articles/a5', { title: 'Fifth' }],
  ['POST /v2/Articles', '/v2/Articles', CREATION],
  ['POST /v2/Articles/bulkcreate', '/v2/Articles/bulkcreate', [CREATION]],
  ['POST /v2/Categories', '/v2/Categories', CATEGORY],
  ['POST /v2/Categories/bulkcreate', '/v2/Categories/bulkcreate', [CATEGORY]],
  ['POST /v2/Articles/{articleId}/{langCode}/publish', '/v2/Articles/a5/en/publish', VERSION],
  ['POST /v2/Articles/{articleId}/publish', '/v2/Articles/a2/publish', VERSION],
  ['POST /v2/Articles/bulkpublish/{langCode}', '/v2/Articles/bulkpublish/en', [{ ...VERSION, article_id: 'a4' }]],
  [
    'DELETE /v2/Articles/bulkpublish/{langCode}',
    '/v2/Articles/bulkpublish/en',
    { articles: [{ article_id: 'a4', version_number: 1 }], user_id: 'u1', project_version_id: 'pv1' },
  ],
  ['PUT /v2/Articles/{articleId}/fork', '/v2/Articles/a3/fork', { ...VERSION, lang_code: 'en' }],
  ['PUT /v2/Readers/groups/{groupId}', '/v2/Readers/groups/g1', GROUP],
  ['GET /v2/Readers/groups', '/v2/Readers/groups?offSet=1&excludeReaders=false'],
  ['GET /v2/Readers/groups/{groupId}', '/v2/Readers/groups/g1'],
  ['GET /v2/Readers', '/v2/Readers?offSet=1'],
  ['GET /v2/Articles/{articleId}/versions/{versionNumber}', '/v2/Articles/a1/versions/1'],
  ['GET /v2/Articles/{articleId}/{langCode}/versions/{versionNumber}', '/v2/Articles/a1/en/versions/1'],
  ['GET /v2/Articles/{articleId}/versions', '/v2/Articles/a1/versions'],
  ['GET /v2/Articles/{articleId}/{langCode}/versions', '/v2/Articles/a1/en/versions'],
  ['GET /v2/Articles/{articleId}', '/v2/Articles/a1'],
  ['GET /v2/Articles/{articleId}/{langCode}', '/v2/Articles/a3/de'],
  ['GET /v2/ProjectVersions', '/v2/ProjectVersions'],
  ['GET /v2/ProjectVersions/{projectVersionId}/articles', '/v2/ProjectVersions/pv1/articles'],
  ['GET /v2/ProjectVersions/{projectVersionId}/categories', '/v2/ProjectVersions/pv1/categories'],
  ['GET /v2/ProjectVersions/{projectVersionId}/{langCode}', '/v2/ProjectVersions/pv1/en?searchQuery=text'],
  ['GET /v2/Categories/{categoryId}', '/v2/Categories/c1'],
  ['GET /v2/Language/{projectVersionId}', '/v2/Language/pv1'],
  ['GET /v2/Teams', '/v2/Teams'],
  ['GET /v2/Teams/{userId}', '/v2/Teams/u1'],
];

/** What the file does not have, and the façade gives: more of a read article. */
const MORE = /: Unrecognized keys?: (?:"(?:url|language_code)"(?:, )?)+$/u;

/** Operations without a schema of their own in the file, or with one that is no list where the example has one. */
const OTHER_SCHEMAS: Readonly<Record<string, string>> = {
  'PUT /v2/Articles/{articleId}': 'CreateArticleResponse',
  'GET /v2/Articles/{articleId}': 'GetArticleResponseCustomer',
  'POST /v2/Articles/bulkpublish/{langCode}': 'BulkUpdateArticleResponse',
  'DELETE /v2/Articles/bulkpublish/{langCode}': 'BulkUpdateArticleResponse',
};

/** What is wrong with an answer. */
function findingsOf(
  api: ApiFile,
  operation: string,
  { path, body }: { readonly path: string; readonly body: unknown },
) {
  const [method = ''] = operation.split(' ');
  const { [operation]: schema } = OTHER_SCHEMAS;
  if (schema !== undefined) return api.checkAs(schema, body);
  if (operation === 'GET /v2/Readers')
    return Object(body).result.flatMap((reader: unknown) => api.checkAs('GetReaderResponseCustomer', reader));
  const found = api.find({ method, url: path });
  return found === undefined ? [`${operation} is not in the file`] : api.checkAnswer(found, 200, body);
}

describe('the façade, by the API file of the service', needsApiFile, () => {
  it('answers each of its operations with every member that is not nullable', async () => {
    const send = await open();
    const api = new ApiFile({ isWhole: true });
    const findings: string[] = [];
    for (const [operation, path, body] of CALLS) {
      const [method = ''] = operation.split(' ');
      const answer = await send(method, path, body);
      expect(answer.status, `${operation} ${JSON.stringify(answer.body)}`).toBe(200);
      findings.push(...findingsOf(api, operation, { path, body: answer.body }));
    }
    expect(findings.filter((finding) => !MORE.test(finding))).toEqual([]);
    expect(CALLS.map(([operation]) => operation).toSorted()).toEqual(
      FACADE_ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
  });

  it('answers no other operation of the file with another resource', async () => {
    const send = await open();
    const served = new Set(FACADE_ROUTES.map(({ method, path }) => `${method} ${path}`.toLowerCase()));
    const others = new ApiFile().operations.filter(
      ({ method, path }) => !served.has(`${method} ${path}`.toLowerCase()),
    );
    expect(others.length).toBeGreaterThan(50);
    for (const { method, path } of others) {
      const { status } = await send(method, path.replaceAll(/\{\w+\}/gu, 'a1'), method === 'GET' ? undefined : {});
      expect([404, 405], `${method} ${path}`).toContain(status);
    }
  });

  it('gives the text of a Markdown article as HTML, the public version, and the language of the query', async () => {
    const send = await open();
    expect((await send('GET', '/v2/Articles/a1/en')).body.data).toMatchObject({
      version_number: 2,
      content: 'Text of a1 in en, version 2.',
      html_content: '<p>Text of a1 in en, version 2.</p>\n',
    });
    expect((await send('GET', '/v2/Articles/a1/en?isPublished=true')).body.data).toMatchObject({
      version_number: 1,
      status: 3,
      html_content: '<p>Text of a1 in en, version 1.</p>\n',
    });
    expect((await send('GET', '/v2/Articles/a2/en?isPublished=true')).body.data).toMatchObject({ version_number: 1 });
    expect((await send('GET', '/v2/Articles/a1?langCode=de')).body.data).toMatchObject({ title: 'a1 de 1' });
  });

  it.each([
    ['PUT', '/v2/Articles/a1/xx', { title: 'x' }],
    ['PUT', '/v2/Articles/no-such-article', { title: 'x' }],
    ['PUT', '/v2/Articles/a1/en', { hidden: 'yes' }],
    ['PUT', '/v2/Articles/a1/en', []],
    ['POST', '/v2/Articles/a1/publish', { user_id: 'nobody', version_number: 1 }],
    ['POST', '/v2/Articles/no-such-article/publish', VERSION],
  ])('refuses %s %s with %j', async (...[method, path, body]) => {
    const send = await open();
    const { status, body: answer } = await send(method, path, body);
    expect({ status, success: answer.success }).toEqual({ status: 400, success: false });
    expect(answer.errors[0].description).not.toContain('Failed to');
  });

  it('says the cause alone where an article is public already', async () => {
    const send = await open();
    const { status, body } = await send('POST', '/v2/Articles/a3/en/publish', VERSION);
    expect([status, body.errors[0].description]).toEqual([400, 'Article has already been published.']);
  });
});
