import type { Metrics } from '../domain/metrics.ts';
import type { OnRequestEnd } from './request-end.ts';
import type { Route } from './route.ts';

/** Routes with several paths, which count as one. */
const SHARED_PATHS: Readonly<Partial<Record<Route, string>>> = {
  facade: '/v2',
  live: '/health/live',
  ready: '/health/ready',
};

/** Counts and measures each request at its end. */
export const recordRequestEnds =
  (metrics: Metrics): OnRequestEnd =>
  ({ record, method, route, httpRoute, status, durationMs }) => {
    const trustedOperation = record.trustedOperation ?? undefined;
    metrics.recordRequest({ method, route: SHARED_PATHS[route] ?? httpRoute, status, durationMs, trustedOperation });
    if (record.refusal !== null) metrics.countRefusal(record.refusal);
  };
