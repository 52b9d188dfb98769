import { hash } from 'node:crypto';
import { css, js } from '@graphql-yoga/render-graphiql/graphiql';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROUTE_TRAITS } from '../../../src/server/http/route.ts';
import { FACADE_ROUTES } from '../../../src/store/facade/routes.ts';
import { connectTo } from '../../mcp/mcp-client.ts';
import { envelope, type FaultyService, json, openFaultyService } from '../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../support/gateway.ts';
import { openJwtIssuer } from '../../support/jwt-issuer.ts';
import { openBackendTo } from '../../support/rest-scene.ts';
import { specificSchemaNames, toldNames } from '../../support/schema-names.ts';
import { clientsOf } from '../auth/harness.ts';

const NAMES = specificSchemaNames();

const PATHS = [
  ...new Set(Object.values(ROUTE_TRAITS).flatMap(({ paths }) => paths)),
  ...new Set(FACADE_ROUTES.map(({ path }) => path)),
  '/schema.graphql?federation',
  '/nothing',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const ACCEPTED = ['*/*', 'text/html', 'application/json', 'application/graphql-response+json', 'text/event-stream'];

/** The headers of callers whom nobody knows. */
const STRANGERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { api_token: 'wrong' },
  { 'x-api-token': 'wrong' },
  { authorization: 'Bearer wrong' },
];

/** A trusted document, whose ID is `known`. */
const TRUSTED = '{ readerGroups { totalCount } }';

/** Asks for a document by its hash, as Apollo's clients do. */
const documentOf = (text: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: hash('sha256', text) } },
});

const manyArticles = (field: string): string =>
  `{ ${Array.from({ length: 90 }, (_, at) => `a${at}: article(articleId: "${at}") { ${field} }`).join(' ')} }`;

/** The same requests with a name of the schema, and with one that is none. */
const PROBES: readonly (readonly [known: object, unknown: object])[] = [
  ...[
    ['{ readerGroups { totalCount } }', 'readerGroups', 'readerGrups'],
    ['{ readerGroups(first: "x") { nodes { accessScope { rawLevel } } } }', 'rawLevel', 'rawLevl'],
    ['{ readerGroups }', 'readerGroups', 'readerGrops'],
    ['{ articles(orderBy: MODIFIED_AT) { totalCount } }', 'MODIFIED_AT', 'MODIFIED_AR'],
    ['{ node(id: 1) { ... on ReaderGroup { groupId } } }', 'ReaderGroup', 'ReaderGrup'],
    ['mutation { updateReaderGroup(input: {}) { __typename } }', 'updateReaderGroup', 'updateReaderGrup'],
    ['mutation { updateReaderGroup(input: { groupId: "" }) { __typename } }', 'groupId', 'grupId'],
    ['{ __type(name: "ReaderGroup") { fields { name } } }', 'ReaderGroup', 'ReaderGrup'],
    ['{ _service { sdl } }', '_service', '_servize'],
    [
      '{ _entities(representations: [{ __typename: "ReaderGroup", id: "x" }]) { __typename } }',
      'ReaderGroup',
      'RederGroup',
    ],
    ['{ __typename @include(if: 1) }', 'include', 'inclde'],
  ].map(([query = '', name = '', other = '']) => [{ query }, { query: query.replace(name, other) }] as const),
  [
    {
      query: 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }',
      variables: { input: { titel: 1 } },
    },
    {
      query: 'mutation ($input: UpdateReaderGrupInput!) { updateReaderGroup(input: $input) { __typename } }',
      variables: { input: { titel: 1 } },
    },
  ],
  [{ query: getIntrospectionQuery() }, { query: '{ __typename }' }],
  [{ documentId: 'known' }, { documentId: 'other' }],
  [documentOf(TRUSTED), documentOf('{ readerGrups { totalCount } }')],
  // The first costs too many calls.
  [{ query: manyArticles('versionNumber') }, { query: manyArticles('versionNumbr') }],
  ...['initialize', 'tools/list', 'resources/list', 'prompts/list', 'completion/complete', 'tools/call'].map(
    (method) =>
      [
        { jsonrpc: '2.0', id: 1, method, params: { name: 'update_reader_group', arguments: {} } },
        { jsonrpc: '2.0', id: 1, method, params: { name: 'update_reader_grup', arguments: {} } },
      ] as const,
  ),
  [[{}], [[]]],
];

/** The library's own part of the page of GraphiQL, which is the same for every schema. */
const LIBRARY = css + js;

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | null;
}

/** The answer as a text with its status and its headers. The ID of the request is the same in all of them. */
async function send({ url }: Gateway, { path, method, headers, body }: Sent): Promise<string> {
  const ask = async () => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, 'x-request-id': 'walk', ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      redirect: 'manual',
    });
    const answered = [...response.headers].filter(([name]) => name !== 'date');
    return `${response.status} ${JSON.stringify(answered)} ${await response.text()}`;
  };
  // The server may end a connection that was idle for long just when the next request is sent on it.
  return ask().catch(ask);
}

