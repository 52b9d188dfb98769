import {
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** The innermost span of a request that has begun and not ended, and where the spans of its steps go. */
export interface Trace {
  readonly span: Span;
  /** The context that the span was started in: the one that the client sent, or the root. */
  readonly parentContext: Context;
  /** Links of each next span. Only a merged call has some: to its other requests. */
  readonly links?: readonly Link[];
}

/** The number of links that OpenTelemetry's SDK keeps by default. With more, it would keep the last ones. */
const MAX_LINKS = 128;

export interface SpanDescription {
  readonly name: string;
  readonly kind: SpanKind;
  /** The attributes, which are computed for recorded spans only. */
  readonly attributes: () => Attributes;
}

/** Starts a span for a part of what a request causes. Null where the request is not recorded, so that sampling bounds the cost. */
export function startSpan(tracer: Tracer, within: Trace | null | undefined, description: SpanDescription): Span | null {
  if (!within?.span.isRecording()) return null;
  const { name, kind, attributes } = description;
  return tracer.startSpan(
    name,
    { kind, attributes: attributes(), links: [...(within.links ?? [])] },
    contextOf(within),
  );
}

/** The context of a request and of a span in it. It is created on use, since most requests have no span in theirs. */
export const contextOf = ({ parentContext, span }: Trace): Context => trace.setSpan(parentContext, span);

/**
 * The trace of a call for several requests: that of the first one which is recorded, with links to the recorded spans of the
 * first requests. Null where none is recorded.
 */
export function mergeTraces(traces: readonly (Trace | null | undefined)[]): Trace | null {
  const recorded = traces.find((one) => one?.span.isRecording());
  if (!recorded) return null;
  const contexts = traces.flatMap((one) => one?.span.spanContext() ?? []);
  // A span that is not recorded can be found nowhere, so it has no link.
  const sampled = contexts.filter(({ traceFlags }) => (traceFlags & TraceFlags.SAMPLED) !== 0);
  return { ...recorded, links: sampled.slice(0, MAX_LINKS).map((context) => ({ context })) };
}

/** Reports a span as failed. The type is one of few, such as a status or the code of an error. */
export function failSpan(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs in a span, which ends with it. The messages of errors are left out, since they may quote content. */
export async function runInSpan<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    failSpan(span, errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
