import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { MemoryBudget } from '../../../src/server/http/memory.ts';
import type { OnRequestEnd } from '../../../src/server/http/request-end.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../support/gateway.ts';
import { type RawRequest, rawRequest, sendRaw } from '../../support/raw-http.ts';

let gateway: Gateway;
afterEach(() => gateway.close());

async function start(settings: Partial<GatewayOptions> = {}) {
  const ends: Parameters<OnRequestEnd>[0][] = [];
  let onEnd = () => {};
  const onRequestEnd = (end: Parameters<OnRequestEnd>[0]) => {
    ends.push(end);
    onEnd();
  };
  const backend = settings.backend ?? (await openFixtureStore());
  gateway = await startGateway({ local: true, token: TOKEN, ...settings, backend, onRequestEnd: [onRequestEnd] });
  /** Resolves with all ends once there are so many. */
  const endsOf = (count: number): Promise<readonly Parameters<OnRequestEnd>[0][]> =>
    new Promise((resolve) => {
      onEnd = () => ends.length >= count && resolve(ends);
      onEnd();
    });
  return { endsOf };
}

const post = (body: string, headers: readonly string[] = []): RawRequest => ({
  method: 'POST',
  headers: ['content-type: application/json', `api_token: ${TOKEN}`, ...headers],
  body,
});

it.each<[string, RawRequest, object]>([
  ['the fast path', post('{"query":"{ __typename }"}'), { route: 'graphql', status: 200, method: 'POST' }],
  ['Yoga', { target: '/graphql?query={__typename}', headers: ['api_token: x'] }, { path: '/graphql', status: 200 }],
  ['a document that is not GraphQL', post('{"query":"{"}'), { route: 'graphql', status: 200 }],
  ['the façade', { target: '/V2/nothing?api=1' }, { route: 'facade', path: '/V2/nothing', status: 401 }],
  ['a page', { target: '/graphql', headers: ['accept: text/html'] }, { route: 'graphiql', status: 200 }],
  ['a health check', { target: '/health/live', method: 'HEAD' }, { route: 'live', status: 200, method: 'HEAD' }],
  ['an unknown path', { target: '/nothing' }, { route: 'none', status: 404 }],
  ['a refused target', { target: '//a/graphql' }, { route: 'none', path: '', status: 400 }],
  ['a refused host', { target: '/graphql', host: 'a/b' }, { route: 'graphql', status: 400 }],
  ['a refused form', { target: '/graphql?query={__typename}' }, { route: 'graphql', status: 403 }],
  ['a body that is too large', post(' '.repeat(2_000)), { route: 'graphql', status: 413 }],
])('the end of a request is told with what was sent: %s', async (_, request, expected) => {
  const { endsOf } = await start({ maxBodyBytes: 1_000 });
  await sendRaw(gateway.url, rawRequest(request));
  const [end] = await endsOf(1);
  expect(end).toMatchObject({ isComplete: true, ...expected });
  expect(end?.durationMs).toBeGreaterThan(0);
  expect(end?.facts.id).toMatch(/^[\da-f-]{36}$/u);
});

it('the end of a request without memory is told', async () => {
  const { endsOf } = await start({ memory: new MemoryBudget({ maxBytes: 0, reservedBytes: 0 }) });
  await sendRaw(gateway.url, rawRequest(post('{"query":"{ __typename }"}')));
  expect(await endsOf(1)).toMatchObject([{ route: 'graphql', status: 503, isComplete: true }]);
});

it('the end of a request that fails is told', async () => {
  const clients = { apiToken: null, identify: () => Promise.reject(new Error('a bug')) };
  const { endsOf } = await start({ clients, callerRequestsPerMinute: 1 });
  const { body } = await sendRaw(gateway.url, rawRequest(post('{"query":"{ __typename }"}')));
  const [end] = await endsOf(1);
  expect(end).toMatchObject({ status: 500, isComplete: true });
  const extensions = { code: 'INTERNAL', requestId: end?.facts.id };
  expect(JSON.parse(body)).toEqual({ errors: [{ message: 'Unexpected error.', extensions }] });
});

it('the end of a request whose client leaves is told without a status', async () => {
  const held = Promise.withResolvers<never>();
  const store = await openFixtureStore();
  const called = Promise.withResolvers<void>();
  const projectVersions = () => {
    called.resolve();
    return held.promise;
  };
  const { endsOf } = await start({ backend: { ...store, projectVersions } });
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write(rawRequest(post('{"query":"{ projectVersions { id } }"}')));
  await called.promise;
  socket.destroy();
  await once(socket, 'close');
  expect(await endsOf(1)).toMatchObject([{ route: 'graphql', status: null, isComplete: false }]);
});

it('each of pipelined requests has an end of its own', async () => {
  const { endsOf } = await start();
  const ask = (connection: string) => `GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
  await sendRaw(gateway.url, ask('keep-alive') + ask('keep-alive') + ask('close'));
  const ends = await endsOf(3);
  expect(new Set(ends.map(({ facts }) => facts.id)).size).toBe(3);
  expect(ends.map(({ status }) => status)).toEqual([200, 200, 200]);
});