/** The names in each answer: most requests have the same few. */
const namesByAnswer = new Map<string, readonly string[]>();

function namesToldIn(answer: string, { path, body }: Sent): readonly string[] {
  const names =
    namesByAnswer.get(answer) ?? toldNames(answer, answer.includes('<!doctype html>') ? LIBRARY : '', NAMES);
  namesByAnswer.set(answer, names);
  return names.filter((name) => !`${path} ${JSON.stringify(body)}`.includes(name));
}

/** Requests of strangers: each path with each method, kind of answer and stranger, and with each probe. */
function* walk(): Generator<readonly [known: Sent, unknown: Sent]> {
  for (const path of PATHS) {
    for (const method of METHODS) {
      for (let index = 0; index < Math.max(PROBES.length, ACCEPTED.length * STRANGERS.length); index += 1) {
        const headers = { ...STRANGERS[index % STRANGERS.length], accept: ACCEPTED[index % ACCEPTED.length] ?? '' };
        const [known, unknown] = PROBES[index % PROBES.length] ?? [{}, {}];
        yield [withProbe({ path, method, headers }, known), withProbe({ path, method, headers }, unknown)];
      }
    }
  }
}

/** Puts the probe into the query or the body. */
function withProbe({ path, method, headers }: Omit<Sent, 'body'>, probe: object): Sent {
  if (method !== 'GET' && method !== 'HEAD') return { path, method, headers, body: probe };
  const params = Object.entries(probe).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    path: `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`,
    method,
    headers,
    body: null,
  };
}

/** A service that accepts one token. */
async function openService(): Promise<FaultyService> {
  const service = await openFaultyService();
  const refused = json(401, { success: false, errors: [{ description: 'The API token is not valid.' }] });
  const accepted = json(200, envelope([]));
  service.onAny((response, request) =>
    (request.headers['api_token'] === TOKEN ? accepted : refused)(response, request),
  );
  return service;
}

const SETTINGS = {
  token: TOKEN,
  introspection: false,
  mcpWrites: 'on',
  trustedTexts: new Map([['known', TRUSTED]]),
} as const;

interface Scene {
  readonly options: GatewayOptions;
  readonly service?: FaultyService;
  readonly close?: () => Promise<unknown>;
}

/** Each kind of backend, and of authentication. */
const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
  'the store': async () => ({ options: { ...SETTINGS, backend: await openFixtureStore(), local: true } }),
  'the service': async () => {
    const service = await openService();
    const options = { ...SETTINGS, backend: openBackendTo(service), local: false };
    return { options, service, close: () => service.close() };
  },
  'client authentication': async () => {
    const issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN });
    return {
      options: { ...SETTINGS, backend: await openFixtureStore(), local: true, clients },
      close: () => issuer.close(),
    };
  },
};

describe.each(Object.entries(SCENES))('without introspection, over %s, a stranger', (_name, openScene) => {
  let gateway: Gateway;
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    gateway = await startGateway(scene.options);
  });
  afterAll(async () => {
    await gateway.close();
    await scene.close?.();
  });

  it('is told no name of the schema by any route, and not whether a name is one', async () => {
    const requests = walk();
    const broken: object[] = [];
    const sendNext = async () => {
      for (const [known, unknown] of requests) {
        const [answer, other] = [await send(gateway, known), await send(gateway, unknown)];
        const names = [...namesToldIn(answer, known), ...namesToldIn(other, unknown)];
        if (names.length > 0 || answer !== other) broken.push({ known, unknown, names, answer: answer.slice(0, 500) });
      }
    };
    await Promise.all(Array.from({ length: 8 }, sendNext));
    expect(broken.slice(0, 3)).toEqual([]);
  });
});

describe('without introspection, an accepted caller', () => {
  it.each(['the store', 'the service'])('over %s is answered by GraphQL and MCP as always', async (name) => {
    const scene = await SCENES[name]?.();
    if (!scene) throw new Error('There is no such scene.');
    const gateway = await startGateway(scene.options);
    onTestFinished(async () => {
      await gateway.close();
      await scene.close?.();
    });
    expect((await gateway.send('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
    expect((await gateway.send('{ readerGrups }')).body.errors?.[0]?.message).toContain('"readerGrups"');
    const client = await connectTo(gateway.url, { api_token: TOKEN });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    // The first request has asked the service, which nothing else of these does.
    expect(scene.service?.received.length).toBe(name === 'the service' ? 1 : undefined);
  });

  it('is told to wait while the service does not tell whether it accepts the token', async () => {
    const service = await openFaultyService();
    service.onAny(json(503, {}));
    const gateway = await startGateway({ ...SETTINGS, backend: openBackendTo(service), local: false });
    onTestFinished(async () => {
      await gateway.close();
      await service.close();
    });
    const { status, body } = await gateway.send('{ readerGroups { totalCount } }');
    expect([status, body.errors?.[0]?.extensions?.['code']]).toEqual([503, 'UNAVAILABLE']);
  });
});
