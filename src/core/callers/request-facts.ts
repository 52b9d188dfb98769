import { HiddenTokens } from './hidden-tokens.ts';
import { NO_REPORT, type RequestReport } from './request-report.ts';

/**
 * What whoever creates a request knows of it from the start, for all steps below. Nobody changes it. The steps report what
 * they do to `report`, which only the creator reads.
 *
 *     const summary = new RequestSummary();
 *     const request = createRequestFacts({ report: summary });
 *     await backend.bulkUpdateArticles({ ...caller, request }, updates);
 *     console.log(summary.upstreamCalls);
 */
export interface RequestFacts {
  /** The `x-request-id` of the client, or one that was made. */
  readonly id: string;
  /** `performance.now()` when it was received. */
  readonly startedAt: number;
  /** The tokens that no line of a log and no call may have in it. Only the creator of the request adds to them. */
  readonly tokens: HiddenTokens;
  /** The trace context that the client sent; null where it sent none, and of a merged call. */
  readonly traceHeaders: TraceHeaders | null;
  /** The bounds that it sets on cached reads. */
  readonly freshness: RequestFreshness;
  /**
   * True once its response was sent, or its connection was closed. A write that has begun may still be in flight. A merged
   * call has ended once one of its requests has.
   */
  readonly isEnded: () => boolean;
  readonly report: RequestReport;
  /** A place of the backend alone, for what it keeps until the request ends. A WeakMap cost a read a tenth of its time. */
  readonly kept: { ofBackend: object | null };
}

const neverEnds = (): boolean => false;

/** Creates the facts of a request that no client has sent by HTTP, such as that of a job. */
export const createRequestFacts = (known: Partial<RequestFacts> = {}): RequestFacts => ({
  id: known.id ?? crypto.randomUUID(),
  startedAt: known.startedAt ?? performance.now(),
  tokens: known.tokens ?? new HiddenTokens(),
  traceHeaders: known.traceHeaders ?? null,
  freshness: known.freshness ?? ANY_FRESHNESS,
  isEnded: known.isEnded ?? neverEnds,
  report: known.report ?? NO_REPORT,
  kept: known.kept ?? { ofBackend: null },
});

/** Bounds that a request sets on the cached reads that it takes, by its header `Cache-Control`. */
export interface RequestFreshness {
  /** Milliseconds since the call of a read. */
  readonly maxAgeMs: number;
  /** False where what the request reads must not be kept. */
  readonly mayBeKept: boolean;
}

export const ANY_FRESHNESS: RequestFreshness = { maxAgeMs: Number.POSITIVE_INFINITY, mayBeKept: true };

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
  /^(?!ff|00.{54})[\da-f]{2}(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?:$|-[\x21-\x7e]{0,128}$)/u;

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
