import type { ClientRequest } from 'node:http';
import { propagation, type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import got, { type NativeRequestOptions } from 'got';
import type { TickQueue } from '../../../base/json/tick-queue.ts';
import type { Log } from '../../../base/log.ts';
import { serviceUrlOf } from '../../../base/network.ts';
import { createOutboundRoute, type OutboundRoute } from '../../../base/outbound-route.ts';
import { err } from '../../../base/result.ts';
import type { RequestRecord } from '../../../domain/callers/request-record.ts';
import type { EndedCall, Metrics } from '../../../domain/metrics.ts';
import { contextOf, failSpan, innermostSpan, startSpan } from '../../../domain/tracing.ts';
import { type Call, latestStartOf, type SendCall, timeoutOf } from './call.ts';
import { type HttpRequest, type RoutedHttp, type SendHttp, sendRequest } from './http-request.ts';
import { createBaseUrlCheck, type ServiceHealth } from './readiness.ts';
import { createResponseMemory, withoutQuotedToken } from './response-body.ts';
import {
  CONNECT_TIMED_OUT,
  deadlineExceeded,
  RESPONSE_TOO_LARGE,
  type RequestResult,
  type ServiceCall,
  TIMED_OUT,
} from './service-call.ts';

interface ServiceClient extends Pick<ServiceHealth, 'baseUrlProblem'> {
  /** Sends the call once: the last step of the pipeline. */
  readonly send: SendCall;
  close(): void;
}

export interface ServiceClientOptions {
  readonly baseUrl: string;
  /** The name of its setting in messages. */
  readonly setting?: string | undefined;
  /** The proxy in front of it; null when calls are sent directly. */
  readonly proxyUrl: string | null;
  readonly userAgent: string;
  /** Milliseconds for one call, from its connection to the last byte of its response. */
  readonly timeoutMs: number;
  readonly maxSockets: number;
  readonly ticks: TickQueue;
  /** Replaces the requests on the network. */
  readonly sendHttp?: SendHttp | undefined;
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Shorter than servers keep an idle connection (Node: 5 s), since a connection that is closed during a write leaves the
 * outcome unknown.
 */
const IDLE_SOCKET_MS = 3_000;

export function openServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, timeoutMs, maxSockets, ticks, tracer, log, metrics } = options;
  const apiRoot = apiRootOf(baseUrl);
  const routedHttp = createHttpClient(apiRoot, options);
  const baseUrlCheck = createBaseUrlCheck(options, log);
  const memory = createResponseMemory(maxSockets, ticks);
  const { sendHttp = (request) => sendRequest(routedHttp, request, memory) } = options;

  return {
    async send(call) {
      const { operation, caller, token, apiToken } = call;
      const startedAt = performance.now();
      // Checked last, with no await between it and the request.
      if (startedAt > latestStartOf(call)) return err(deadlineExceeded(caller));
      if (operation.sent) operation.sent.at = startedAt;
      caller.request.countUpstreamCall();
      const span = startCallSpan(call, METHODS[operation.kind], { tracer, apiRoot });
      const traceHeaders = propagationHeaders(caller.request, span);
      const timeout = timeoutOf(call, timeoutMs);
      const result = withoutQuotedToken(
        await sendHttp(httpRequestOf(call, { apiRoot, traceHeaders, timeout })),
        apiToken,
      );
      if (span !== null) endCallSpan(span, result);
      if (!result.ok && result.error.kind === 'not-begun') return result;
      const durationMs = performance.now() - startedAt;
      metrics.recordCall({ method: METHODS[operation.kind], result: callResultOf(result), durationMs });
      if (result.ok || result.error.kind === 'unknown') token.recordDuration(durationMs);
      if (result.ok) baseUrlCheck.onResponse(result.value);
      return result;
    },
    baseUrlProblem: baseUrlCheck.problem,
    close() {
      routedHttp.route.connection.agent.destroy();
    },
  };
}

const METHODS = { read: 'GET', write: 'PUT' } as const satisfies Record<ServiceCall['kind'], string>;

interface RequestContext {
  readonly apiRoot: string;
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
}

