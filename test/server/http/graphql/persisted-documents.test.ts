import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

const LIST = 'query ListGroups($first: Int) { readerGroups(first: $first) { totalCount } }';
const BOTH = 'query One { readerGroups { totalCount } } query Two { projectVersions { name } }';
const UPDATE = 'mutation Update { bulkUpdateArticles(input: { articles: [{ articleId: "a1" }] }) { __typename } }';
const TRUSTED = new Map([
  ['list', LIST],
  ['both', BOTH],
  ['update', UPDATE],
]);

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');
const persistedQuery = (sha256Hash: unknown, version = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});

type Params = Readonly<Record<string, unknown>>;
type Send = (url: string, params: Params) => Promise<Response>;

const HEADERS = { api_token: TOKEN, accept: 'application/graphql-response+json' };
const post =
  (path: string): Send =>
  (url, params) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify(params),
    });

/** A query string beside the path leads to Yoga. */
const WAYS: Readonly<Record<string, Send>> = {
  'the fast path': post('/graphql'),
  Yoga: post('/graphql?way=yoga'),
  GET: (url, params) => {
    const search = Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return fetch(`${url}/graphql?${new URLSearchParams(search)}`, { headers: HEADERS });
  },
};

async function answerOf(send: Send, url: string, params: Params): Promise<unknown> {
  const response = await send(url, params);
  const { data, errors } = await response.json();
  return data ?? [response.status, errors.length, errors[0].extensions.code, errors[0].message];
}

const ONLY = [
  400,
  1,
  'PERSISTED_QUERY_ONLY',
  'The gateway executes trusted documents only. Send the ID of one as "documentId", and no "query".',
];
const NOT_FOUND = [400, 1, 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound'];

let also: Gateway;
let only: Gateway;
beforeAll(async () => {
  const start = async (trustedOnly: boolean) =>
    startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, trustedTexts: TRUSTED, trustedOnly });
  [also, only] = await Promise.all([start(false), start(true)]);
});
afterAll(() => Promise.all([also.close(), only.close()]));

