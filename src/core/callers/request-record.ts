import { type Context, ROOT_CONTEXT, type Span } from '@opentelemetry/api';
import { HiddenTokens } from './hidden-tokens.ts';

/** The GraphQL operation of a request. */
export interface RequestedOperation {
  readonly type: 'query' | 'mutation' | 'subscription';
  /** Its first 100 characters: letters, digits and underscores. Null without a name, and for one with a token in it. */
  readonly name: string | null;
}

/** The outcomes of all items that the writes of a request were to change. A reader group counts as one item. */
export interface OutcomeCounts {
  updated: number;
  failed: number;
  unknown: number;
  notAttempted: number;
}

/** The most causes of unknown outcomes that a request keeps. */
const MAX_UNKNOWN_CAUSES = 10;

/** The first sentence of a text. */
const FIRST_SENTENCE = /^.{0,180}?\.(?= |$)/u;

/** The merged calls of a request that are remembered. */
const MAX_MERGED_CALLS = 10;

const NO_REQUESTS: readonly RequestRecord[] = [];

/**
 * One HTTP request, as its log line, its metrics and its spans describe it. A call that was merged from the writes of
 * several requests has a record of its own, with an ID of its own.
 */
export class RequestRecord {
  /** The `x-request-id` of the client, or one that was made. */
  readonly id: string;
  /** `performance.now()`. */
  readonly startedAt = performance.now();
  /** True once its response was sent, or its connection was closed. A write that has begun may still be in flight. */
  isEnded = false;
  /** Null until a GraphQL document names it. */
  operation: RequestedOperation | null = null;
  /** The name of its operation in a trusted document, one of few; null elsewhere, since clients choose names. */
  trustedOperation: string | null = null;
  /** Null while no write has ended. */
  outcomes: OutcomeCounts | null = null;
  /** How often the request was answered with an error of each code, as entries of `errors` and in unions; null without one. */
  errorCounts: Map<string, number> | null = null;
  /** Why the outcomes of its writes are unknown, each cause once; null where none is. */
  unknownCauses: string[] | null = null;
  /** The calls to the service that were sent for the request; one that was merged counts for each of its requests. */
  upstreamCalls = 0;
  /** The IDs of the first merged calls with writes of the request; null while there is none. */
  mergedCalls: string[] | null = null;
  /** The longest wait that a rate limit has asked for; null when none has refused any part of the request. */
  retryAfterSeconds: number | null = null;
  /** The trace context that the client sent; null where it sent none, and of a merged call. */
  traceHeaders: TraceHeaders | null = null;
  /** The context that its span was started in: the one that the client sent, or the root. */
  parentContext: Context = ROOT_CONTEXT;
  /** Null where nothing is traced, and of a merged call. */
  span: Span | null = null;
  /** The span of its operation, while that is executed and recorded. */
  operationSpan: Span | null = null;
  /** The path of its operation in the façade, with the names of its parameters; null elsewhere. */
  facadePath: string | null = null;
  /** The cache of the backend's reads in this request; null while it has none. */
  reads: object | null = null;
  /** The calls to the service that its reads have cost. */
  readCalls = 0;
  /** The bounds that it sets on cached reads. */
  freshness: RequestFreshness = ANY_FRESHNESS;
  /** Null while none of its reads could have come from a cache. */
  readCacheUse: ReadCacheUse | null = null;

  /** The requests of a merged call; empty for a request. */
  readonly mergedRequests: readonly RequestRecord[];
  readonly tokens: HiddenTokens;

  constructor(
    id: string = crypto.randomUUID(),
    mergedRequests: readonly RequestRecord[] = NO_REQUESTS,
    tokens = new HiddenTokens(),
  ) {
    this.id = id;
    this.mergedRequests = mergedRequests;
    this.tokens = tokens;
  }

  countOutcomes(counts: OutcomeCounts): void {
    const sums = this.outcomes ?? { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
    sums.updated += counts.updated;
    sums.failed += counts.failed;
    sums.unknown += counts.unknown;
    sums.notAttempted += counts.notAttempted;
    this.outcomes = sums;
  }

  countError(code: string): void {
    this.errorCounts ??= new Map();
    this.errorCounts.set(code, (this.errorCounts.get(code) ?? 0) + 1);
  }

  /** Takes the first sentence, which is the gateway's own: what the service said may follow it, and quote content. */
  noteUnknown(details: string): void {
    this.unknownCauses ??= [];
    const [cause = 'no cause is known'] = FIRST_SENTENCE.exec(details) ?? [];
    const isNoted = this.unknownCauses.length >= MAX_UNKNOWN_CAUSES || this.unknownCauses.includes(cause);
    if (!isNoted) this.unknownCauses.push(cause);
  }

  countUpstreamCall(): void {
    this.upstreamCalls += 1;
    for (const request of this.mergedRequests) request.countUpstreamCall();
  }

  /** True when the outcome of a write comes too late for the line of one of its requests. */
  hasEndedRequests(): boolean {
    return this.isEnded || this.mergedRequests.some((request) => request.isEnded);
  }

  /** Called after each write, which may have changed what was read before. */
  clearReads(): void {
    this.reads = null;
    for (const request of this.mergedRequests) request.clearReads();
  }
}

/** Creates the record of a call with the writes of several requests. */
export function mergeRequests(requests: readonly RequestRecord[]): RequestRecord {
  const merged = new RequestRecord(undefined, requests);
  for (const request of requests) {
    request.mergedCalls ??= [];
    if (request.mergedCalls.length < MAX_MERGED_CALLS) request.mergedCalls.push(merged.id);
  }
  return merged;
}

/** Bounds that a request sets on the cached reads that it takes, by its header `Cache-Control`. */
export interface RequestFreshness {
  /** Milliseconds since the call of a read. */
  readonly maxAgeMs: number;
  /** False where what the request reads must not be kept. */
  readonly mayBeKept: boolean;
}

export const ANY_FRESHNESS: RequestFreshness = { maxAgeMs: Number.POSITIVE_INFINITY, mayBeKept: true };

/** Why a read needed a call of the service, in the words of RFC 9211. */
export type ForwardReason = 'bypass' | 'miss' | 'stale' | 'request';

/** The result of one read in the metrics. */
export type CachedReadResult = 'hit' | 'joined' | 'miss' | 'bypass';

/** The reads of one request, by how the read cache served them. */
export class ReadCacheUse {
  hits = 0;
  /** Reads that another request's call served. */
  joined = 0;
  /** Reads that had a call of their own. */
  calls = 0;
  /** The calls whose responses are kept. */
  kept = 0;
  /** The reason of the first read that the cache did not serve; null where it served all. */
  reason: ForwardReason | null = null;
  /** `performance.now()` of the earliest call whose kept response was used; null while there is none. */
  oldestSentAt: number | null = null;

  recordHit(sentAt: number): void {
    this.hits += 1;
    this.oldestSentAt = Math.min(this.oldestSentAt ?? sentAt, sentAt);
  }

  recordJoin(reason: ForwardReason): void {
    this.joined += 1;
    this.reason ??= reason;
  }

  recordCall(reason: ForwardReason, isKept: boolean): void {
    this.calls += 1;
    if (isKept) this.kept += 1;
    this.reason ??= reason;
  }
}

/** The W3C trace context of a request as version 00 writes it, without what later versions may add. */
interface TraceHeaders {
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

/** The ID of the trace that a request belongs to; null where it belongs to none. */
export const traceIdOf = ({ span, traceHeaders }: RequestRecord): string | null =>
  span?.spanContext().traceId ?? traceHeaders?.traceparent.split('-')[1] ?? null;
