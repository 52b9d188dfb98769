import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

const LONG = 'x'.repeat(12_000);

/** The longest part of a text of somebody else that an answer may repeat, in characters. */
const MAX_ECHO = 600;

const query = (text: string, variables: object = {}) => JSON.stringify({ query: text, variables });

const HEADERS = ['Content-Type: application/json', `api_token: ${TOKEN}`];

/** Requests with a long text in one place. */
const REQUESTS: readonly (readonly [place: string, request: Parameters<typeof rawRequest>[0]])[] = [
  ...[
    'x-request-id',
    'traceparent',
    'if-none-match',
    'origin',
    'accept',
    'content-type',
    'api_token',
    'authorization',
    'cache-control',
    'user-agent',
    'mcp-protocol-version',
  ].flatMap((name) =>
    (['/graphql?query={__typename}', '/mcp', '/v2/Articles/a1', '/health/live', '/nothing'] as const).map(
      (target) => [`${name} of ${target}`, { target, headers: [...HEADERS.slice(1), `${name}: ${LONG}`] }] as const,
    ),
  ),
  ...[
    '/',
    '/graphql/',
    '/console/',
    '/v2/',
    '/v2/Articles/',
    '/v2/Articles/a1/',
    '/v2/Readers/groups/',
    '/graphql?query=',
    '/graphql?documentId=',
    '/graphql?query={__typename}&operationName=',
  ].map(
    (target) =>
      [target, { target: `${target}${LONG}`, headers: [...HEADERS.slice(1), 'graphql-require-preflight: 1'] }] as const,
  ),
  ...[
    query(`{ ${LONG} }`),
    query(`query ($${LONG}: ID!) { __typename }`),
    query(`{ __typename @${LONG} }`),
    query(`{ ...${LONG} }`),
    query(`{ article(articleId: "${LONG}") { title } }`),
    query(`{ article(articleId: "a1", languageCode: "${LONG}") { title } }`),
    query(`{ articles(languageCode: "${LONG}") { nodes { title } } }`),
    query(`{ articles(orderBy: ${LONG}) { nodes { title } } }`),
    query(`{ articles(after: "${LONG}") { nodes { title } } }`),
    query(`{ node(id: "${LONG}") { id } }`),
    query('query ($at: DateTime) { articles(filter: { modifiedSince: $at }) { totalCount } }', { at: LONG }),
    query('query ($first: Int) { readers(first: $first) { totalCount } }', { first: LONG }),
    query('query ($id: ID!) { readerGroup(groupId: $id) { title } }', { [LONG]: 1, id: { [LONG]: 1 } }),
    query(
      `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "${LONG}" }] }) { ... on ValidationError { message issues { message } } } }`,
    ),
    query(
      `mutation { publishArticles(input: { articles: [{ articleId: "a1" }], userId: "${LONG}" }) { ... on ValidationError { message issues { message } } } }`,
    ),
    query(
      `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1" }] }, idempotencyKey: "${LONG}") { ... on MutationError { message } } }`,
    ),
    JSON.stringify({ query: '{ __typename }', operationName: LONG }),
    JSON.stringify({ documentId: LONG }),
    JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: LONG } } }),
    `{"${LONG}`,
  ].map((body) => [body.slice(0, 60), { method: 'POST', headers: HEADERS, body }] as const),
];

describe('a long text is not echoed', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it.each(REQUESTS)('in an answer: %s', async (_place, request) => {
    const { headers, body } = await sendRaw(gateway.url, rawRequest(request));
    const answer = [...headers].flat().concat(body).join('\n');
    expect(/x{601,}/u.exec(answer)?.[0].length ?? 0).toBeLessThanOrEqual(MAX_ECHO);
  });
});
