import type { Span } from '@opentelemetry/api';

/** The W3C trace context of a request as version 00 writes it, without what later versions may add. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/**
 * Version, trace ID, ID of the parent and flags. IDs of zeros alone are none. Version 00 ends here; what later ones add
 * is not read, and not sent on.
 */
const TRACEPARENT =
  /^(?!ff|00.{54})[\da-f]{2}(-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2})(?:$|-[\x21-\x7e]{0,128}$)/u;

/** Visible ASCII and spaces; W3C asks to pass on at least 512 characters. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/u;

/** Null where the client sent no trace context that can be read. */
export function decodeTraceHeaders(traceparent: unknown, tracestate: unknown): TraceHeaders | null {
  const understood = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  if (understood === undefined) return null;
  return {
    traceparent: `00${understood}`,
    tracestate: typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? tracestate : undefined,
  };
}

/** The ID of the trace that a request belongs to; null where it belongs to none. */
export function traceIdOf(request: {
  readonly span: Span | null;
  readonly traceHeaders: TraceHeaders | null;
}): string | null {
  const { span, traceHeaders } = request;
  if (span !== null) return span.spanContext().traceId;
  return traceHeaders === null ? null : (TRACEPARENT.exec(traceHeaders.traceparent)?.[2] ?? null);
}