function httpRequestOf({ operation, caller, apiToken, fence }: Call, context: RequestContext): HttpRequest {
  const { apiRoot, traceHeaders, timeout } = context;
  const { kind, path, query, body } = operation;
  const method = METHODS[kind];
  const url = `${apiRoot}/${path.map(encodeURIComponent).join('/')}${queryStringOf(query)}`;
  const headers = { ...traceHeaders, 'x-request-id': caller.request.id, api_token: apiToken };
  if (body === undefined) return { url, options: { method, headers, timeout: { request: timeout } } };
  const payload = Buffer.from(JSON.stringify(body));
  const bodyHeaders = { 'content-type': 'application/json', 'content-length': `${payload.length}` };
  return {
    url,
    options: { method, headers: { ...headers, ...bodyHeaders }, timeout: { request: timeout } },
    body: payload,
    fence,
  };
}

function queryStringOf(query: ServiceCall['query']): string {
  if (query === undefined) return '';
  return `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`;
}

/** The label of a call in the metrics. */
function callResultOf(result: RequestResult): EndedCall['result'] {
  if (result.ok) return result.value.httpStatus;
  const { error } = result;
  if (error === TIMED_OUT || error === CONNECT_TIMED_OUT) return 'timeout';
  if (error === RESPONSE_TOO_LARGE) return 'response_too_large';
  return error.kind === 'not-connected' ? 'not_connected' : 'connection_closed';
}

function createHttpClient(apiRoot: string, { maxSockets, proxyUrl, userAgent }: ServiceClientOptions): RoutedHttp {
  const sockets = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: IDLE_SOCKET_MS };
  const route = createOutboundRoute(new URL(apiRoot), proxyUrl, sockets);
  const http = got.extend({
    request: createRequestFunction(route),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    headers: { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent, ...route.headers },
  });
  return { http, route };
}

/** The URL of `/v2`, without a slash at its end. */
export const apiRootOf = (baseUrl: string): string => `${serviceUrlOf(baseUrl)}/v2`;

/** Passes only the options that matter to Node, which copies all of them three times: got sets 34, most undefined. */
const createRequestFunction =
  ({ request, connection, pathPrefix }: OutboundRoute) =>
  ({ pathname, search }: URL, { method, headers }: NativeRequestOptions): ClientRequest =>
    request({ ...connection, path: `${pathPrefix}${pathname}${search}`, method, headers });

/** The words in the paths of the service. Every other segment is an ID. */
const PATH_WORDS: ReadonlySet<string> = new Set([
  'Articles',
  'ProjectVersions',
  'Readers',
  'articles',
  'bulkupdate',
  'categories',
  'groups',
  'versions',
]);

/** Starts the span of one call to the service; null where it is not recorded. Neither query nor body is in it. */
function startCallSpan(
  { operation: { path }, caller: { request }, attempt }: Call,
  method: string,
  { tracer, apiRoot }: { readonly tracer: Tracer | null; readonly apiRoot: string },
): Span | null {
  if (tracer === null) return null;
  const template = `/v2/${path.map((segment) => (PATH_WORDS.has(segment) ? segment : '{id}')).join('/')}`;
  const attributes = () => {
    const { hostname, port, protocol } = new URL(apiRoot);
    return {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'url.full': `${apiRoot}/${path.map(encodeURIComponent).join('/')}`,
      'url.template': template,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
  };
  return startSpan(tracer, request, { name: `${method} ${template}`, kind: SpanKind.CLIENT, attributes });
}

function endCallSpan(span: Span, result: RequestResult): void {
  if (result.ok) {
    const { httpStatus } = result.value;
    span.setAttribute('http.response.status_code', httpStatus);
    if (httpStatus >= 400) failSpan(span, `${httpStatus}`);
  } else failSpan(span, result.error.kind);
  span.end();
}

/**
 * The headers by which the trace of a request goes on at the service. Without a trace of the gateway they are those that
 * the client sent.
 */
function propagationHeaders(request: RequestRecord, span: Span | null): Readonly<Record<string, string>> {
  const innermost = span ?? innermostSpan(request);
  if (innermost === null) {
    const { traceHeaders } = request;
    if (traceHeaders === null) return NO_HEADERS;
    const { traceparent, tracestate } = traceHeaders;
    return { traceparent, ...(tracestate !== undefined && { tracestate }) };
  }
  const headers: Record<string, string> = {};
  propagation.inject(contextOf(request, innermost), headers);
  return headers;
}

const NO_HEADERS = {};
