import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../src/core/backend.ts';
import { err } from '../../../../src/core/base/result.ts';
import { rateLimited } from '../../../../src/core/errors.ts';
import { FACADE_ROUTES } from '../../../../src/store/facade/routes.ts';
import { type Facade, openFacade, refusal } from '../../../store/facade/harness.ts';
import { TOKEN } from '../../../support/fixture-store.ts';

const NO_TOKEN = { api_token: '' };

describe('createFacadeHandler', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  const paths = FACADE_ROUTES.map(({ method, path }) => [method, path.replaceAll(/[{}]/gu, '')] as const);

  it.each(paths)('sends 401 with an envelope for %s %s without a token', async (method, path) => {
    const lists = path.endsWith('bulkupdate') ? { warnings: [], information: [] } : {};
    const answer = await facade.send(path, { method, headers: NO_TOKEN });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ ...refusal(expect.stringContaining('api_token')), ...lists });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('checks the token before the path, the method and the body', async () => {
    const wrong = { api_token: 'wrong', 'content-type': 'text/plain' };
    const answers = await Promise.all([
      facade.send('/v2/nope', { headers: wrong }),
      facade.send('/v2/Readers', { method: 'DELETE', headers: wrong }),
      facade.send('/v2/Articles/bulkupdate', { method: 'PUT', body: '{', headers: wrong }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.map(({ text }) => text).join()).not.toContain('wrong');
  });

  it.each([
    { 'x-api-token': TOKEN },
    { authorization: `Bearer ${TOKEN}` },
    { api_token: TOKEN, 'x-api-token': 'wrong', authorization: 'Bearer wrong' },
  ])('accepts the token of %j', async (headers) => {
    const answer = await fetch(`${facade.url}/v2/ProjectVersions`, { headers });
    expect(answer.status).toBe(200);
  });

  it.each(['/v2', '/v2/', '/v2/nope', '/v2/Article', '/v2/Readers/groups/g1/more'])(
    'sends 404 for the unknown path %s',
    async (path) => {
      const answer = await facade.get(path);
      expect(answer).toMatchObject({ status: 404, body: refusal('There is nothing at this path.') });
    },
  );

  it.each(['/v2/%', '/v2/Readers/groups/%zz', '/v2/Readers/groups/%ff'])(
    'sends 400 for %s, which is not UTF-8',
    async (path) => {
      expect(await facade.get(path)).toMatchObject({
        status: 400,
        body: refusal('The target of the request has a bad percent-encoding.'),
      });
    },
  );

  it.each(['/v2/Articles/%00/en', '/v2/Readers?searchEmail=%00', '/v2/Categories/c1?langCode=a%00'])(
    'sends 400 for %s, which no store can hold',
    async (path) => {
      expect(await facade.get(path)).toMatchObject({
        status: 400,
        body: refusal(expect.stringContaining('must not contain the character U+0000.')),
      });
    },
  );

  it.each([
    ['POST', '/v2/Articles/bulkupdate', 'PUT, OPTIONS'],
    ['GET', '/v2/Articles/bulkupdate', 'PUT, OPTIONS'],
    ['PUT', '/v2/Readers/groups', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v2/Readers/groups/g1', 'PUT, GET, HEAD, OPTIONS'],
    ['PATCH', '/v2/Readers', 'GET, HEAD, OPTIONS'],
  ])('sends 405 with the allowed methods for %s %s', async (method, path, allow) => {
    const answer = await facade.send(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.body).toMatchObject({ success: false, errors: [{ description: expect.any(String) }] });
  });

  it('sends the allowed methods for OPTIONS, and GET without its body for HEAD', async () => {
    const options = await facade.send('/v2/Readers/groups/g1', { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('PUT, GET, HEAD, OPTIONS');
    expect(options).toMatchObject({ status: 200, body: { success: true, errors: null } });
    const head = await facade.send('/v2/Readers/groups/g1', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await facade.send('/v2/Readers/groups/none', { method: 'HEAD' })).toMatchObject({ status: 400, text: '' });
  });

  it('sends JSON that no cache may keep', async () => {
    const { headers } = await facade.get('/v2/ProjectVersions');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('changes nothing for the group ID "..", which names another path', async () => {
    const { port } = new URL(facade.url);
    const path = '/v2/Readers/groups/..';
    const status = await new Promise((resolve, reject) => {
      const put = request({ port, path, method: 'PUT', headers: { api_token: TOKEN } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      put.on('error', reject).end('{}');
    });
    expect(status).toBe(400);
  });
});

describe('createFacadeHandler over a backend that fails', () => {
  const failingWith =
    (error: unknown) =>
    (backend: Backend): Backend => ({
      ...backend,
      projectVersions: () => Promise.reject(error),
    });

  it('sends 500 without details for an exception, and logs it', async () => {
    const lines: unknown[] = [];
    const facade = await openFacade({
      around: failingWith(new TypeError('select secret from articles')),
      log: (...line) => lines.push(line),
    });
    const answer = await facade.get('/v2/ProjectVersions');
    await facade.close();
    expect(answer).toMatchObject({ status: 500, body: refusal('Unexpected error.') });
    expect(lines).toMatchObject([['error', expect.any(String), { error: expect.any(TypeError) }]]);
  });

  it('sends 500 when a value other than an error is thrown', async () => {
    const facade = await openFacade({ around: failingWith('secret') });
    const answer = await facade.get('/v2/ProjectVersions');
    await facade.close();
    expect(answer).toMatchObject({ status: 500, body: refusal('Unexpected error.') });
  });

  it('passes on Retry-After', async () => {
    const around = (backend: Backend): Backend => ({ ...backend, projectVersions: async () => err(rateLimited(7)) });
    const facade = await openFacade({ around });
    const answer = await facade.get('/v2/ProjectVersions');
    await facade.close();
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
  });
});
