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
