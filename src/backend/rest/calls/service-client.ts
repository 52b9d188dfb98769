import got, { type NativeRequestOptions } from 'got';
import { type Fence, joinFences } from '../../../base/fence.ts';
import { type HttpRequest, type RequestResult, type SendHttp, CALL_QUEUE_FULL, type CallFailure, CIRCUIT_OPEN, callResultOf, deadlineExceeded, type RoutedHttp, sendRequest } from './http-request.ts';
import type { ServiceCall, SendOptions } from './service-call.ts';
import type { Tracer } from '@opentelemetry/api';
import { endCallSpan, propagationHeaders, startCallSpan } from './call-span.ts';
import { withoutQuotedToken } from './quoted-token.ts';
import type { ClientRequest } from 'node:http';
import type { TickQueue } from '../../../base/json/tick-queue.ts';
import type { Log } from '../../../base/log.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { Semaphore } from '../../../base/semaphore.ts';
import { serviceUrlOf } from '../../../base/service-url.ts';
import { type Metrics, noMetrics } from '../../../domain/metrics.ts';
import { createOutboundRoute, type OutboundRoute } from '../../../outbound/outbound-route.ts';
import { type BaseUrlProblem, createBaseUrlCheck } from './base-url-check.ts';
import { CallSource, createCircuitBreaker, healthSignalOf } from './circuit-breaker.ts';
import { createResponseMemory } from './response-body.ts';

interface RequestContext {
  readonly apiRoot: string;
  readonly apiToken: string;
  readonly requestId: string;
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly fence: Fence | undefined;
}

/** The HTTP request of a call. */
function httpRequestOf({ method, path, query, body }: ServiceCall, context: RequestContext): HttpRequest {
  const { apiRoot, apiToken, requestId, traceHeaders, timeout, fence } = context;
  const url = `${apiRoot}/${path.map(encodeURIComponent).join('/')}${queryStringOf(query)}`;
  const headers = { ...traceHeaders, 'x-request-id': requestId, api_token: apiToken };
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

interface CallSenderOptions {
  readonly sendHttp: SendHttp;
  /** The URL of `/v2`. */
  readonly apiRoot: string;
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** Sends a call within `timeout` milliseconds, and counts it in the record of its request. */
type SendCall = (call: ServiceCall, options: SendOptions, timeout: number) => Promise<RequestResult>;

const createCallSender =
  ({ sendHttp, apiRoot, tracer }: CallSenderOptions): SendCall =>
  (call, { apiToken, request, fence, resendCount = 0 }, timeout) => {
    request.countUpstreamCall();
    const span = startCallSpan(call, { tracer, request, apiRoot, resendCount });
    const traceHeaders = propagationHeaders(request, span);
    const context = { apiRoot, apiToken, requestId: request.id, traceHeaders, timeout, fence };
    const sent = sendHttp(httpRequestOf(call, context)).then((result) => withoutQuotedToken(result, apiToken));
    return span === null ? sent : sent.then((result) => endCallSpan(span, result));
  };

export interface ServiceClient {
  /** Sends the call once, without retries. */
  send(call: ServiceCall, options: SendOptions): Promise<RequestResult>;
  /** `performance.now()` of the last failure while the circuit breaker is open, else null. */
  failingSince(): number | null;
  /** Null unless the responses so far show that `baseUrl` is not the service's. */
  baseUrlProblem(): BaseUrlProblem | null;
  close(): void;
}

export interface ServiceClientOptions {
  readonly baseUrl: string;
  /** The proxy in front of it; null when calls are sent directly. */
  readonly proxyUrl: string | null;
  readonly userAgent: string;
  /** Milliseconds for one call, from its connection to the last byte of its response. */
  readonly timeoutMs: number;
  readonly maxSockets: number;
  /** The most calls that wait for a socket; one more fails at once, unsent. */
  readonly maxWaiting: number;
  readonly ticks: TickQueue;
  /** Replaces the requests on the network. */
  readonly sendHttp?: SendHttp | undefined;
  /** Null where nothing is traced. */
  readonly tracer?: Tracer | null;
  readonly log: Log;
  readonly metrics?: Metrics;
}

/**
 * Shorter than servers keep an idle connection (Node: 5 s), since a connection that is closed during a write leaves the
 * outcome unknown.
 */
const IDLE_SOCKET_MS = 3_000;

/** The part of `total` that one token may use, so that hanging calls of one token leave room for others. */
const perTokenLimit = (total: number): number => Math.max(1, Math.floor(total * (15 / 16)));

export function openServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, timeoutMs, maxSockets, maxWaiting, ticks, tracer = null, log, metrics = noMetrics } = options;
  const apiRoot = apiRootOf(baseUrl);
  const routedHttp = createHttpClient(apiRoot, options);
  const semaphore = createCallSemaphore(maxSockets, maxWaiting);
  const untrusted = new CallSource();
  const circuitBreaker = createCircuitBreaker(log, untrusted);
  const baseUrlCheck = createBaseUrlCheck(baseUrl, log);
  const memory = createResponseMemory(maxSockets, ticks);
  const { sendHttp = (request) => sendRequest(routedHttp, request, memory) } = options;
  const sendCall = createCallSender({ sendHttp, apiRoot, tracer });
  observeCalls(metrics, semaphore, circuitBreaker);

  const sendUnqueued = async (call: ServiceCall, options: SendOptions, source: CallSource) => {
    const { token, deadline } = options;
    const permission = await permit(call, options);
    if (!permission.ok) return permission;
    const startedAt = performance.now();
    // Checked last, with no await between it and the request.
    if (deadline - startedAt < token.minTimeLeftMs(call.method)) return err(deadlineExceeded(options));
    const timeout = call.method === 'PUT' ? timeoutMs : Math.ceil(Math.min(timeoutMs, deadline - startedAt));
    const signalOf = (result: RequestResult) => healthSignalOf(result, timeout < timeoutMs);
    const result = await circuitBreaker.run(source, () => sendCall(call, permission.value, timeout), signalOf);
    if (result === null) return err(CIRCUIT_OPEN);
    if (!hasBegun(result)) return result;
    recordCall(metrics, result, { call, token, durationMs: performance.now() - startedAt });
    if (result.ok) baseUrlCheck.onResponse(result.value);
    return result;
  };

  return {
    async send(call, options) {
      const { apiToken, token, isTrusted, deadline } = options;
      const source = isTrusted || token.isAccepted ? token.source : untrusted;
      if (circuitBreaker.isRejecting(source)) return err(CIRCUIT_OPEN);
      const acquirer = { key: apiToken, isLowPriority: source === untrusted };
      const waitMs = deadline - token.minTimeLeftMs(call.method) - performance.now();
      const result = await semaphore.run(waitMs, () => sendUnqueued(call, options, source), acquirer);
      if (result === 'full') return err(CALL_QUEUE_FULL);
      return result === 'timed-out' ? err(deadlineExceeded(options)) : result;
    },
    failingSince: circuitBreaker.failingSince,
    baseUrlProblem: baseUrlCheck.problem,
    close() {
      routedHttp.route.connection.agent.destroy();
    },
  };
}

