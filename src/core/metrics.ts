import type { OutcomeCounts } from './callers/request-report.ts';

/** The reason why the gateway refused a request that may succeed later. */
export type RefusalCause = 'caller_rate_limit' | 'memory' | 'overload';

/** A request to the gateway, after its response. */
export interface ServedRequest {
  readonly method: string;
  /** The path as the gateway names it, such as `/graphql`. Null for a path that it does not serve. */
  readonly route: string | null;
  /** Null when the connection was closed before a status was sent. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The name of an operation of a trusted document. Absent for all others, since clients choose their names. */
  readonly trustedOperation?: string | undefined;
}

/** A call to the service, after its response or its failure. */
export interface EndedCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The status of the response, or the reason why there is none. */
  readonly result: number | CallFailureReason;
  readonly durationMs: number;
}

type CallFailureReason = 'timeout' | 'not_connected' | 'connection_closed' | 'response_too_large';

/** A value that is read whenever the metrics are collected. */
export type Gauge =
  | 'requestsInFlight'
  | 'callsInFlight'
  | 'callsWaitingForRateLimit'
  | 'callsWaitingForConnection'
  | 'callsWaitingUnverified'
  | 'pendingUpdates'
  | 'jobsSending'
  | 'jobsWaitingForRateLimit'
  | 'jobsWaitingForService'
  | 'stateFailing'
  | 'stateBytes'
  | 'breakerOpen'
  | 'readCacheBytes'
  | 'budgetRemaining'
  | 'budgetResetSeconds'
  | 'sharedStateUp'
  | 'sharedStateErrors'
  | 'poolUsed'
  | 'poolIdle'
  | 'poolMax'
  | 'poolPending';

/** The result of one read that the read cache could have served. */
export type CachedReadResult = 'hit' | 'joined' | 'miss' | 'bypass';

/** Takes what the gateway counts and measures. Its parts get it as an option, like `Log`. */
export interface Metrics {
  recordRequest(request: ServedRequest): void;
  recordCall(call: EndedCall): void;
  recordMergedCall(items: number): void;
  countItems(counts: Readonly<OutcomeCounts>): void;
  countRefusal(cause: RefusalCause): void;
  countErrors(code: string, count: number): void;
  countCachedRead(result: CachedReadResult): void;
  /** Registers a fast reader of a gauge. Null means an unknown value. The values of several readers are added up. */
  observe(gauge: Gauge, read: () => number | null): void;
}

/** Records nothing. */
export const noMetrics: Metrics = {
  recordRequest: () => {},
  recordCall: () => {},
  recordMergedCall: () => {},
  countItems: () => {},
  countRefusal: () => {},
  countErrors: () => {},
  countCachedRead: () => {},
  observe: () => {},
};
