import { traceIdOf } from '../domain/callers/trace-headers.ts';
import type { Log } from '../domain/log.ts';
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

function fieldsOf({ record, method, path, status, isComplete, durationMs }: RequestEnd) {
  const { id, operation, outcomes, upstreamCalls, mergedCalls, readCacheUse } = record;
  const traceId = traceIdOf(record);
  return {
    method,
    path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path,
    status,
    // The client has gone before it had the whole response.
    ...(!isComplete && { isComplete }),
    ms: Math.round(durationMs * 10) / 10,
    ...(operation && { operation: operation.type, operationName: operation.name }),
    ...outcomes,
    upstreamCalls,
    ...(readCacheUse && readCacheUse.hits > 0 && { cachedReads: readCacheUse.hits }),
    ...(mergedCalls && { mergedCalls }),
    requestId: id,
    ...(traceId !== null && { traceId }),
  };
}
