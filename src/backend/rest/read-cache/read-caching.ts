import type { Metrics } from '../../../domain/metrics.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { ReadCache } from './read-cache.ts';
import { createScopeMarks, type ScopeMarks } from './scope-marks.ts';

interface ReadCachingOptions {
  readonly shared?: SharedState | null;
  /** The fate of writes that can't be marked. */
  readonly onSharedFailure?: 'closed' | 'open';
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  readonly readCacheMs?: number;
  readonly readCacheBytes?: number;
}

const isCaching = ({ readCacheMs = 0, readCacheBytes = 0 }: ReadCachingOptions): boolean =>
  readCacheMs > 0 && readCacheBytes > 0;

/** The marks of writes. A gateway without a cache marks its writes all the same where others may have one. */
export function openScopeMarks(options: ReadCachingOptions): ScopeMarks | null {
  const { shared = null, onSharedFailure: onFailure = 'closed', timeoutMs, readCacheMs = 0 } = options;
  if (!isCaching(options) && shared === null) return null;
  return createScopeMarks({ shared, onFailure, timeoutMs, keptMs: readCacheMs });
}

interface ReadCacheOptions extends ReadCachingOptions {
  readonly marks: ScopeMarks;
  readonly upstream: Upstream;
  /** Equal for all gateways in front of one service. */
  readonly serviceUrl: string;
  readonly metrics: Metrics;
}

/** Null where each read is a call. */
export function openReadCache(options: ReadCacheOptions): ReadCache | null {
  const { marks, upstream, serviceUrl, metrics, readCacheMs = 0, readCacheBytes = 0 } = options;
  if (!isCaching(options)) return null;
  return new ReadCache({ marks, upstream, serviceUrl, maxAgeMs: readCacheMs, maxBytes: readCacheBytes, metrics });
}
