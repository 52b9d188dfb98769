import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Log, silentLog } from '../../../src/core/base/log.ts';
import { MemoryBudget } from '../../../src/server/http/memory.ts';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { envelope, type FaultyService, json, openFaultyService } from '../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../support/gateway.ts';
import { type RawRequest, rawRequest, sendRaw } from '../../support/raw-http.ts';

const APP = 'https://app.example';
const ID = 'Id-1~"!{}';
const MADE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

let gateway: Gateway;
afterEach(() => gateway.close());

async function start(settings: Partial<GatewayOptions> = {}): Promise<void> {
  const backend = settings.backend ?? (await openFixtureStore());
  gateway = await startGateway({ local: true, token: TOKEN, corsOrigins: [APP], ...settings, backend });
}

const send = (request: RawRequest, id = ID) =>
  sendRaw(gateway.url, rawRequest({ ...request, headers: [`X-Request-Id: ${id}`, ...(request.headers ?? [])] }));

const JSON_TYPE = 'content-type: application/json';
const post = (query: string, headers: readonly string[] = [`api_token: ${TOKEN}`]): RawRequest => ({
  method: 'POST',
  headers: [JSON_TYPE, ...headers],
  body: JSON.stringify({ query }),
});
const get = (query: string): RawRequest => ({
  target: `/graphql?query=${encodeURIComponent(query)}`,
  headers: [`api_token: ${TOKEN}`],
});

describe('every answer has the request ID of its request', () => {
  it.each<[string, RawRequest, number]>([
    ['the fast path', post('{ __typename }'), 200],
    ['the fast path with CORS', post('{ __typename }', [`origin: ${APP}`]), 200],
    ['Yoga', get('{ __typename }'), 200],
    ['a preflight', { method: 'OPTIONS', headers: [`origin: ${APP}`, 'access-control-request-method: POST'] }, 204],
    ['the façade', { target: '/v2/projectversions', headers: [`api_token: ${TOKEN}`] }, 200],
    ['the façade without a token', { target: '/v2/projectversions' }, 401],
    ['a health check', { target: '/health/live' }, 200],
    ['readiness', { target: '/health/ready', method: 'HEAD' }, 200],
    ['the schema', { target: '/schema.graphql' }, 200],
    ['GraphiQL', { headers: ['accept: text/html'] }, 200],
    ['the start page', { target: '/', headers: ['accept: text/html'] }, 302],
    ['an unknown path', { target: '/nothing' }, 404],
    ['a refused target', { target: 'http://user@a/graphql' }, 400],
    ['a refused host', { host: 'a/b' }, 400],
    ['a refused form', { target: '/graphql?query={a}' }, 403],
    [
      'an unknown media type',
      { ...post('{ __typename }'), headers: ['content-type: text/plain', 'api_token: x'] },
      415,
    ],
    ['a body that is too large', post(' '.repeat(3_000)), 413],
  ])('%s', async (_, request, status) => {
    await start({ maxBodyBytes: 2_000 });
    const answer = await send(request);
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, ID]);
  });

  it('without memory', async () => {
    await start({ memory: new MemoryBudget({ maxBytes: 0, reservedBytes: 0 }) });
    const answer = await send(post('{ __typename }'));
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([503, ID]);
    expect(JSON.parse(answer.body).errors[0].extensions).toMatchObject({ code: 'UNAVAILABLE', requestId: ID });
  });

  it.each(['', 'a b', 'ä', 'x'.repeat(129), 'a\tb'])('and a new one in place of %j', async (id) => {
    await start();
    const [one, other] = [await send(post('{ __typename }'), id), await send({ target: '/nothing' }, id)];
    expect(one.headers.get('x-request-id')).toMatch(MADE);
    expect(other.headers.get('x-request-id')).toMatch(MADE);
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });

  it('and a new one in place of two', async () => {
    await start();
    const answer = await send({ target: '/nothing', headers: ['x-request-id: b'] }, 'a');
    expect(answer.headers.get('x-request-id')).toMatch(MADE);
  });

  it('up to 128 characters', async () => {
    await start();
    const id = 'x'.repeat(128);
    expect((await send(post('{ __typename }'), id)).headers.get('x-request-id')).toBe(id);
  });

  it('which pages of the listed origins may send and read', async () => {
    await start();
    const headers = [
      `origin: ${APP}`,
      'access-control-request-method: POST',
      'access-control-request-headers: x-request-id',
    ];
    const answer = await send({ method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toContain('x-request-id');
    expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain('x-request-id');
  });
});