interface EndedAttempt {
  readonly call: ServiceCall;
  readonly token: SendOptions['token'];
  readonly durationMs: number;
}

function recordCall(metrics: Metrics, result: RequestResult, { call, token, durationMs }: EndedAttempt): void {
  metrics.recordCall({ method: call.method, result: callResultOf(result), durationMs });
  if (result.ok || result.error.kind === 'unknown') token.recordDuration(durationMs);
}

const hasBegun = (result: RequestResult): boolean => result.ok || result.error.kind !== 'not-begun';

/** The options of one attempt, with all fences that hold for it. */
async function permit({ beforeSend }: ServiceCall, options: SendOptions): Promise<Result<SendOptions, CallFailure>> {
  if (beforeSend === undefined) return ok(options);
  const permission = await beforeSend();
  if (!permission.ok) return err({ kind: 'not-begun', error: permission.error });
  return ok({ ...options, fence: joinFences([options.fence, permission.value]) });
}

function createCallSemaphore(maxSockets: number, maxWaiting: number): Semaphore {
  const perKey = { slots: perTokenLimit(maxSockets), maxWaiting: perTokenLimit(maxWaiting) };
  return new Semaphore({ slots: maxSockets, maxWaiting, perKey });
}

function observeCalls(
  metrics: Metrics,
  semaphore: Semaphore,
  { failingSince }: Pick<ServiceClient, 'failingSince'>,
): void {
  metrics.observe('breakerOpen', () => (failingSince() === null ? 0 : 1));
  metrics.observe('callsInFlight', () => semaphore.inUse);
  metrics.observe('callsWaitingForConnection', () => semaphore.waiting);
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
