import { propagation, type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import type { RequestRecord } from '../../../domain/callers/request-record.ts';
import { contextOf, failSpan, innermostSpan, startSpan } from '../../../domain/tracing.ts';
import type { Call } from './call.ts';
import type { RequestResult } from './service-call.ts';

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
export function startCallSpan(
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

export function endCallSpan(span: Span, result: RequestResult): void {
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
export function propagationHeaders(request: RequestRecord, span: Span | null): Readonly<Record<string, string>> {
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