describe.each(Object.entries(WAYS))('trusted documents by %s', (_way, send) => {
  it.each([
    ['documentId', { documentId: 'list' }],
    ['documentId with the SHA-256 of the text', { documentId: `sha256:${sha256Of(LIST)}` }],
    ['the extension of Apollo with the ID', persistedQuery('list')],
    ['the extension of Apollo with the SHA-256 of the text', persistedQuery(sha256Of(LIST))],
  ])('are executed by %s, also where nothing else is', async (_name, params) => {
    for (const { url } of [also, only]) {
      expect(await answerOf(send, url, { ...params, variables: { first: 2 } })).toEqual({
        readerGroups: { totalCount: expect.any(Number) },
      });
    }
  });

  it('may have several operations', async () => {
    const params = { documentId: 'both', operationName: 'Two' };
    expect(await answerOf(send, only.url, params)).toEqual({ projectVersions: expect.any(Array) });
    expect(await answerOf(send, only.url, { documentId: 'both' })).toContain('OPERATION_RESOLUTION_FAILURE');
  });

  it.each([
    [{ documentId: 'other' }, 'PERSISTED_QUERY_NOT_FOUND', 'The gateway has no document with this "documentId".'],
    [{ documentId: 'list', query: LIST }, 'BAD_REQUEST', 'A request must have either "query" or "documentId".'],
    [
      { documentId: 'list', ...persistedQuery('list') },
      'BAD_REQUEST',
      'A request must have either "documentId" or "extensions.persistedQuery".',
    ],
    [persistedQuery('other'), 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound'],
    [persistedQuery('list', 2), 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported'],
    [persistedQuery(7), 'BAD_REQUEST', '"extensions.persistedQuery" must be { "version": 1, "sha256Hash": "…" }.'],
    [
      { extensions: { persistedQuery: true } },
      'BAD_REQUEST',
      '"extensions.persistedQuery" must be { "version": 1, "sha256Hash": "…" }.',
    ],
  ])('are named in one known way: %j', async (params, code, message) => {
    expect(await answerOf(send, also.url, params)).toEqual([400, 1, code, message]);
  });

  it('are the only ones where the operator says so: texts are refused before they are parsed', async () => {
    const { url } = only;
    for (const query of [LIST, '{ __typename }', '{', `{ ${'a '.repeat(5_000)} }`]) {
      expect(await answerOf(send, url, { query })).toEqual(ONLY);
      expect(await answerOf(send, url, { query, ...persistedQuery(sha256Of(query)) })).toEqual(ONLY);
      expect(await answerOf(send, url, { query, documentId: 'list' })).toEqual(ONLY);
    }
    expect(await answerOf(send, url, {})).toEqual(ONLY);
    expect(await answerOf(send, url, persistedQuery(sha256Of('{ __typename }')))).toEqual(NOT_FOUND);
  });
});

describe('a trusted mutation', () => {
  it('is refused by GET', async () => {
    const response = await fetch(`${only.url}/graphql?documentId=update`, { headers: HEADERS });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answerOf(post('/graphql'), only.url, { documentId: 'update' })).toEqual({
      bulkUpdateArticles: { __typename: expect.any(String) },
    });
  });
});

describe('automatic persisted queries', () => {
  const text = (field: string) => `query { ${field} { name } }`;

  it.each(Object.entries(WAYS))('are registered by their hash and text, by %s', async (way, send) => {
    const query = `${text('projectVersions')} # ${way}`;
    const hash = persistedQuery(sha256Of(query));
    const versions = { projectVersions: expect.any(Array) };
    expect(await answerOf(send, also.url, hash)).toEqual(NOT_FOUND);
    expect(await answerOf(send, also.url, { ...hash, query })).toEqual(versions);
    for (const other of Object.values(WAYS)) expect(await answerOf(other, also.url, hash)).toEqual(versions);
  });

  it.each(Object.entries(WAYS))('are never registered by the hash of another text, by %s', async (_way, send) => {
    const hash = persistedQuery(sha256Of(text('unknown')));
    const wrong = '"sha256Hash" must be the SHA-256 of "query" in lower-case hexadecimal.';
    expect(await answerOf(send, also.url, { ...hash, query: LIST })).toEqual([400, 1, 'BAD_REQUEST', wrong]);
    expect(await answerOf(send, also.url, hash)).toEqual(NOT_FOUND);
  });

  it('are registered only when they are valid', async () => {
    const query = text('nothing');
    const hash = persistedQuery(sha256Of(query));
    expect(await answerOf(post('/graphql'), also.url, { ...hash, query })).toContain('GRAPHQL_VALIDATION_FAILED');
    expect(await answerOf(post('/graphql'), also.url, hash)).toEqual(NOT_FOUND);
  });

  it('are no texts: a hash as text is not GraphQL, and a text as hash names nothing', async () => {
    const query = text('projectVersions');
    await answerOf(post('/graphql'), also.url, { ...persistedQuery(sha256Of(query)), query });
    expect(await answerOf(post('/graphql'), also.url, { query: sha256Of(query) })).toContain('GRAPHQL_PARSE_FAILED');
    await answerOf(post('/graphql'), also.url, { query: `${query} ` });
    expect(await answerOf(post('/graphql'), also.url, persistedQuery(`${query} `))).toEqual(NOT_FOUND);
  });

  it('work without trusted documents, take the place of the oldest, and never that of trusted ones', async () => {
    const gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      trustedTexts: TRUSTED,
      limits: { queryCacheBytes: 200_000 },
    });
    const send = (params: Params) => answerOf(post('/graphql'), gateway.url, params);
    const queries = Array.from({ length: 60 }, (_, index) => `query Q${index} { projectVersions { name } }`);
    for (const query of queries) await send({ ...persistedQuery(sha256Of(query)), query });
    const found = await Promise.all(queries.map((query) => send(persistedQuery(sha256Of(query)))));
    const first = found.findIndex((answer) => !Array.isArray(answer));
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(queries.length);
    expect(found.slice(0, first)).toEqual(Array.from({ length: first }, () => NOT_FOUND));
    expect(found.slice(first).filter(Array.isArray)).toEqual([]);
    expect(await send({ documentId: 'list' })).toHaveProperty('readerGroups');
    await gateway.close();
  });
});
