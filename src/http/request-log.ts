import type { Log } from '../base/log.ts';
import { traceIdOf } from '../domain/callers/request-record.ts';
import type { OnRequestEnd, RequestEnd } from './request-end.ts';

/** Characters. A path is as long as the head of a request may be. */
const MAX_PATH = 200;

/** Writes one line for each request. The lines of health checks that succeed have the level `debug`. */
export const createRequestLog =
  (log: Log): OnRequestEnd =>
  (end) => {
    const isProbe = end.route === 'live' || end.route === 'ready';
    log(isProbe && end.status === 200 ? 'debug' : 'info', 'request', fieldsOf(end));
  };

/** A line has no member whose value is undefined. One object with all names is cheaper than several that are joined. */
function fieldsOf({ record, method, path, status, isComplete, durationMs }: RequestEnd) {
  const { id, operation, outcomes, upstreamCalls, mergedCalls, readCacheUse } = record;
  return {
    method,
    path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path,
    status,
    // The client has gone before it had the whole response.
    isComplete: isComplete ? undefined : false,
    ms: Math.round(durationMs * 10) / 10,
    operation: operation?.type,
    operationName: operation?.name,
    updated: outcomes?.updated,
    failed: outcomes?.failed,
    unknown: outcomes?.unknown,
    notAttempted: outcomes?.notAttempted,
    upstreamCalls,
    cachedReads: readCacheUse?.hits || undefined,
    mergedCalls: mergedCalls ?? undefined,
    requestId: id,
    traceId: traceIdOf(record) ?? undefined,
  };
}
