import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway as HostGateway } from '../../../../src/index.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

const QUERY = 'query Only($if: Boolean!) { __typename @include(if: $if) }';
const TRUSTED_ID = `sha256:${createHash('sha256').update(QUERY).digest('hex')}`;
const PARAMS = { query: QUERY, variables: { if: true } };
const ANSWER = { data: { __typename: 'Query' } };
const GRAPHQL_JSON = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
const MARK = '\uFEFF';

type Params = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

let gateway: Gateway;
let hosted: HostGateway;
beforeAll(async () => {
  const trustedTexts = new Map([[TRUSTED_ID, QUERY]]);
  gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, trustedTexts });
  hosted = createGateway({ backend: { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN] } });
});
afterAll(() => Promise.all([gateway.close(), hosted.close()]));

const HEADERS = { api_token: TOKEN };

const searchOf = (params: Params): string =>
  `${new URLSearchParams(
    Object.entries(params)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )}`;

const post = (body: string, headers: Headers): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': JSON_TYPE, ...HEADERS, ...headers },
  body,
});

const toGateway = (target: string, init: RequestInit) => fetch(`${gateway.url}${target}`, init);
const toHosted = (target: string, init: RequestInit) => hosted.fetch(new Request(`http://host.example${target}`, init));

/** Each way in, as a function of the parameters and of further headers. */
const WAYS: readonly (readonly [name: string, send: (params: Params, headers: Headers) => Promise<Response>])[] = [
  ['POST', (params, headers) => toGateway('/graphql', post(JSON.stringify(params), headers))],
  ['GET', (params, headers) => toGateway(`/graphql?${searchOf(params)}`, { headers: { ...HEADERS, ...headers } })],
  [
    'POST of a trusted document',
    ({ query: _, ...params }, headers) =>
      toGateway('/graphql', post(JSON.stringify({ ...params, documentId: TRUSTED_ID }), headers)),
  ],
  ['POST to fetch', (params, headers) => toHosted('/graphql', post(JSON.stringify(params), headers))],
  [
    'GET to fetch',
    (params, headers) => toHosted(`/graphql?${searchOf(params)}`, { headers: { ...HEADERS, ...headers } }),
  ],
];

/** What is sent beside a query, and changes nothing. */
const IGNORED: readonly (readonly [what: string, params: Params])[] = [
  ['an empty name of the operation', { operationName: '' }],
  ['onError', { onError: 'NULL' }],
  ['a member of another protocol', { id: '1', type: 'start', extra: { query: 'x' } }],
  ['a member with the name of a method', { constructor: 1, toString: null }],
  ['null for what is absent', { operationName: null, extensions: null }],
  ['unknown extensions', { extensions: { tracing: true } }],
];

/** Accept headers with the media type of the answer. */
const ACCEPTED: readonly (readonly [accept: string, mediaType: string])[] = [
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  [`${GRAPHQL_JSON}, ${JSON_TYPE}`, GRAPHQL_JSON],
  [`${JSON_TYPE}, ${GRAPHQL_JSON}`, JSON_TYPE],
  [`${JSON_TYPE}; charset="utf-8"`, JSON_TYPE],
  [`${GRAPHQL_JSON};charset=UTF8`, GRAPHQL_JSON],
  [`${GRAPHQL_JSON.toUpperCase()} ; Charset="UTF-8" ; q=0.5`, GRAPHQL_JSON],
  [`${GRAPHQL_JSON}; q=0.5; charset=utf-8, ${JSON_TYPE}; q=.4`, GRAPHQL_JSON],
  [`${JSON_TYPE};q=0.4, ${GRAPHQL_JSON};q=0.9`, GRAPHQL_JSON],
  [`${GRAPHQL_JSON};`, GRAPHQL_JSON],
  [`${GRAPHQL_JSON};charset=, text/csv`, GRAPHQL_JSON],
  [`text/csv; header="a,${JSON_TYPE}", ${GRAPHQL_JSON}`, GRAPHQL_JSON],
  [`${JSON_TYPE}; charset=latin1, ${GRAPHQL_JSON}; charset=utf-8`, GRAPHQL_JSON],
  [`${JSON_TYPE};q=0, */*`, GRAPHQL_JSON],
  [`${GRAPHQL_JSON};q=0.1, */*;q=0.9`, JSON_TYPE],
  ['image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE],
  ['application/json;q=high', JSON_TYPE],
];

const REFUSED = [
  `${JSON_TYPE};q=0`,
  `${JSON_TYPE}; charset="utf-16"`,
  'application/json/x',
  '*/*;q=0',
  '"application/json"',
];

describe.each(WAYS)('%s', (way, send) => {
  it.each(IGNORED)('ignores %s', async (_what, params) => {
    const response = await send({ ...PARAMS, ...params }, {});
    expect([response.status, await response.json()]).toEqual([200, ANSWER]);
  });

  it.each(ACCEPTED)('answers to Accept: %s', async (accept, mediaType) => {
    for (const params of [PARAMS, { ...PARAMS, operationName: 'Other' }]) {
      const response = await send(params, { accept });
      const { data, errors } = await response.json();
      expect([response.headers.get('content-type'), data, errors?.length]).toEqual([
        `${mediaType}; charset=utf-8`,
        ...(params === PARAMS ? [ANSWER.data, undefined] : [undefined, 1]),
      ]);
    }
  });

  it.each(REFUSED)('refuses Accept: %s', async (accept) => {
    expect((await send(PARAMS, { accept })).status).toBe(406);
  });

  it('takes no byte order mark for a part of a text', async () => {
    const query = way.includes('trusted') ? QUERY : `${MARK}${QUERY}`;
    expect(await (await send({ ...PARAMS, query }, {})).json()).toEqual(ANSWER);
    if (!way.startsWith('GET')) return;
    expect(await (await send({ ...PARAMS, variables: `${MARK}{"if":true}` }, {})).json()).toEqual(ANSWER);
  });
});

describe('a body', () => {
  const POSTS = [
    ['the gateway', toGateway],
    ['a host', toHosted],
  ] as const;

  it.each(POSTS)('to %s may begin with a byte order mark, but with one only', async (_name, to) => {
    const statusOf = async (text: string) => (await to('/graphql', post(text, {}))).status;
    const text = JSON.stringify(PARAMS);
    const large = JSON.stringify({ ...PARAMS, extensions: { x: 'x'.repeat(100_000) } });
    expect(await Promise.all([MARK + text, MARK + large, MARK + MARK + text].map(statusOf))).toEqual([200, 200, 400]);
  });

  it.each([
    'application/json; charset="utf-8"',
    'application/json; charset=UTF8',
    'Application/JSON;charset=utf-8;',
    'application/json; profile="a;charset=latin1"; CHARSET=utf-8',
    'application/json ;charset=',
  ])('of the type %s is read by every route', async (type) => {
    const headers = { 'content-type': type };
    expect((await toGateway('/graphql', post(JSON.stringify(PARAMS), headers))).status).toBe(200);
    expect((await toHosted('/graphql', post(JSON.stringify(PARAMS), headers))).status).toBe(200);
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const accept = 'application/json, text/event-stream';
    expect((await toGateway('/mcp', post(MARK + message, { ...headers, accept }))).status).toBe(200);
    const put = { ...post(`${MARK}[{"article_id":"a1"}]`, headers), method: 'PUT' };
    expect((await toGateway('/v2/Articles/bulkupdate', put)).status).toBe(200);
  });
});
