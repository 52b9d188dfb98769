import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { MemoryBudget } from '../../../src/server/http/memory.ts';
import { recordRequestEnds } from '../../../src/server/http/request-end.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type GatewayOptions, startGateway } from '../../support/gateway.ts';
import { type RawRequest, rawRequest, sendRaw } from '../../support/raw-http.ts';
import { valuesBy } from '../../support/scrape.ts';
import { openMetrics } from './open-metrics.ts';

const COUNT = 'http_server_request_duration_seconds_count';
const REQUEST = ['http_request_method', 'http_route', 'http_response_status_code'];

async function start(settings: Partial<GatewayOptions> = {}) {
  const { metrics, samples } = await openMetrics();
  const onRequestEnd = [recordRequestEnds(metrics)];
  const backend = await openFixtureStore();
  const gateway = await startGateway({ backend, local: true, token: TOKEN, ...settings, onRequestEnd });
  onTestFinished(gateway.close);
  return { ...gateway, samples };
}

const post = (body: string, headers: readonly string[] = [`api_token: ${TOKEN}`]): RawRequest => ({
  method: 'POST',
  headers: ['content-type: application/json', ...headers],
  body,
});

const UPDATE = `mutation { bulkUpdateArticles(input: { articles: [
  { articleId: "nothing", title: "A" }, { articleId: "neither", title: "B" }
] }) { __typename } }`;

it('each request is counted once, whatever way it takes', async () => {
  const { url, samples } = await start({ maxBodyBytes: 1_000 });
  const requests: readonly RawRequest[] = [
    post('{"query":"{ __typename }"}'),
    post('{"query":"{ __typename }"}', [`api_token: ${TOKEN}`, 'accept: application/graphql-response+json']),
    { ...post('{"query":"{ __typename }"}'), target: '/graphql?by=yoga' },
    { target: '/graphql?query={__typename}', headers: ['graphql-require-preflight: 1'] },
    { target: '/graphql', headers: ['accept: text/html'] },
    post('{"query":"{"}', ['accept: application/graphql-response+json']),
    post(JSON.stringify({ query: UPDATE })),
    post(' '.repeat(2_000)),
    { target: '/v2/nothing', headers: [`api_token: ${TOKEN}`] },
    { target: '/v2/nothing' },
    { target: '/health/live', method: 'HEAD' },
    { target: '/nothing' },
    { target: '/graphql', method: 'PROPFIND' },
    { target: '/graphql', host: 'a/b' },
  ];
  for (const request of requests) expect(await sendRaw(url, rawRequest(request))).toHaveProperty('headers');
  const page = await samples();
  expect(valuesBy(page, COUNT, REQUEST)).toEqual({
    'POST /graphql 200': 4,
    'GET /graphql 200': 2,
    'POST /graphql 400': 1,
    'POST /graphql 413': 1,
    'GET /v2 404': 1,
    'GET /v2 401': 1,
    'HEAD /health/live 200': 1,
    '_OTHER - 404': 1,
    '_OTHER /graphql 403': 1,
    'GET /graphql 400': 1,
  });
});

it('a request that is refused for its rate or for memory is counted by its cause', async () => {
  const limited = await start({ callerRequestsPerMinute: 1 });
  for (const _ of [1, 2, 3]) await limited.send('{ __typename }');
  expect(valuesBy(await limited.samples(), 'kb_gateway_refused_requests_total', ['cause'])).toEqual({
    caller_rate_limit: 2,
    memory: 0,
    overload: 0,
  });
  const full = await start({ memory: new MemoryBudget({ maxBytes: 0, reservedBytes: 0 }) });
  expect((await full.send('{ __typename }')).status).toBe(503);
  expect(valuesBy(await full.samples(), 'kb_gateway_refused_requests_total', ['cause'])).toEqual({
    caller_rate_limit: 0,
    memory: 1,
    overload: 0,
  });
});

