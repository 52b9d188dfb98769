import { describe, expect, it, onTestFinished } from 'vitest';
import { createRequestLog } from '../../../../src/server/http/request-end.ts';
import { decodeCacheControl } from '../../../../src/server/http/requests/request-facts.ts';
import { envelope, json } from '../../../support/faulty-service.ts';
import { startGateway } from '../../../support/gateway.ts';
import { controlTime, openCacheScene } from '../../../support/read-cache-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';

async function openGateway() {
  const { service, backends } = await openCacheScene({});
  const [backend] = backends;
  if (backend === undefined) throw new Error('There is no gateway.');
  service.on(VERSIONS, json(200, envelope([])));
  const cachedReads: unknown[] = [];
  const log = createRequestLog((_level, _message, fields) => void cachedReads.push(fields?.['cachedReads']));
  const gateway = await startGateway({ backend, local: false, token: 'token-1', onRequestEnd: [log] });
  onTestFinished(() => gateway.close());
  const send = (query: string, init: RequestInit = {}) =>
    fetch(`${gateway.url}/graphql${init.method === 'GET' ? `?query=${encodeURIComponent(query)}` : ''}`, {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', api_token: 'token-1', ...init.headers },
      ...(init.method !== 'GET' && { body: JSON.stringify({ query }) }),
    });
  const fieldsOf = async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    await response.text();
    return [response.status, response.headers.get('cache-status'), response.headers.get('age')];
  };
  return { service, cachedReads, send, fieldsOf };
}

const QUERY = '{ projectVersions { name } }';

/** A media type that the fast path does not take. */
const BY_YOGA = { headers: { 'content-type': 'application/json; charset=UTF-8; x=y' } };

describe('an answer over REST', () => {
  it.each([
    ['a plain POST', {}],
    ['a POST that Yoga handles', BY_YOGA],
    ['a GET', { method: 'GET' }],
  ])('to %s tells what the cache did, and how old it is', async (_name, init) => {
    const passTime = controlTime();
    const { fieldsOf, cachedReads } = await openGateway();
    expect(await fieldsOf(QUERY, init)).toEqual([200, 'kb-gateway; fwd=miss; stored', null]);
    passTime(7_500);
    expect(await fieldsOf(QUERY, init)).toEqual([200, 'kb-gateway; hit', '7']);
    await expect.poll(() => cachedReads).toEqual([undefined, 1]);
  });

  it('without a body, since nothing has changed, tells the same', async () => {
    const { send, fieldsOf } = await openGateway();
    const first = await send(QUERY, { method: 'GET' });
    await first.text();
    // Without a directive, `fetch` adds `no-cache` to a request that names an ETag.
    const headers = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=60' };
    expect(await fieldsOf(QUERY, { method: 'GET', headers })).toEqual([304, 'kb-gateway; hit', '0']);
  });

  it('is made anew where the request asks for that', async () => {
    const { service, fieldsOf } = await openGateway();
    await fieldsOf(QUERY);
    const fieldsWith = (value: string) => fieldsOf(QUERY, { headers: { 'cache-control': value } });
    expect(await fieldsWith('max-age=0')).toEqual([200, 'kb-gateway; fwd=request; stored', null]);
    expect(await fieldsWith('No-Cache')).toEqual([200, 'kb-gateway; fwd=request; stored', null]);
    expect(await fieldsWith('no-store')).toEqual([200, 'kb-gateway; fwd=bypass', null]);
    expect(await fieldsWith('max-age=60, max-stale=5')).toEqual([200, 'kb-gateway; hit', '0']);
    expect(service.receivedOn(VERSIONS)).toHaveLength(4);
  });

  it('is a hit only where no call was made', async () => {
    const { fieldsOf } = await openGateway();
    await fieldsOf(QUERY);
    const both = '{ projectVersions { name } article(articleId: "a1", languageCode: "en") { title } }';
    expect(await fieldsOf(both)).toEqual([200, 'kb-gateway; fwd=miss; stored', '0']);
    expect(await fieldsOf(both)).toEqual([200, 'kb-gateway; hit', '0']);
  });

  it('has neither field where nothing was read, and for a mutation', async () => {
    const { fieldsOf } = await openGateway();
    expect(await fieldsOf('{ rateLimit { remaining } }')).toEqual([200, null, null]);
    const input = '{ articles: [{ articleId: "a1", languageCode: "en", title: "new" }] }';
    const results = '... on BulkUpdateArticlesPayload { results { ... on ArticleUpdated { article { title } } } }';
    const mutation = `mutation { bulkUpdateArticles(input: ${input}) { ${results} } }`;
    expect(await fieldsOf(mutation)).toEqual([200, null, null]);
  });
});

it.each([
  ['max-age=5', { maxAgeMs: 5_000, mayBeKept: true }],
  ['max-age="5", max-age=3', { maxAgeMs: 3_000, mayBeKept: true }],
  [`max-age=${'9'.repeat(400)}`, { maxAgeMs: Number.POSITIVE_INFINITY, mayBeKept: true }],
  ['max-age=soon', { maxAgeMs: 0, mayBeKept: true }],
  ['no-cache, no-store', { maxAgeMs: 0, mayBeKept: false }],
  ['only-if-cached,,=,x=no-cache', { maxAgeMs: Number.POSITIVE_INFINITY, mayBeKept: true }],
])('reads the directives %s', (header, freshness) => {
  expect(decodeCacheControl(header)).toEqual(freshness);
});