describe('every error of GraphQL has the request ID', () => {
  const TWO = '{ a: article(articleId: "a1") { title } b: article(articleId: "a2") { title } }';

  it.each<[string, string, string]>([
    ['a syntax error', '{', 'GRAPHQL_PARSE_FAILED'],
    ['a document that does not fit', '{ nothing other }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a variable that does not fit', 'query ($n: Int!) { readerGroups(first: $n) { totalCount } }', 'BAD_USER_INPUT'],
    ['an argument that breaks a rule', '{ readerGroups(first: -1) { totalCount } }', 'VALIDATION_FAILED'],
    ['a query that is too costly', `{ ${'a: __typename '.repeat(200)} }`, 'LIMIT_EXCEEDED'],
  ])('by both ways in: %s', async (_, query, code) => {
    await start();
    for (const request of [post(query), get(query)]) {
      const { errors } = JSON.parse((await send(request)).body);
      expect(errors.length).toBeGreaterThan(0);
      for (const { extensions } of errors) expect(extensions).toMatchObject({ code, requestId: ID });
    }
  });

  it.each<[object, string]>([
    [{ documentId: 'unknown' }, 'PERSISTED_QUERY_NOT_FOUND'],
    [{ extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }, 'PERSISTED_QUERY_NOT_FOUND'],
  ])('by both ways in: an unknown document %j', async (body, code) => {
    await start();
    for (const type of [JSON_TYPE, 'content-type: application/json;  charset=utf-8']) {
      const headers = [type, `api_token: ${TOKEN}`];
      const { errors } = JSON.parse((await send({ method: 'POST', headers, body: JSON.stringify(body) })).body);
      expect(errors).toMatchObject([{ extensions: { code, requestId: ID } }]);
    }
  });

  it('by both ways in: fields without a token', async () => {
    await start();
    const unknown = { headers: [JSON_TYPE, 'graphql-require-preflight: 1'] };
    for (const request of [
      { ...post(TWO), ...unknown },
      { ...get(TWO), ...unknown },
    ]) {
      const { errors } = JSON.parse((await send(request)).body);
      const expected = { extensions: { code: 'UNAUTHENTICATED', requestId: ID } };
      expect(errors).toMatchObject([expected, expected]);
    }
  });

  it('by both ways in: an unexpected error, whose line in the log has it as well', async () => {
    const lines: Parameters<Log>[] = [];
    const store = await openFixtureStore();
    const projectVersions = async () => {
      throw new Error('a bug');
    };
    await start({ backend: { ...store, projectVersions }, log: (...line) => lines.push(line) });
    for (const request of [post('{ projectVersions { id } }'), get('{ projectVersions { id } }')]) {
      const { errors } = JSON.parse((await send(request)).body);
      const extensions = { code: 'INTERNAL', retryable: false, requestId: ID };
      expect(errors).toEqual([expect.objectContaining({ message: 'Unexpected error.', extensions })]);
    }
    const line = ['error', 'unexpected error', expect.objectContaining({ requestId: ID })];
    expect(lines).toEqual([line, line]);
  });

  it('and the entry of a mutation as well, beside the others', async () => {
    const store = await openFixtureStore();
    const updateReaderGroup = async () => {
      throw new Error('a bug');
    };
    await start({ backend: { ...store, updateReaderGroup } });
    const answer = await send(
      post('mutation { updateReaderGroup(input: { groupId: "g1", title: "x" }) { __typename } }'),
    );
    const extensions = { code: 'INTERNAL', retryable: false, mayHaveApplied: true, requestId: ID };
    expect(JSON.parse(answer.body)).toMatchObject({ data: { updateReaderGroup: null }, errors: [{ extensions }] });
  });

  it('and a whole refusal stays below 16 kB with the longest ID', async () => {
    await start();
    const id = 'x'.repeat(128);
    const query = `{ ${Array.from({ length: 19 }, (_, n) => `${'y'.repeat(400)}${n}`).join(' ')} }`;
    const answer = await send(post(query), id);
    expect(JSON.parse(answer.body).errors.length).toBeGreaterThan(3);
    expect(answer.body.length).toBeLessThan(16_000);
  });
});

describe('calls to the service', () => {
  let service: FaultyService;
  beforeEach(async () => {
    service = await openFaultyService();
    const options = { timeoutMs: 1_000, bulkSize: 100, maxReadCalls: 60, log: silentLog };
    await start({ backend: openRestBackend({ baseUrl: service.url, ...options }), local: false });
  });
  afterEach(() => service.close());

  it('have the ID of the request that causes them', async () => {
    service.onAny(json(200, envelope([])));
    await send(post('{ projectVersions { id } readerGroups { totalCount } }'));
    const ids = service.received.map(({ headers }) => headers['x-request-id']);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids)).toEqual(new Set([ID]));
  });
});