it('errors are counted by their code, each that queries and mutations answer', async () => {
  const { url, samples } = await start({ maxBodyBytes: 1_000 });
  const queries = [
    '{ __typename }',
    '{ a: readerGroups(first: 0) { totalCount } b: readerGroups(first: 0) { totalCount } }',
    'mutation { bulkUpdateArticles(input: { articles: [] }) { __typename } }',
    UPDATE,
    '{ nothing }',
    '{',
  ];
  for (const query of queries) {
    const body = JSON.stringify({ query });
    await sendRaw(url, rawRequest(post(body)));
    await sendRaw(url, rawRequest({ ...post(body), target: '/graphql?by=yoga' }));
  }
  await sendRaw(url, rawRequest(post(JSON.stringify({ query: '{ projectVersions { id } }' }), [])));
  await sendRaw(url, rawRequest(post(' '.repeat(2_000))));
  await sendRaw(url, rawRequest({ target: '/v2/nothing' }));
  const counts = valuesBy(await samples(), 'kb_gateway_graphql_errors_total', ['code']);
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'INTERNAL']));
  expect(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))).toEqual({
    VALIDATION_FAILED: 6,
    GRAPHQL_VALIDATION_FAILED: 2,
    GRAPHQL_PARSE_FAILED: 2,
    UNAUTHENTICATED: 1,
    REQUEST_ENTITY_TOO_LARGE: 1,
  });
});

/** Pipelined requests without a response; a connection with more than 100 is closed. */
const PIPELINED = 50;

/** Sends all requests on one connection, and waits for their responses. */
async function pipeline(url: string, requests: readonly RawRequest[]): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  for (let at = 0; at < requests.length; at += PIPELINED) {
    const batch = requests.slice(at, at + PIPELINED).map((request) => rawRequest(request).toString('latin1'));
    socket.write(batch.join('').replaceAll('Connection: close\r\n', ''));
    for (let text = ''; text.split('HTTP/1.1 ').length <= batch.length; ) text += (await once(socket, 'data'))[0];
  }
  socket.destroy();
}

it('the series are at most 500, and the usual ones are among them, whatever clients send', {
  tags: 'long',
}, async () => {
  const { url, send, samples } = await start();
  const upTo = Array.from({ length: 10_000 }, (_, n) => n);
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  const operations = upTo.map((n) => post(`{"query":"query Op${n} { __typename }"}`, [`api_token: ${n}`]));
  const targets = ['/', '/v2/p', '/graphql?p=', '/health/live?p=', '/schema.graphql?p=', '/p'];
  const paths = upTo.slice(0, 3_000).map((n) => ({
    method: methods[n % methods.length] ?? '',
    target: `${targets[Math.floor(n / methods.length) % targets.length]}${n}`,
  }));
  await Promise.all([pipeline(url, operations), pipeline(url, paths)]);
  await send('{', {}, { accept: 'application/graphql-response+json' });
  const page = await samples();
  expect(page.length).toBeLessThanOrEqual(500);
  const counts = valuesBy(page, COUNT, [...REQUEST, 'otel_metric_overflow']);
  expect(counts).toMatchObject({
    'POST /graphql 200 -': 10_000,
    'POST /graphql 400 -': 1,
    '- - - true': expect.any(Number),
  });
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(13_001);
  expect(Object.keys(counts).length).toBeLessThanOrEqual(36);
  expect(page.filter(({ labels }) => /Op\d|p\d/u.test(Object.values(labels).join(' ')))).toEqual([]);
});

it('operations of trusted documents are counted by their names, others without one, by both ways in', async () => {
  const trustedTexts = new Map([['versions', 'query Versions { projectVersions { name } }']]);
  const { url, samples } = await start({ trustedTexts });
  for (const target of ['/graphql', '/graphql?by=yoga']) {
    await sendRaw(url, rawRequest({ ...post('{"documentId":"versions"}'), target }));
    await sendRaw(url, rawRequest({ ...post('{"query":"query Own { projectVersions { name } }"}'), target }));
  }
  const counts = valuesBy(await samples(), COUNT, ['graphql_operation_name']);
  expect(counts).toEqual({ Versions: 2, '-': 2 });
});

it('operations beyond the places count without their names', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `Op${n}`);
  const { metrics, samples } = await openMetrics();
  for (const trustedOperation of names)
    metrics.recordRequest({ method: 'POST', route: '/graphql', status: 503, durationMs: 1, trustedOperation });
  const counts = valuesBy(await samples(), COUNT, ['http_response_status_code', 'graphql_operation_name']);
  expect(counts).toEqual({ ...Object.fromEntries(names.slice(0, 9).map((name) => [`503 ${name}`, 1])), '503 -': 3 });
});
