import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_ERRORS } from '../../../../src/core/request-errors.ts';
import { createSchema } from '../../../../src/graphql/schema/schema.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...JSON_TYPE, accept: 'application/graphql-response+json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A request for each code, and the status of its response. */
const REQUESTS: Readonly<Record<string, readonly [status: number, request: RequestInit]>> = {
  BAD_REQUEST: [400, post('{')],
  BAD_USER_INPUT: [400, post({ query: 'query ($id: ID!) { node(id: $id) { id } }' })],
  CSRF_PREVENTED: [403, post('{ __typename }', { 'content-type': 'text/plain' })],
  GRAPHQL_PARSE_FAILED: [400, post({ query: '{' })],
  GRAPHQL_VALIDATION_FAILED: [400, post({ query: '{ nothing }' })],
  LIMIT_EXCEEDED: [400, post({ query: `{ ${'a { '.repeat(20)} a ${'} '.repeat(20)} }` })],
  NOT_ACCEPTABLE: [406, post({ query: '{ __typename }' }, { accept: 'text/event-stream' })],
  OPERATION_RESOLUTION_FAILURE: [400, post({ query: '{ __typename }', operationName: 'Other' })],
  PERSISTED_QUERY_NOT_FOUND: [400, post({ documentId: 'unknown' })],
  PERSISTED_QUERY_NOT_SUPPORTED: [400, post({ extensions: { persistedQuery: { version: 2 } } })],
  PERSISTED_QUERY_ONLY: [400, post({ query: '{ __typename }' })],
  REQUEST_ENTITY_TOO_LARGE: [413, post({ query: '{ __typename }', variables: { text: 'x'.repeat(10_000) } })],
  UNSUPPORTED_MEDIA_TYPE: [415, post('{}', { 'content-type': 'application/xml' })],
};

const errorCodes = (): readonly string[] =>
  Object.keys(Object(createSchema().getType('ErrorCode')?.toConfig()).values ?? {});

const codesIn = (pattern: string): readonly string[] => [
  ...new Set(
    globSync(pattern).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bcode(?::|: RequestErrorCode =) '([A-Z_]+)'/gu)].map(
        ([, code = '']) => code,
      ),
    ),
  ),
];

describe('a request that is refused as it stands', () => {
  let gateway: Gateway;
  let trustedOnlyGateway: Gateway;
  beforeAll(async () => {
    const start = async (trustedOnly: boolean) =>
      startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, maxBodyBytes: 5_000, trustedOnly });
    [gateway, trustedOnlyGateway] = await Promise.all([start(false), start(true)]);
  });
  afterAll(() => Promise.all([gateway.close(), trustedOnlyGateway.close()]));

  // As in https://github.com/ChilliCream/graphql-platform/issues/7442
  it('names the parameter of a URL that is not JSON', async () => {
    const headers = { 'graphql-require-preflight': 'x' };
    const messageOf = async (parameter: string) => {
      const response = await fetch(`${gateway.url}/graphql?query={__typename}&${parameter}={bad`, { headers });
      return (await response.json()).errors[0].message;
    };
    expect(await messageOf('variables')).toBe('"variables" is not JSON (position 1).');
    expect(await messageOf('extensions')).toBe('"extensions" is not JSON (position 1).');
  });

  it.each(Object.entries(REQUESTS))('has the code %s', async (code, [status, request]) => {
    const { url } = code === 'PERSISTED_QUERY_ONLY' ? trustedOnlyGateway : gateway;
    const response = await fetch(`${url}/graphql`, request);
    const body = await response.json();
    expect([response.status, Object.keys(body), body.errors[0].extensions.code]).toEqual([status, ['errors'], code]);
  });

  it('has no other code: each that the gateway or Yoga creates is described, and none is a value of ErrorCode', () => {
    expect(Object.keys(REQUESTS)).toEqual(Object.keys(REQUEST_ERRORS));
    const known = [...Object.keys(REQUEST_ERRORS), ...errorCodes()];
    expect(new Set(known).size).toBe(known.length);
    const ours = codesIn('src/{graphql,server}/**/*.ts');
    expect(ours).toContain('CSRF_PREVENTED');
    expect(ours.filter((code) => !known.includes(code))).toEqual([]);
    const ofYoga = codesIn('node_modules/graphql-yoga/esm/**/*.js');
    // Yoga has this code for errors that nobody masks.
    expect(ofYoga.filter((code) => !known.includes(code))).toEqual(['INTERNAL_SERVER_ERROR']);
  });

  it('has a code that introspection explains', async () => {
    const { body } = await gateway.send('{ __schema { description } }', {}, {});
    const { description } = Object(body.data?.['__schema']);
    const rows = [...description.matchAll(/^- `([A-Z_]+)`: (.*)$/gmu)];
    expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).toEqual(REQUEST_ERRORS);
  });

  it('has a code that the page of errors explains as the schema does', () => {
    const [, page = ''] = readFileSync(join('docs', 'reference', 'errors.md'), 'utf8').split(
      '## Codes of refused requests',
    );
    const rows = page.matchAll(/^\| `([A-Z_]+)` \| (.*) \|$/gmu);
    expect(Object.fromEntries([...rows].map(([, code, meaning]) => [code, meaning]))).toEqual(REQUEST_ERRORS);
  });
});
