import { propagation, ROOT_CONTEXT, SpanKind, type TextMapGetter, type Tracer } from '@opentelemetry/api';
import type { Log } from '../../core/base/log.ts';
import type { Metrics, RefusalCause } from '../../core/metrics.ts';
import { failSpan, type Trace } from '../../core/tracing.ts';
import { httpRouteOf, knownMethodOf, pathOf, ROUTE_TRAITS, type RoutedRequest } from './route.ts';

/** What is known of a request when its response is sent, or its connection is closed. */
interface RequestEnd extends RoutedRequest {
  /** Null unless the gateway refused the request or its response. */
  readonly refusal: RefusalCause | null;
  readonly method: string;
  /** The path with the names of its parameters, one of few; null where it is none of the gateway's. */
  readonly httpRoute: string | null;
  /** The target without its query; empty for one with a token in it, or that is no path, which may hold a password. */
  readonly path: string;
  /** The status that was sent; null when the connection was closed before. */
  readonly status: number | null;
  /** False when the connection was closed before the whole response was sent. */
  readonly isComplete: boolean;
  /** Milliseconds since the request arrived. */
  readonly durationMs: number;
}

/** Called once for each request that node:http has read, also for those that were refused or that failed. */
export type OnRequestEnd = (end: RequestEnd) => void;

function describeRequestEnd(routed: RoutedRequest, refusal: RefusalCause | null): RequestEnd {
  const { request, response, route, facts, summary } = routed;
  const { method = '', url = '' } = request;
  const path = /^\/(?!\/)/u.test(url) ? pathOf(request) : '';
  const httpRoute = httpRouteOf(route, path, summary);
  return {
    ...routed,
    refusal,
    method,
    httpRoute,
    path: path !== httpRoute && facts.tokens.areInPath(path) ? '' : path,
    status: response.headersSent ? response.statusCode : null,
    isComplete: response.writableFinished,
    durationMs: performance.now() - facts.startedAt,
  };
}

/** A listener that throws is a bug, which does not keep the others from being called. */
export function reportRequestEnd(
  routed: RoutedRequest,
  refusal: RefusalCause | null,
  { onRequestEnd, log }: { readonly onRequestEnd: readonly OnRequestEnd[]; readonly log: Log },
): void {
  if (onRequestEnd.length === 0) return;
  const end = describeRequestEnd(routed, refusal);
  for (const listener of onRequestEnd) {
    try {
      listener(end);
    } catch (error) {
      log('error', 'the end of a request could not be reported', { requestId: end.facts.id, error });
    }
  }
}

/** Characters. A path is as long as the head of a request may be. */
const MAX_PATH = 200;

/** Writes one line for each request. The lines of health checks that succeed have the level `debug`. */
export const createRequestLog =
  (log: Log): OnRequestEnd =>
  (end) => {
    const isProbe = end.route === 'live' || end.route === 'ready';
    log(isProbe && end.status === 200 ? 'debug' : 'info', 'request', fieldsOf(end));
  };

/** A line has no member whose value is undefined. One object with all names is cheaper than several that are joined. */
function fieldsOf({ facts, summary, trace, method, path, status, isComplete, durationMs }: RequestEnd) {
  const { operation, outcomes, upstreamCalls, mergedCalls, readCacheUse, errorCounts, unknownCauses } = summary;
  return {
    method,
    path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path,
    status,
    // The client has gone before it had the whole response.
    isComplete: isComplete ? undefined : false,
    ms: Math.round(durationMs * 10) / 10,
    operation: operation?.type,
    operationName: operation?.name,
    updated: outcomes?.updated,
    failed: outcomes?.failed,
    unknown: outcomes?.unknown,
    notAttempted: outcomes?.notAttempted,
    upstreamCalls,
    errors: errorCounts === null ? undefined : [...errorCounts.keys()],
    unknownCauses: unknownCauses ?? undefined,
    cachedReads: readCacheUse?.hits || undefined,
    mergedCalls: mergedCalls ?? undefined,
    requestId: facts.id,
    traceId: trace?.span.spanContext().traceId ?? facts.traceHeaders?.traceparent.split('-')[1],
  };
}

/** Counts and measures each request at its end. */
export const recordRequestEnds =
  (metrics: Metrics): OnRequestEnd =>
  ({ summary, refusal, method, route, status, durationMs }) => {
    const trustedOperation = summary.trustedOperation ?? undefined;
    // The paths of one route count as one.
    const [path = null] = ROUTE_TRAITS[route].paths;
    metrics.recordRequest({ method, route: path, status, durationMs, trustedOperation });
    if (refusal !== null) metrics.countRefusal(refusal);
    for (const [code, count] of summary.errorCounts ?? []) metrics.countErrors(code, count);
  };

type TracedRequest = Pick<RoutedRequest, 'request' | 'route' | 'facts'>;

/** The headers of W3C Trace Context as they were taken, and those of other propagators (`OTEL_PROPAGATORS`). */
const traceHeaderGetter: TextMapGetter<TracedRequest> = {
  keys: ({ request }) => Object.keys(request.headers),
  get: ({ request, facts }, name) =>
    name === 'traceparent' || name === 'tracestate' ? facts.traceHeaders?.[name] : request.headers[name],
};

/** Starts the span of a request, in the trace that its client names, if any. Null for health checks, which have none. */
export function startRequestSpan(tracer: Tracer, traced: TracedRequest): Trace | null {
  const { request, route } = traced;
  if (route === 'live' || route === 'ready') return null;
  // The baggage of the client is left out, since it would go to the service.
  const parentContext = propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, traced, traceHeaderGetter));
  const method = knownMethodOf(request);
  const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
  return { span: tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parentContext), parentContext };
}

/** Ends the span of a request. Its route is known only now. */
export const endRequestSpan: OnRequestEnd = ({ facts, trace, method, httpRoute, path, status, isComplete }) => {
  if (trace === null) return;
  const { span } = trace;
  if (span.isRecording()) {
    if (httpRoute !== null) span.updateName(`${knownMethodOf({ method })} ${httpRoute}`);
    span.setAttributes({
      ...(httpRoute !== null && { 'http.route': httpRoute }),
      'url.path': path.slice(0, MAX_PATH),
      ...(status !== null && { 'http.response.status_code': status }),
      'http.response.header.x-request-id': [facts.id],
    });
    if (status !== null && status >= 500) failSpan(span, `${status}`);
    else if (!isComplete) span.setAttribute('error.type', 'client_gone');
  }
  span.end();
};
