import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { propagation, type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import type { PlainResponse, Request } from 'got';
import got from 'got';
import type { Lease } from '../../core/base/lease.ts';
import { MAX_IN_FLIGHT_RESPONSE_BYTES, MAX_RESPONSE_BYTES } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { portOf, serviceUrlOf } from '../../core/base/network.ts';
import { err, ok } from '../../core/base/result.ts';
import { NotBegun } from '../../core/base/semaphore.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { EndedCall, Metrics } from '../../core/metrics.ts';
import { contextOf, failSpan, startSpan } from '../../core/tracing.ts';
import { type Call, latestStartOf, timeoutOf } from './call.ts';
import { brokenReasonOf, codeOf, reasonOf } from './connection-failures.ts';
import { foreignAnswerOf } from './foreign-answers.ts';
import { createOutboundRoute } from './outbound-route.ts';
import { ServiceWatch } from './readiness.ts';
import {
  createResponseMemory,
  type ResponseMemory,
  readResponseBody,
  UnknownCoding,
  withoutQuotedToken,
} from './response-body.ts';
import {
  type CallFailure,
  CONNECT_TIMED_OUT,
  deadlineExceeded,
  LEASE_EXPIRED,
  notConnected,
  PROXY_UNAUTHENTICATED,
  pathTemplateOf,
  RESPONSE_TOO_LARGE,
  type RequestResult,
  type ServiceCall,
  TIMED_OUT,
} from './service-call.ts';

export interface ServiceClientOptions {
  /** The URL before `/v2`, which may have a path and a slash at its end (`UPSTREAM_URL`). */
  readonly baseUrl: string;
  /** The name of its setting in messages. */
  readonly setting?: string | undefined;
  /** The proxy in front of it; null when calls are sent directly. */
  readonly proxyUrl: string | null;
  readonly userAgent: string;
  /** Milliseconds for one call (`UPSTREAM_TIMEOUT_MS`), from its connection to the last byte of its response. */
  readonly timeoutMs: number;
  readonly maxSockets: number;
  /** The queue of the process for large bodies. */
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

export function openServiceClient(options: ServiceClientOptions) {
  const { baseUrl, timeoutMs, maxSockets, ticks, tracer, log, metrics } = options;
  const apiRoot = apiRootOf(baseUrl);
  const client = createHttpClient(apiRoot, options);
  const watch = new ServiceWatch(options, log);
  const memory = createResponseMemory(maxSockets, ticks);
  const { sendHttp = (request) => sendRequest(client, request, { memory, watch }) } = options;

  return {
    /** Sends the call once: the last step of the pipeline. */
    async send(call: Call): Promise<RequestResult> {
      const { operation, caller, token, apiToken } = call;
      const startedAt = performance.now();
      // Checked last, with no await between it and the request.
      if (startedAt > latestStartOf(call)) return err(deadlineExceeded(caller));
      if (operation.sent) operation.sent.at = startedAt;
      caller.request.report.add({ kind: 'call' });
      const span = tracer && startCallSpan(call, methodOf(operation), { tracer, apiRoot });
      const traceHeaders = propagationHeaders(caller, span);
      const request = httpRequestOf(call, { apiRoot, traceHeaders, timeoutMs: timeoutOf(call, timeoutMs) });
      const result = withoutQuotedToken(await sendHttp(request), apiToken);
      if (span !== null) endCallSpan(span, result);
      if (!result.ok && result.error.kind === 'not-begun') return result;
      const durationMs = performance.now() - startedAt;
      metrics.recordCall({ method: methodOf(operation), result: callResultOf(result), durationMs });
      if (result.ok || result.error.kind === 'unknown') token.recordDuration(durationMs);
      watch.onResult(result, token.isAccepted);
      return result;
    },
    watch,
    close() {
      client.route.connection.agent.destroy();
    },
  };
}

const methodOf = (operation: ServiceCall): EndedCall['method'] =>
  operation.kind === 'read' ? 'GET' : (operation.method ?? 'PUT');

interface RequestContext {
  readonly apiRoot: string;
  readonly traceHeaders: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

function httpRequestOf({ operation, caller, apiToken, lease }: Call, context: RequestContext): HttpRequest {
  const { path, query } = operation;
  const payload =
    operation.kind === 'write'
      ? Buffer.from(operation.body === undefined ? '' : JSON.stringify(operation.body))
      : undefined;
  const headers = {
    ...context.traceHeaders,
    'x-request-id': caller.request.id,
    api_token: apiToken,
    ...(payload?.length && { 'content-type': 'application/json' }),
    ...(payload && { 'content-length': `${payload.length}` }),
  };
  return {
    url: `${context.apiRoot}/${encodePath(path)}${query === undefined ? '' : `?${searchOf(query)}`}`,
    method: methodOf(operation),
    headers,
    timeoutMs: context.timeoutMs,
    body: payload,
    lease: payload && lease,
  };
}

const encodePath = (path: ServiceCall['path']): string =>
  path.map((segment) => encodeURIComponent(typeof segment === 'string' ? segment : segment.id)).join('/');

const searchOf = (query: NonNullable<ServiceCall['query']>): URLSearchParams =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));

/** The label of a call in the metrics. */
function callResultOf(result: RequestResult): EndedCall['result'] {
  if (result.ok) return result.value.httpStatus;
  const { error } = result;
  if (error === TIMED_OUT || error === CONNECT_TIMED_OUT) return 'timeout';
  if (error === RESPONSE_TOO_LARGE) return 'response_too_large';
  return error.kind === 'not-connected' ? 'not_connected' : 'connection_closed';
}

function createHttpClient(apiRoot: string, { maxSockets, proxyUrl, userAgent }: ServiceClientOptions) {
  const sockets = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: IDLE_SOCKET_MS };
  const route = createOutboundRoute(new URL(apiRoot), proxyUrl, sockets);
  const { request, connection, pathPrefix } = route;
  const http = got.extend({
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent,
      ...route.headers,
    },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    // A proxy needs the whole URL as the path. Without this option a call takes a quarter more time: see
    // docs/decisions/0055-libraries-as-meant.md, "got".
    request: ({ pathname, search }, { method, headers }) =>
      request({ ...connection, path: `${pathPrefix}${pathname}${search}`, method, headers }),
  });
  return { http, route };
}

