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
import type { RequestRecord } from './callers/request-record.ts';

/** The number of links that OpenTelemetry's SDK keeps by default. With more, it would keep the last ones. */
const MAX_LINKS = 128;

export interface SpanDescription {
  readonly name: string;
  readonly kind: SpanKind;
  /** The attributes, which are computed for recorded spans only. */
  readonly attributes: () => Attributes;
}

/**
 * Starts a span for a part of the work of a request. That of a merged call has links to the recorded spans of its first
 * requests. Null where the request is not recorded, so that sampling bounds the cost.
 */
export function startSpan(tracer: Tracer | null, request: RequestRecord, description: SpanDescription): Span | null {
  if (tracer === null) return null;
  const parent = recordedContextOf(request);
  if (parent === null) return null;
  const { name, kind, attributes } = description;
  return tracer.startSpan(name, { kind, attributes: attributes(), links: linksTo(request.mergedRequests) }, parent);
}

/** A span that is not recorded can't be found, so it has no link. */
function linksTo(requests: readonly RequestRecord[]): Link[] {
  const links: Link[] = [];
  for (const request of requests) {
    const context = innermostSpan(request)?.spanContext();
    if (context !== undefined && (context.traceFlags & TraceFlags.SAMPLED) !== 0) links.push({ context });
    if (links.length === MAX_LINKS) break;
  }
  return links;
}

/** The innermost open span of a request; null where nothing is traced. */
export const innermostSpan = ({ operationSpan, span }: RequestRecord): Span | null => operationSpan ?? span;

/** The context of a request and of a span in it. It is created on demand, since most requests have no inner span. */
export const contextOf = ({ parentContext }: RequestRecord, span: Span): Context => trace.setSpan(parentContext, span);

/** The innermost context of a request that is recorded, or of the first such request of a merged call. */
function recordedContextOf(request: RequestRecord): Context | null {
  const own = innermostSpan(request);
  if (own !== null) return own.isRecording() ? contextOf(request, own) : null;
  for (const merged of request.mergedRequests) {
    const context = recordedContextOf(merged);
    if (context !== null) return context;
  }
  return null;
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
