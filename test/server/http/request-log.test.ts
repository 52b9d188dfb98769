import { afterEach, describe, expect, it } from 'vitest';
import { type Log, silentLog } from '../../../src/core/base/log.ts';
import { type Metrics, noMetrics } from '../../../src/core/metrics.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import { createRequestLog } from '../../../src/server/http/request-end.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { envelope, hang, held, json, openFaultyService, status } from '../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../support/gateway.ts';
import { type RawRequest, rawRequest, sendRaw } from '../../support/raw-http.ts';

type Line = Readonly<Record<string, unknown>>;

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

/** A gateway whose lines are collected; `lines(n)` waits until there are so many. */
async function start(settings: Partial<GatewayOptions> = {}) {
  const written: Line[] = [];
  let onLine = () => {};
  const requestLog = createRequestLog((level, message, fields) => {
    written.push({ level, message, ...fields });
    onLine();
  });
  const backend = settings.backend ?? withPipeline(await openFixtureStore(), {});
  const gateway = await startGateway({ local: true, token: TOKEN, ...settings, backend, onRequestEnd: [requestLog] });
  closing.push(gateway.close);
  const lines = (count: number): Promise<readonly Line[]> =>
    new Promise((resolve) => {
      onLine = () => written.length >= count && resolve(written);
      onLine();
    });
  return { gateway, lines };
}

async function startOverRest(coalesces = false, { timeoutMs = 1_000, log = silentLog, metrics = noMetrics } = {}) {
  const service = await openFaultyService();
  closing.push(() => service.close());
  // Its answers are those of the updates, so nothing is read before them.
  const options = { timeoutMs, bulkSize: 100, maxReadCalls: 60, log, keepsHidden: false };
  const backend = openRestBackend({ baseUrl: service.url, ...options });
  return {
    service,
    ...(await start({
      backend: withPipeline(backend, { merging: coalesces ? mergeWrites({ maxItems: 100, metrics }) : null }),
      local: false,
    })),
  };
}

const send = ({ url }: Gateway, request: RawRequest) => sendRaw(url, rawRequest(request));

const update = (articleIds: readonly string[]) =>
  `mutation Retitle { bulkUpdateArticles(input: { articles: [${articleIds
    .map((articleId) => `{ articleId: "${articleId}", title: "hush" }`)
    .join(' ')}] }) { __typename } }`;

const answer = (...results: readonly (readonly [string, boolean])[]) =>
  json(200, envelope(results.map(([article_id, success]) => ({ article_id, success }))));