/** The URL of `/v2`, without a slash at its end. */
export const apiRootOf = (baseUrl: string): string => `${serviceUrlOf(baseUrl)}/v2`;

/** Starts the span of one call to the service; null where it is not recorded. Neither query nor body is in it. */
function startCallSpan(
  { operation: { path }, caller, attempt }: Call,
  method: string,
  { tracer, apiRoot }: { readonly tracer: Tracer; readonly apiRoot: string },
): Span | null {
  const template = pathTemplateOf(path);
  const attributes = () => {
    const url = new URL(apiRoot);
    return {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': portOf(url),
      'url.full': `${apiRoot}/${encodePath(path)}`,
      'url.template': template,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
  };
  return startSpan(tracer, caller.trace, { name: `${method} ${template}`, kind: SpanKind.CLIENT, attributes });
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
function propagationHeaders({ request, trace }: Caller, span: Span | null): Readonly<Record<string, string>> {
  if (!trace) {
    const { traceparent, tracestate } = request.traceHeaders ?? {};
    return { ...(traceparent && { traceparent }), ...(tracestate !== undefined && { tracestate }) };
  }
  const headers: Record<string, string> = {};
  propagation.inject(contextOf(span === null ? trace : { ...trace, span }), headers);
  return headers;
}

/** The connection of a request, as far as it has come. */
interface Connection {
  isMade: boolean;
  /** True where an earlier call had used it. */
  isReused: boolean;
}

/**
 * Calls the listener once the connection is ready for the first byte. `protocol` is that of the first host on the way; a
 * tunnel through a proxy is passed on once its handshake is done.
 */
function trackConnection(stream: Request, protocol: string, onConnected: () => void): Connection {
  const connection = { isMade: false, isReused: false };
  const onReady = () => {
    connection.isMade = true;
    onConnected();
  };
  const onSocket = ({ reusedSocket }: ClientRequest, socket: Socket) => {
    connection.isReused = reusedSocket;
    if (socket.connecting) socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', onReady);
    else onReady();
  };
  stream.once('request', (request) => {
    if (request.socket) onSocket(request, request.socket);
    else request.once('socket', (socket: Socket) => onSocket(request, socket));
  });
  return connection;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: EndedCall['method'];
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until the last byte of the response. */
  readonly timeoutMs: number;
  /** That of a write, empty where it has none. The headers have its length. */
  readonly body?: Uint8Array | undefined;
  /** Asked once the connection is there, right before the first byte is written. Only a write has one. */
  readonly lease?: Lease | undefined;
}

/** @internal Exported for tests. */
export type SendHttp = (request: HttpRequest) => Promise<RequestResult>;

interface SendOptions {
  readonly memory: ResponseMemory;
  readonly watch: Pick<ServiceWatch, 'onNoConnection'>;
}

async function sendRequest(
  { http, route }: ReturnType<typeof createHttpClient>,
  request: HttpRequest,
  { memory, watch }: SendOptions,
): Promise<RequestResult> {
  const { url, method, headers, timeoutMs, body, lease } = request;
  // The listeners below live until the next collection of all garbage, so they must hold neither of the two bodies.
  let unsent = body;
  // As a stream: got's promise of the same takes a sixth more time. See docs/decisions/0023-garbage.md, "Consequences".
  const stream = http.stream(url, { method, headers });
  const { promise: ended, resolve: end } = Promise.withResolvers<CallFailure | null>();
  // An error of writing does not destroy the stream, and got does not end a request that has no socket yet.
  const fail = (failure: CallFailure) => {
    end(failure);
    stream.destroy();
  };
  const connection = trackConnection(stream, route.connection.protocol, () => {
    // Written into the stream, not given as an option: got copies a body among the options, and writes it some ticks
    // after the lease was asked.
    if (unsent === undefined) return;
    if (lease?.isExpired()) fail(LEASE_EXPIRED);
    else stream.end(unsent);
    unsent = undefined;
  });
  const timer = setTimeout(() => fail(connection.isMade ? TIMED_OUT : CONNECT_TIMED_OUT), timeoutMs);
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    memory.bytes += chunk.length;
    // By itself, or together with all that are read at this time.
    if (length > MAX_RESPONSE_BYTES || memory.bytes > MAX_IN_FLIGHT_RESPONSE_BYTES) fail(RESPONSE_TOO_LARGE);
  });
  stream.once('end', () => end(null));
  // The listener stays, since an error may follow the first.
  stream.on('error', (error) => {
    const failure = callFailureOf(error, stream.response === undefined, connection);
    if (failure.kind === 'not-connected') watch.onNoConnection(codeOf(error), failure.error.message);
    fail(failure);
  });
  try {
    const failure = await ended;
    if (route.isForwarded && stream.response?.statusCode === 407) return err(PROXY_UNAUTHENTICATED);
    if (failure !== null) return err(failure);
    return await readAnswer(stream.response, Buffer.concat(chunks), { request, memory });
  } finally {
    clearTimeout(timer);
    memory.bytes -= length;
    chunks.length = 0;
  }
}

