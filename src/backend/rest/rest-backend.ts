import type { Tracer } from '@opentelemetry/api';
import { TickQueue } from '../../base/json/tick-queue.ts';
import type { Log } from '../../base/log.ts';
import { err, ok } from '../../base/result.ts';
import { unauthenticated } from '../../domain/errors.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import type { SharedState } from '../../state/shared/shared-state.ts';
import type { Backend } from '../backend.ts';
import { apiRootOf, openServiceClient } from './calls/service-client.ts';
import type { SendHttp } from './calls/http-request.ts';
import { openReadCaching } from './read-cache/read-caching.ts';
import { checkService } from './readiness.ts';
import { RequestCaches } from './reads/request-cache.ts';
import { createReads } from './reads.ts';
import { createTokenStates, type TokenStates } from './calls/token-states.ts';
import { createTokenVerification } from './reads/token-verification.ts';
import { createUntrustedCallLimiter } from './tokens/untrusted-calls.ts';
import { createUpstream } from './upstream.ts';
import { createBulkUpdates } from './writes/bulk-updates.ts';
import { createReaderGroupWrites } from './writes/reader-group-writes.ts';
import { createSharedGroupLocks, type SharedGroupLocks } from './writes/shared-group-locks.ts';

export interface RestBackendOptions {
  /** The URL before `/v2`, which may have a path and a slash at its end (`UPSTREAM_URL`). */
  readonly baseUrl: string;
  /** The proxy in front of it. Calls are sent directly when it is null or absent. */
  readonly proxyUrl?: string | null;
  /** The header `User-Agent` of calls. */
  readonly userAgent?: string;
  /** Milliseconds for one call (`UPSTREAM_TIMEOUT_MS`). */
  readonly timeoutMs: number;
  /** Items per call of the bulk update (`UPSTREAM_BULK_SIZE`). */
  readonly bulkSize: number;
  /** The most calls for the reads of one request (`MAX_UPSTREAM_CALLS`). */
  readonly maxReadCalls: number;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared?: SharedState | null;
  /** The fate of group writes while the shared state can't be reached (`STATE_FAILURE`). */
  readonly onSharedFailure?: 'closed' | 'open';
  /** How long a response to a read may be used again (`READ_CACHE_SECONDS`); never where it is 0 or absent. */
  readonly readCacheMs?: number;
  /** The bytes of the responses that are kept (`READ_CACHE_BYTES`). */
  readonly readCacheBytes?: number;
  /** The queue of the process for large bodies; one of its own when it is absent. */
  readonly ticks?: TickQueue | undefined;
  /** Replaces the requests on the network. */
  readonly sendHttp?: SendHttp | undefined;
  /** Null where nothing is traced. */
  readonly tracer?: Tracer | null | undefined;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

/** The most concurrent calls. Only hanging calls can be so many, since the service allows a token some 60 a minute. */
const MAX_SOCKETS = 256;

/** The most calls that wait; one more is `unavailable` at once. */
const MAX_WAITING = 1_000;

/** The backend that forwards every call to the service at `baseUrl`. */
export function openRestBackend(options: RestBackendOptions): Backend {
  const { baseUrl, proxyUrl = null, userAgent = 'kb-gateway', ticks = new TickQueue(), log } = options;
  const { timeoutMs, bulkSize, maxReadCalls, tracer = null, metrics = noMetrics, shared = null } = options;
  const client = openServiceClient({
    baseUrl,
    proxyUrl,
    userAgent,
    timeoutMs,
    maxSockets: MAX_SOCKETS,
    maxWaiting: MAX_WAITING,
    ticks,
    sendHttp: options.sendHttp,
    tracer,
    log,
    metrics,
  });
  const tokenStates = createTokenStates({ shared, serviceUrl: apiRootOf(baseUrl) });
  const untrustedCalls = createUntrustedCallLimiter({ slots: MAX_SOCKETS, maxWaiting: MAX_WAITING });
  observeTokens(metrics, tokenStates);
  metrics.observe('callsWaitingUntrusted', untrustedCalls.waitingCalls);
  const upstream = createUpstream({ client, tokenStates, untrustedCalls });
  const verification = createTokenVerification(upstream);
  const caching = openReadCaching({ ...options, serviceUrl: apiRootOf(baseUrl), upstream, metrics });
  return {
    authenticate: (caller) => (upstream.tokenOf(caller) === null ? err(unauthenticated()) : ok(undefined)),
    isAccepted: verification.isAccepted,
    verifyToken: verification.verifyToken,
    async rateLimit(caller) {
      if (upstream.tokenOf(caller) === null) return err(unauthenticated());
      const rateLimit = upstream.tokenStateOf(caller)?.rateLimit;
      await rateLimit?.refresh();
      return ok(rateLimit?.current() ?? null);
    },
    smallCallDelayMs: (caller) => upstream.tokenStateOf(caller)?.rateLimit.delayMs() ?? 0,
    checkReady: () => checkService(client, proxyUrl ?? baseUrl),
    async close() {
      client.close();
    },
    bulkUpdateArticles: createBulkUpdates({ upstream: caching.upstream, bulkSize, log }),
    ...createReaderGroupWrites({ upstream: caching.upstream, verification, sharedLocks: sharedLocksOf(options), log }),
    ...createReads(new RequestCaches({ upstream, maxCalls: maxReadCalls, readCache: caching.readCache, ticks })),
  };
}

function sharedLocksOf({
  shared,
  onSharedFailure,
  baseUrl,
  timeoutMs,
  log,
}: RestBackendOptions): SharedGroupLocks | null {
  if (!shared) return null;
  const { groupLocks } = shared;
  const onFailure = onSharedFailure ?? 'closed';
  return createSharedGroupLocks({ groupLocks, onFailure, serviceUrl: apiRootOf(baseUrl), timeoutMs, log });
}

function observeTokens(metrics: Metrics, tokenStates: TokenStates): void {
  metrics.observe('callsWaitingForRateLimit', tokenStates.waitingCalls);
  metrics.observe('budgetRemaining', () => tokenStates.lowestRateLimit()?.remaining ?? null);
  metrics.observe('budgetResetSeconds', () => {
    const resetAt = tokenStates.lowestRateLimit()?.resetAt ?? null;
    return resetAt === null ? null : Math.max(0, (resetAt.getTime() - Date.now()) / 1_000);
  });
}