describe('the line of a request', () => {
  it('tells what was asked, answered and changed', async () => {
    const { gateway, lines } = await start();
    await gateway.send(update(['a1', 'missing']), {}, { api_token: TOKEN, 'x-request-id': 'one' });
    expect(await lines(1)).toEqual([
      {
        level: 'info',
        message: 'request',
        method: 'POST',
        path: '/graphql',
        status: 200,
        ms: expect.any(Number),
        operation: 'mutation',
        operationName: 'Retitle',
        updated: 1,
        failed: 1,
        unknown: 0,
        notAttempted: 0,
        upstreamCalls: 0,
        requestId: 'one',
      },
    ]);
  });

  it.each([
    '{ readerGroups { totalCount } }',
    update(['a1', 'missing']),
    '{ readerGroups(first: 0) { totalCount } }',
    '{ readerGroups(first: 0) { totalCount } articles(first: 0) { totalCount } node(id: "") { id } }',
    'mutation { bulkUpdateArticles(input: { articles: [] }) { __typename } }',
    '{ nothing }',
    '{',
  ])('is the same by the fast path and by Yoga: %s', async (query) => {
    const { gateway, lines } = await start();
    const headers = { api_token: TOKEN, 'x-request-id': 'one' };
    await gateway.send(query, {}, { ...headers, 'content-type': 'application/json' });
    // Yoga takes what is not written in the most frequent way.
    await gateway.send(query, {}, { ...headers, 'content-type': 'application/json;  charset=utf-8' });
    const [fast, slow] = (await lines(2)).map((line) => ({ ...line, ms: 0 }));
    expect(slow).toEqual(fast);
  });

  it('has no query, no more than 200 characters of a path, and 100 of a name', async () => {
    const { gateway, lines } = await start();
    await send(gateway, { target: `/v2/${'x'.repeat(1_000)}?hush` });
    await gateway.send(`query ${'n'.repeat(1_000)} { __typename }`);
    const [facade, named] = await lines(2);
    expect(facade).toMatchObject({ path: `/v2/${'x'.repeat(196)}…`, status: 401 });
    expect(named).toMatchObject({ operation: 'query', operationName: 'n'.repeat(100) });
  });

  it('has the path alone of a URL, and no target that is no path: both may hold a password', async () => {
    const { gateway, lines } = await start();
    await send(gateway, { target: 'http://user:hush@a/graphql' });
    await send(gateway, { target: '//user:hush@a/graphql' });
    expect((await lines(2)).map(({ path, status: code }) => [path, code])).toEqual([
      ['/graphql', 400],
      ['', 400],
    ]);
  });

  it('has the level debug for a health check that succeeds', async () => {
    const store = await openFixtureStore();
    const { gateway, lines } = await start({
      backend: { ...store, checkReady: async () => ({ ok: false, error: 'no' }) },
    });
    await send(gateway, { target: '/health/live' });
    await send(gateway, { target: '/health/ready' });
    const logged = (await lines(2)).map(({ level, path, status: code }) => [level, path, code]);
    expect(logged).toEqual([
      ['debug', '/health/live', 200],
      ['info', '/health/ready', 503],
    ]);
  });

  it('has the trace that the client names, and no other text in its place', async () => {
    const { gateway, lines } = await start();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    for (const traceparent of [`00-${traceId}-00f067aa0ba902b7-01`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'hush'])
      await send(gateway, { target: '/nothing', headers: [`traceparent: ${traceparent}`] });
    expect((await lines(3)).map((line) => line['traceId'])).toEqual([traceId, undefined, undefined]);
  });

  it('counts the calls to the service, those of retries included', { tags: 'long' }, async () => {
    const { service, gateway, lines } = await startOverRest();
    service.on('GET /v2/ProjectVersions', status(429, '', { 'retry-after': '0' }), json(200, envelope([])));
    await gateway.send('{ projectVersions { id } }', {}, { api_token: 'x' });
    expect(await lines(1)).toMatchObject([{ operation: 'query', operationName: null, upstreamCalls: 2 }]);
  });

  it.each([
    [status(503), { unknown: 2 }],
    [status(403), { notAttempted: 2 }],
    [status(401), { notAttempted: 2 }],
    [answer(['a', true], ['b', false]), { updated: 1, failed: 1 }],
  ])('counts the outcome of each item over the service', async (behaviour, counts) => {
    const { service, gateway, lines } = await startOverRest();
    service.onAny(behaviour);
    await gateway.send(update(['a', 'b']), {}, { api_token: 'x' });
    const none = { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
    expect(await lines(1)).toMatchObject([{ ...none, ...counts, upstreamCalls: 1 }]);
  });

  const GROUP = 'mutation { updateReaderGroup(input: { groupId: "g", title: "A" }) { __typename } }';

  it.each([
    ['{ projectVersions { id } }', status(503), ['UNAVAILABLE']],
    [
      '{ projectVersions { id } readerGroups(first: 0) { totalCount } }',
      status(500),
      ['VALIDATION_FAILED', 'UNAVAILABLE'],
    ],
    ['{ a: projectVersions { id } b: projectVersions { name } }', status(403), ['FORBIDDEN']],
    ['mutation { bulkUpdateArticles(input: { articles: [] }) { __typename } }', status(500), ['VALIDATION_FAILED']],
    [update(['a', 'b']), status(429, '', { 'retry-after': '600' }), ['RATE_LIMITED']],
    ['mutation { cancelArticleUpdateJob(id: "x") { __typename } }', status(500), ['NOT_FOUND']],
    ['{ nothing }', status(500), ['GRAPHQL_VALIDATION_FAILED']],
    ['{', status(500), ['GRAPHQL_PARSE_FAILED']],
    ['{ __typename }', status(500), undefined],
    [update(['a', 'b']), answer(['a', true], ['b', false]), undefined],
  ])('has the codes that were answered, each once: %s', async (query, behaviour, errors) => {
    const { service, gateway, lines } = await startOverRest();
    service.onAny(behaviour);
    await gateway.send(query, {}, { api_token: 'x' });
    const [line] = await lines(1);
    expect([line?.['errors']?.toString().split(',').sort(), line?.['unknownCauses']]).toEqual([
      errors?.sort(),
      undefined,
    ]);
  });

  it('has the code of a request that is refused before it is read', async () => {
    const { gateway, lines } = await start({ callerRequestsPerMinute: 1 });
    for (const type of ['text/plain', 'application/json', 'application/json'])
      await send(gateway, { method: 'POST', headers: [`content-type: ${type}`], body: '{}' });
    const codes = (await lines(3)).map((line) => line['errors']);
    expect(codes).toEqual([['CSRF_PREVENTED'], ['BAD_REQUEST'], ['RATE_LIMITED']]);
  });

  const refusal = (httpStatus: number) => json(httpStatus, { success: false, errors: [{ description: 'hush. hush' }] });
  const UNKNOWN = 'The outcome is unknown: the service';
  const SENT = 'The write was sent, and its outcome is unknown: the service';
  const PARTLY = (httpStatus: number) =>
    `The service refused the write with HTTP ${httpStatus}, and may have applied a part of it.`;

  it.each([
    [update(['a', 'b']), status(502), { cause: `${UNKNOWN} answered with HTTP 502.` }],
    [update(['a', 'b']), hang(), { cause: `${UNKNOWN} did not answer in time.` }],
    [update(['a', 'b']), answer(['a', true]), { cause: 'The answer of the service has no entry for this item.' }],
    [update(['a', 'b']), refusal(400), { code: 'REJECTED', cause: PARTLY(400) }],
    [GROUP, status(502), { code: 'OUTCOME_UNKNOWN', cause: `${SENT} answered with HTTP 502.` }],
    [GROUP, refusal(200), { code: 'REJECTED', cause: PARTLY(200) }],
  ])('has the cause of an unknown outcome, without what the service said: %s', async (query, behaviour, told) => {
    const { code, cause }: { code?: string; cause: string } = told;
    const { service, gateway, lines } = await startOverRest();
    const lists = { readers: [], invited_sso_users: [] };
    const group = { reader_group_id: 'g', title: 'A', description: null, access_scope: { access_level: 0 }, ...lists };
    service.on('GET /v2/Readers/groups/g', json(200, envelope(group)));
    service.on('PUT /v2/Articles/bulkupdate', behaviour);
    service.on('PUT /v2/Readers/groups/g', behaviour);
    await gateway.send(query, {}, { api_token: 'x' });
    const [line] = await lines(1);
    expect(line).toMatchObject({ unknownCauses: [cause] });
    expect(line?.['errors']).toEqual(code && [code]);
    expect(JSON.stringify(line)).not.toContain('hush');
  });

  it('has each cause of several once', async () => {
    const { service, gateway, lines } = await startOverRest();
    const undecided = { article_id: 'c' };
    service.onAny(json(200, envelope([{ article_id: 'a', success: true }, undecided])));
    await gateway.send(update(['a', 'b', 'c', 'd']), {}, { api_token: 'x' });
    expect((await lines(1))[0]?.['unknownCauses']).toEqual([
      'The answer of the service has no entry for this item.',
      'The answer of the service does not say whether the update succeeded.',
    ]);
  });

  it('has the merged call that is under way when the client leaves, whose end then has a line of its own', async () => {
    const writes: Line[] = [];
    const log: Log = (level, message, fields) => message === 'write' && writes.push({ level, ...fields });
    let pendingUpdates: () => number | null = () => null;
    const observe: Metrics['observe'] = (gauge, read) => {
      if (gauge === 'pendingUpdates') pendingUpdates = read;
    };
    const metrics = { ...noMetrics, observe };
    const { service, gateway, lines } = await startOverRest(true, { timeoutMs: 60_000, log, metrics });
    const [first, merged] = [held(answer(['a', true])), held(answer(['b', true], ['c', true]))];
    service.on('PUT /v2/Articles/bulkupdate', first.behaviour, merged.behaviour);
    const calls = () => service.receivedOn('PUT /v2/Articles/bulkupdate');
    const headers = (id: string) => ({ api_token: 'x', 'x-request-id': id });
    const sent = [gateway.send(update(['a']), {}, headers('a'))];
    await expect.poll(calls).toHaveLength(1);
    const leaving = new AbortController();
    const left = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers('b') },
      body: JSON.stringify({ query: update(['b']) }),
      signal: leaving.signal,
    }).catch(() => 'left');
    sent.push(gateway.send(update(['c']), {}, headers('c')));
    await expect.poll(() => pendingUpdates()).toBe(2);
    first.release();
    await expect.poll(calls).toHaveLength(2);
    leaving.abort();
    expect(await left).toBe('left');
    const line = (await lines(2)).find(({ requestId }) => requestId === 'b');
    expect(line).toMatchObject({
      status: null,
      isComplete: false,
      upstreamCalls: 1,
      mergedCalls: [expect.any(String)],
    });
    merged.release();
    await Promise.all(sent);
    const [requestId] = Array.isArray(line?.['mergedCalls']) ? line['mergedCalls'] : [];
    expect(writes).toMatchObject([
      { level: 'debug', requestId: 'a', updated: 1 },
      { level: 'info', requestId, calls: 1, httpStatus: 200, updated: 2 },
    ]);
  });

  it('counts a merged call for each of its requests, and names it', async () => {
    const { service, gateway, lines } = await startOverRest(true);
    const held = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    service.onAny(async (response, request) => {
      called.resolve();
      await held.promise;
      const items = Array.isArray(request.body) ? request.body : [];
      return answer(...items.map(({ article_id: id }): [string, boolean] => [id, true]))(response, request);
    });
    const sent = ['a', 'b', 'c'].map(async (id, index) => {
      if (index > 0) await called.promise;
      return gateway.send(update([id]), {}, { api_token: 'x', 'x-request-id': id });
    });
    await called.promise;
    // The others wait for the call that is held.
    await gateway.send('{ __typename }');
    await gateway.send('{ __typename }');
    held.resolve();
    await Promise.all(sent);
    const byId = new Map((await lines(5)).map((line) => [line['requestId'], line]));
    const [alone, merged] = service.received.map(({ headers }) => headers['x-request-id']);
    expect([alone, service.received.length]).toEqual(['a', 2]);
    for (const id of ['b', 'c']) {
      expect(byId.get(id)).toMatchObject({ updated: 1, upstreamCalls: 1, mergedCalls: [merged] });
    }
    expect(byId.get('a')?.['mergedCalls']).toBeUndefined();
  });
});

describe('the credentials of a request', () => {
  const SECRET = 'hush-hush-hush';

  it.each([
    [`authorization: Basic ${SECRET}`],
    [`AUTHORIZATION: dIgEsT response="${SECRET}"`],
    [`authorization: ApiKey ${SECRET}`],
    [`authorization: ${SECRET}`],
    ['authorization: Bearer short', `authorization: Unheard-Of ${SECRET}`],
    [`proxy-authorization: Basic ${SECRET}`],
    [`api_token: ${SECRET}`],
  ])('are neither logged nor answered, whatever their scheme is: %s', async (...headers) => {
    const { gateway, lines } = await start();
    const id = `x-request-id: ${SECRET}`;
    const body = JSON.stringify({ query: 'query hush_hush_hush { __typename }' });
    const json = 'content-type: application/json';
    const answers = [
      await send(gateway, { target: `/v2/a/${SECRET}`, headers: [...headers, id] }),
      await send(gateway, { method: 'POST', headers: [...headers, id, json, `tracestate: a=${SECRET}`], body }),
    ];
    for (const answer of answers) expect([...answer.headers.values(), answer.body].join()).not.toContain(SECRET);
    expect(JSON.stringify(await lines(2))).not.toContain(SECRET);
  });
});