async function readAnswer(
  response: PlainResponse | undefined,
  bytes: Uint8Array,
  { request, memory }: { readonly request: HttpRequest; readonly memory: ResponseMemory },
): Promise<RequestResult> {
  const { statusCode: httpStatus = 0, headers = {} } = response ?? {};
  const { timeoutMs } = request;
  const read = await readResponseBody(bytes, headers['content-encoding'], { memory, timeoutMs });
  if (read instanceof NotBegun) return err(RESPONSE_TOO_LARGE);
  const unknownCoding = read instanceof UnknownCoding ? read.names : undefined;
  const body = unknownCoding === undefined ? read : undefined;
  const foreign = foreignAnswerOf({ httpStatus, headers, body, bytes }, request.headers['api_token'] ?? '');
  return ok({ httpStatus, headers, body, ...(foreign && { foreign }), ...(unknownCoding && { unknownCoding }) });
}

const CONNECTION_CUT_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Only the lack of a connection proves that a request never arrived; over TLS, of one whose handshake was done. The
 * code of the error proves nothing, since the same codes occur before and after.
 */
function callFailureOf(error: Error, hasNoResponse: boolean, { isMade, isReused }: Connection): CallFailure {
  const code = codeOf(error);
  if (code === 'ERR_PROXY_AUTHENTICATION') return PROXY_UNAUTHENTICATED;
  if (!isMade) return notConnected(reasonOf(code));
  const isStale = isReused && CONNECTION_CUT_CODES.has(code) && hasNoResponse;
  return { kind: isStale ? 'stale' : 'unknown', reason: brokenReasonOf(code) };
}
