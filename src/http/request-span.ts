import { type Context, propagation, ROOT_CONTEXT, SpanKind, type TextMapGetter, type Tracer } from '@opentelemetry/api';
import { failSpan } from '../domain/tracing.ts';
import type { OnRequestEnd } from './request-end.ts';
import { knownMethodOf, type RoutedRequest } from './route.ts';

/** Characters. A path is as long as the head of a request may be. */
const MAX_PATH = 200;

/** The headers of W3C Trace Context as they were taken, and those of other propagators (`OTEL_PROPAGATORS`). */
const traceHeaderGetter: TextMapGetter<RoutedRequest> = {
  keys: ({ request }) => Object.keys(request.headers),
  get: ({ request, record }, name) =>
    name === 'traceparent' || name === 'tracestate' ? record.traceHeaders?.[name] : request.headers[name],
};

/** The headers of the default propagators. */
const W3C_HEADERS: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/** Returns what starts the span of a request, in the trace that its client names, if any. Health checks have none. */
export function createRequestTracing(tracer: Tracer): (routed: RoutedRequest) => void {
  const isW3cOnly = propagation.fields().every((name) => W3C_HEADERS.has(name));
  return (routed) => {
    const { request, route, record } = routed;
    if (route === 'live' || route === 'ready') return;
    // Other propagators take headers too that they do not send.
    const mayBeInTrace = !isW3cOnly || record.traceHeaders !== null;
    if (mayBeInTrace) record.parentContext = sentContextOf(routed);
    const method = knownMethodOf(request);
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    record.span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, record.parentContext);
  };
}

/** The baggage of the client is left out, since it would go to the service. */
function sentContextOf(routed: RoutedRequest): Context {
  const sent = propagation.extract(ROOT_CONTEXT, routed, traceHeaderGetter);
  return propagation.getBaggage(sent) === undefined ? sent : propagation.deleteBaggage(sent);
}

/** Ends the span of a request. Its route is known only now. */
export const endRequestSpan: OnRequestEnd = ({ record, method, httpRoute, path, status, isComplete }) => {
  const { span } = record;
  if (span === null) return;
  if (span.isRecording()) {
    if (httpRoute !== null) span.updateName(`${knownMethodOf({ method })} ${httpRoute}`);
    span.setAttributes({
      ...(httpRoute !== null && { 'http.route': httpRoute }),
      'url.path': path.slice(0, MAX_PATH),
      ...(status !== null && { 'http.response.status_code': status }),
      'http.response.header.x-request-id': [record.id],
    });
    if (status !== null && status >= 500) failSpan(span, `${status}`);
    else if (!isComplete) span.setAttribute('error.type', 'client_gone');
  }
  span.end();
};
