import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import type { OnRequestEnd } from '../../../src/server/http/request-end.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { openLocalBackend } from '../../../src/store/local-backend.ts';
import {
  type Behaviour,
  envelope,
  type FaultyService,
  json,
  openFaultyService,
  status,
} from '../../support/faulty-service.ts';
import { TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { type RecordedSpan, recordSpans } from '../../support/span-recorder.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const HUSH = 'hush';

let recorder: ReturnType<typeof recordSpans>;
let closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  recorder = recordSpans();
  closing = [() => recorder.close()];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

/** Resolves once so many requests have ended, and with them their spans. */
function countEnds() {
  let ends = 0;
  let onEnd = () => {};
  const onRequestEnd: OnRequestEnd = () => {
    ends += 1;
    // The span ends after the other listeners.
    setImmediate(onEnd);
  };
  const ended = (count: number) =>
    new Promise<void>((resolve) => {
      onEnd = () => ends >= count && resolve();
      onEnd();
    });
  return { onRequestEnd, ended };
}

async function startOverStore() {
  const { tracer } = recorder;
  const backend = await openLocalBackend({
    databaseUrl: 'sqlite::memory:',
    apiTokens: [TOKEN],
    log: silentLog,
    tracer,
  });
  const { demoKnowledgeBase } = await import('../../../src/store/import/demo-knowledge-base.ts');
  await backend.importDemo(demoKnowledgeBase);
  const { onRequestEnd, ended } = countEnds();
  const gateway = await startGateway({ backend, local: true, token: TOKEN, tracer, onRequestEnd: [onRequestEnd] });
  closing.push(gateway.close);
  return { gateway, ended };
}

interface RestScene {
  readonly gateway: Gateway;
  readonly service: FaultyService;
  readonly ended: (count: number) => Promise<void>;
}

async function startOverRest({ traced = true } = {}): Promise<RestScene> {
  const service = await openFaultyService();
  closing.push(() => service.close());
  const tracer = traced ? recorder.tracer : null;
  // Its spans are those of the updates, so nothing is read before them.
  const options = { timeoutMs: 1_000, bulkSize: 100, maxReadCalls: 60, log: silentLog, tracer, keepsHidden: false };
  const backend = withPipeline(openRestBackend({ baseUrl: service.url, ...options }), {
    merging: mergeWrites({ maxItems: 100 }),
  });
  const { onRequestEnd, ended } = countEnds();
  const gateway = await startGateway({ backend, local: false, token: 'x', tracer, onRequestEnd: [onRequestEnd] });
  closing.push(gateway.close);
  return { gateway, service, ended };
}

const parentOf = ({ parentSpanContext }: RecordedSpan) => parentSpanContext?.spanId;
const idOf = (span: RecordedSpan | undefined) => span?.spanContext().spanId;
const named = (name: string) => recorder.spans().filter((span) => span.name === name);
const updateOf = (articleId: string) =>
  `mutation Retitle { bulkUpdateArticles(input: { articles: [{ articleId: "${articleId}", title: "${HUSH}" }] }) { __typename } }`;

const updated: Behaviour = (response, request) => {
  const items = Array.isArray(request.body) ? request.body : [];
  return json(200, envelope(items.map(({ article_id }) => ({ article_id, success: true }))))(response, request);
};

describe('the spans of a request', () => {
  it('are one of the request, one of its operation, and one of each transaction of the store', async () => {
    const { gateway, ended } = await startOverStore();
    const headers = { api_token: TOKEN, traceparent: PARENT, 'x-request-id': 'one' };
    await gateway.send(updateOf('unpack-the-hub'), {}, headers);
    await ended(1);
    const [request] = named('POST /graphql');
    const [operation] = named('mutation');
    const [transaction] = named('TRANSACTION');
    expect(recorder.spans()).toHaveLength(3);
    expect(request).toMatchObject({ kind: SpanKind.SERVER, status: { code: SpanStatusCode.UNSET } });
    expect(request?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.header.x-request-id': ['one'],
      'http.response.status_code': 200,
      'http.route': '/graphql',
      'url.path': '/graphql',
      'url.scheme': 'http',
    });
    expect(operation?.attributes).toEqual({
      'graphql.operation.type': 'mutation',
      'graphql.operation.name': 'Retitle',
    });
    expect(transaction?.attributes).toEqual({ 'db.system.name': 'sqlite', 'db.operation.name': 'TRANSACTION' });
    expect(request?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: '00f067aa0ba902b7', isRemote: true });
    expect([operation, transaction].map((span) => span && parentOf(span))).toEqual([idOf(request), idOf(operation)]);
    expect(new Set(recorder.spans().map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
  });

  it('have the same shape by Yoga', async () => {
    const { gateway, ended } = await startOverStore();
    await fetch(`${gateway.url}/graphql?query={readerGroups{totalCount}}`, { headers: { api_token: TOKEN } });
    await ended(1);
    expect(
      recorder
        .spans()
        .map(({ name }) => name)
        .slice(-2),
    ).toEqual(['query', 'GET /graphql']);
    expect(named('SELECT').length).toBeGreaterThan(0);
    expect(parentOf(named('SELECT')[0] ?? expect.fail())).toBe(idOf(named('query')[0]));
  });

  it('name the operation of the façade, and no other path', async () => {
    const { gateway, ended } = await startOverStore();
    const headers = { api_token: TOKEN };
    await fetch(`${gateway.url}/v2/articles/unpack-the-hub/EN?${HUSH}`, { headers });
    await fetch(`${gateway.url}/${HUSH}`, { headers });
    await fetch(`${gateway.url}/health/live`);
    await ended(3);
    const servers = recorder.spans().filter(({ kind }) => kind === SpanKind.SERVER);
    expect(servers.map(({ name }) => name)).toEqual(['GET /v2/Articles/{articleId}/{langCode}', 'GET']);
  });

  it('go on upstream, and fail with the call', async () => {
    const { gateway, service, ended } = await startOverRest();
    service.on('GET /v2/ProjectVersions', status(429, '', { 'retry-after': '0' }), status(500));
    await gateway.send('{ projectVersions { id } }', {}, { api_token: 'x', traceparent: PARENT, tracestate: 'a=b' });
    await ended(1);
    const calls = named('GET /v2/ProjectVersions');
    const { port } = new URL(service.url);
    const attributes = {
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'url.full': `${service.url}/v2/ProjectVersions`,
      'url.template': '/v2/ProjectVersions',
    };
    expect(calls.map((call) => call.attributes)).toEqual([
      { ...attributes, 'http.response.status_code': 429, 'error.type': '429' },
      { ...attributes, 'http.response.status_code': 500, 'error.type': '500', 'http.request.resend_count': 1 },
    ]);
    expect(calls.map((call) => [call.kind, call.status.code, parentOf(call)])).toEqual([
      [SpanKind.CLIENT, SpanStatusCode.ERROR, idOf(named('query')[0])],
      [SpanKind.CLIENT, SpanStatusCode.ERROR, idOf(named('query')[0])],
    ]);
    expect(service.received.map(({ headers }) => [headers['traceparent'], headers['tracestate']])).toEqual(
      calls.map((call) => [`00-${TRACE}-${idOf(call)}-01`, 'a=b']),
    );
    expect(named('query')[0]).toMatchObject({ status: { code: SpanStatusCode.ERROR } });
    expect(named('query')[0]?.attributes).toMatchObject({ 'error.type': 'UNAVAILABLE' });
    expect(named('POST /graphql')[0]?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('have no query and no ID in their names', async () => {
    const { gateway, service, ended } = await startOverRest();
    service.onAny(json(200, envelope([])));
    await gateway.send(
      `{ readers(emailContains: "${HUSH}") { totalCount } article(articleId: "a", languageCode: "en") { title } }`,
    );
    await ended(1);
    const names = recorder.spans().map(({ name }) => name);
    expect(names).toContain('GET /v2/Readers');
    expect(names).toContain('GET /v2/Articles/{id}/{id}');
    expect(
      JSON.stringify(recorder.spans().map(({ name, attributes, events }) => [name, attributes, events])),
    ).not.toContain(HUSH);
  });

  it('name the words of the path of every write', async () => {
    const { gateway, service, ended } = await startOverRest();
    service.onAny(json(200, envelope([])));
    const input = { userId: 'u', categories: [{ name: 'New', projectVersionId: 'v' }] };
    const document = 'mutation ($input: CreateCategoriesInput!) { createCategories(input: $input) { __typename } }';
    await gateway.send(document, { input });
    await ended(1);
    expect(recorder.spans().map(({ name }) => name)).toContain('POST /v2/Categories');
  });

  it('of a merged call are one, with links to those of all its requests', async () => {
    const { gateway, service, ended } = await startOverRest();
    const [held, called] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.onAny(async (response, request) => {
      called.resolve();
      await held.promise;
      return updated(response, request);
    });
    const first = gateway.send(updateOf('a'));
    await called.promise;
    const others = ['b', 'c', 'd'].map((id) => gateway.send(updateOf(id)));
    // Requests that are read later are answered earlier, since they need no call.
    for (let n = 0; n < 3; n += 1) await gateway.send('{ __typename }');
    held.resolve();
    await Promise.all([first, ...others]);
    await ended(7);
    const [alone, merged, ...more] = named('PUT /v2/Articles/bulkupdate');
    expect(more).toEqual([]);
    expect(alone?.links).toEqual([]);
    const operations = named('mutation').filter((span) => idOf(span) !== (alone && parentOf(alone)));
    expect(merged?.links.map(({ context }) => context.spanId).sort()).toEqual(operations.map(idOf).sort());
    expect(operations).toHaveLength(3);
    expect(operations.map(idOf)).toContain(merged && parentOf(merged));
  });
});

describe('without a sample', () => {
  it('the trace goes on upstream all the same, and only the request has a span', async () => {
    await recorder.close();
    recorder = recordSpans({ sampled: false });
    const { gateway, service, ended } = await startOverRest();
    service.onAny(json(200, envelope([])));
    await gateway.send('{ projectVersions { id } }', {}, { api_token: 'x', traceparent: PARENT });
    await ended(1);
    expect(recorder.spans()).toEqual([]);
    expect(service.received[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-00$`, 'u'));
  });
});

describe('without a tracer', () => {
  it.each([
    [{ traceparent: PARENT, tracestate: 'a=b' }, [PARENT, 'a=b']],
    [{ traceparent: PARENT }, [PARENT, undefined]],
    [{ traceparent: HUSH, tracestate: 'a=b' }, [undefined, undefined]],
    [{ traceparent: `cc${PARENT.slice(2)}-${HUSH}` }, [PARENT, undefined]],
    [{ traceparent: `${PARENT}-${HUSH}` }, [undefined, undefined]],
    [{ traceparent: PARENT, api_token: TRACE }, [undefined, undefined]],
    [{ tracestate: 'a=b' }, [undefined, undefined]],
  ])('%j goes on upstream as %j', async (headers, expected) => {
    const { gateway, service } = await startOverRest({ traced: false });
    service.onAny(json(200, envelope([])));
    await gateway.send('{ projectVersions { id } }', {}, { api_token: 'x', ...headers });
    const { traceparent, tracestate } = service.received[0]?.headers ?? {};
    expect([traceparent, tracestate]).toEqual(expected);
    expect(recorder.spans()).toEqual([]);
  });
});
