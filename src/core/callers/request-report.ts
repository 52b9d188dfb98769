import { DEFAULT_RETRY_AFTER_SECONDS } from '../rate-limit.ts';

/**
 * Takes what the steps of a request do, as a span takes events: they add to it and never read it. Only who has created the
 * request reads what was added: see docs/decisions/0053-facts-and-reports.md.
 */
export interface RequestReport {
  add(event: RequestEvent): void;
}

/** The report of a request whose creator asks for nothing. */
export const NO_REPORT: RequestReport = { add: () => {} };

export type RequestEvent =
  | { readonly kind: 'operation'; readonly operation: RequestedOperation }
  /** The document is a trusted one; null for others, since clients choose names. */
  | { readonly kind: 'trusted-operation'; readonly name: string | null }
  /** The façade has the path, with the names of its parameters; null where it has none. */
  | { readonly kind: 'facade-path'; readonly path: string | null }
  /** The client gets an error, as an entry of `errors` or in a union. */
  | { readonly kind: 'error'; readonly code: string }
  /** A rate limit refused a part of the request. Null where the time to wait is not known. */
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'outcomes'; readonly counts: OutcomeCounts }
  /** A write has got its answer. Null where the answer does not show the time. */
  | { readonly kind: 'written'; readonly period: WritePeriod | null }
  /** The outcome of an item is unknown. The first sentence of the details is the gateway's own. */
  | { readonly kind: 'unknown-outcome'; readonly details: string }
  /** The writes of the request go with those of others in the call with the ID. */
  | { readonly kind: 'merged-call'; readonly id: string }
  /** A call was sent to the service, also where it is sent again. */
  | { readonly kind: 'call' }
  | { readonly kind: 'read-call' }
  | CachedRead;

/** A read that the read cache could have served. */
export type CachedRead =
  /** `sentAt`: `performance.now()` of the call whose kept response was used. */
  | { readonly kind: 'cached-read'; readonly result: 'hit'; readonly sentAt: number }
  /** Another request's call served it. */
  | { readonly kind: 'cached-read'; readonly result: 'joined'; readonly reason: ForwardReason }
  | {
      readonly kind: 'cached-read';
      readonly result: 'called';
      readonly reason: ForwardReason;
      readonly isKept: boolean;
    };

/** Why a read needed a call of the service, in the words of RFC 9211. */
export type ForwardReason = 'bypass' | 'miss' | 'stale' | 'request';

export interface RequestedOperation {
  readonly type: 'query' | 'mutation' | 'subscription';
  /** Its first 100 characters: letters, digits and underscores. Null without a name, and for one with a token in it. */
  readonly name: string | null;
}

/** The earliest and the latest time of a write by the clock of what was written to, in milliseconds since 1970. */
export interface WritePeriod {
  readonly earliest: number;
  readonly latest: number;
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

const FIRST_SENTENCE = /^.{0,180}?\.(?= |$)/u;

const MAX_MERGED_CALLS = 10;

/** What was reported of one request, for its creator. */
export class RequestSummary implements RequestReport {
  /** Null until a GraphQL document names it. */
  operation: RequestedOperation | null = null;
  /** The name of its operation in a trusted document, one of few; null elsewhere. */
  trustedOperation: string | null = null;
  /** The path of its operation in the façade, with the names of its parameters; null elsewhere. */
  facadePath: string | null = null;
  /** Null while no write has ended. */
  outcomes: OutcomeCounts | null = null;
  /** The period of its last write; null without one, and where no answer shows it. */
  writePeriod: WritePeriod | null = null;
  /** How often the request was answered with an error of each code; null without one. */
  errorCounts: Map<string, number> | null = null;
  /** Why the outcomes of its writes are unknown, each cause once; null where none is. */
  unknownCauses: string[] | null = null;
  /** The calls to the service that were sent for the request; one that was merged counts for each of its requests. */
  upstreamCalls = 0;
  /** The IDs of the first merged calls with writes of the request; null while there is none. */
  mergedCalls: string[] | null = null;
  /** The longest wait that a rate limit has asked for; null when none has refused any part of the request. */
  retryAfterSeconds: number | null = null;
  readCalls = 0;
  /** Null while none of its reads could have come from a cache. */
  readCacheUse: ReadCacheUse | null = null;

  add(event: RequestEvent): void {
    switch (event.kind) {
      case 'operation':
        this.operation = event.operation;
        break;
      case 'trusted-operation':
        this.trustedOperation = event.name;
        break;
      case 'facade-path':
        this.facadePath = event.path;
        break;
      case 'error':
        this.#countError(event.code);
        break;
      case 'rate-limit':
        this.#keepWait(event.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS);
        break;
      case 'outcomes':
        this.#countOutcomes(event.counts);
        break;
      case 'written':
        this.writePeriod = event.period;
        break;
      case 'unknown-outcome':
        this.#keepCause(event.details);
        break;
      case 'merged-call':
        this.#keepMergedCall(event.id);
        break;
      case 'call':
        this.upstreamCalls += 1;
        break;
      case 'read-call':
        this.readCalls += 1;
        break;
      case 'cached-read':
        this.readCacheUse ??= new ReadCacheUse();
        this.readCacheUse.add(event);
        break;
      default:
        // The compiler finds a kind that has no case.
        event satisfies never;
    }
  }

  #keepMergedCall(id: string): void {
    this.mergedCalls ??= [];
    if (this.mergedCalls.length < MAX_MERGED_CALLS) this.mergedCalls.push(id);
  }

  #countError(code: string): void {
    this.errorCounts ??= new Map();
    this.errorCounts.set(code, (this.errorCounts.get(code) ?? 0) + 1);
  }

  #keepWait(seconds: number): void {
    this.retryAfterSeconds = Math.max(this.retryAfterSeconds ?? 0, seconds);
  }

  #countOutcomes(counts: OutcomeCounts): void {
    const sums = this.outcomes ?? { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
    sums.updated += counts.updated;
    sums.failed += counts.failed;
    sums.unknown += counts.unknown;
    sums.notAttempted += counts.notAttempted;
    this.outcomes = sums;
  }

  /** Keeps the first sentence, which is the gateway's own: what the service said may follow it, and quote content. */
  #keepCause(details: string): void {
    this.unknownCauses ??= [];
    const [cause = 'no cause is known'] = FIRST_SENTENCE.exec(details) ?? [];
    const isKept = this.unknownCauses.length >= MAX_UNKNOWN_CAUSES || this.unknownCauses.includes(cause);
    if (!isKept) this.unknownCauses.push(cause);
  }
}

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

  add(read: CachedRead): void {
    if (read.result === 'hit') {
      this.hits += 1;
      this.oldestSentAt = Math.min(this.oldestSentAt ?? read.sentAt, read.sentAt);
      return;
    }
    this.reason ??= read.reason;
    if (read.result === 'joined') this.joined += 1;
    else {
      this.calls += 1;
      if (read.isKept) this.kept += 1;
    }
  }
}
