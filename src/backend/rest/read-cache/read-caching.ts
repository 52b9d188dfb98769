import type { Metrics } from '../../../domain/metrics.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import type { Upstream } from '../upstream.ts';
import { markWrites } from './marked-writes.ts';
import { ReadCache } from './read-cache.ts';
import { createScopeMarks } from './scope-marks.ts';

interface ReadCachingOptions {
  readonly upstream: Upstream;
  /** Equal for all gateways in front of one service. */
  readonly serviceUrl: string;
  readonly shared?: SharedState | null;
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  readonly readCacheMs?: number;
  readonly readCacheBytes?: number;
  readonly metrics: Metrics;
}

interface ReadCaching {
  /** Null where each read is a call. */
  readonly readCache: ReadCache | null;
  /** Marks the writes that it sends, for the caches of this process and of others. */
  readonly upstream: Upstream;
}

/** A delay of the process between the mark and its call. */
const MARK_MARGIN_MS = 1_000;

/** A gateway without a cache marks its writes all the same where others may have one. */
export function openReadCaching(options: ReadCachingOptions): ReadCaching {
  const { upstream, serviceUrl, shared = null, timeoutMs, readCacheMs = 0, readCacheBytes = 0, metrics } = options;
  const isCaching = readCacheMs > 0 && readCacheBytes > 0;
  if (!isCaching && shared === null) return { readCache: null, upstream };
  const marks = createScopeMarks({ shared, markMs: 2 * timeoutMs + MARK_MARGIN_MS, keptMs: readCacheMs });
  const markedUpstream = markWrites(upstream, { marks, serviceUrl });
  if (!isCaching) return { readCache: null, upstream: markedUpstream };
  const readCache = new ReadCache({
    marks,
    upstream,
    serviceUrl,
    maxAgeMs: readCacheMs,
    maxBytes: readCacheBytes,
    metrics,
  });
  return { readCache, upstream: markedUpstream };
}
