import type { IncomingMessage } from 'node:http';
import type { Log } from '../base/log.ts';
import type { RequestRecord } from '../domain/callers/request-record.ts';
import { httpRouteOf, type Route, type RoutedRequest } from './route.ts';

/** What is known of a request when its response is sent, or its connection is closed. */
export interface RequestEnd {
  readonly record: RequestRecord;
  readonly method: string;
  readonly route: Route;
  /** The path with the names of its parameters, one of few; null where it is none of the gateway's. */
  readonly httpRoute: string | null;
  /** The target without its query; empty for one with a token in it, or that is no path, which may hold a password. */
  readonly path: string;
  /** The status that was sent; null when the connection was closed before. */
  readonly status: number | null;
  /** False when the connection was closed before the whole response was sent. */
  readonly isComplete: boolean;
  /** Milliseconds since the request arrived. */
  readonly durationMs: number;
}

/** Called once for each request that node:http has read, also for those that were refused or that failed. */
export type OnRequestEnd = (end: RequestEnd) => void;

export function describeRequestEnd({ request, response, route, record }: RoutedRequest): RequestEnd {
  const { method = '' } = request;
  const path = pathOf(request);
  return {
    record,
    method,
    route,
    httpRoute: httpRouteOf(route, path, record),
    path: record.tokens.areInPath(path) ? '' : path,
    status: response.headersSent ? response.statusCode : null,
    isComplete: response.writableFinished,
    durationMs: performance.now() - record.startedAt,
  };
}

/** A listener that throws is a bug, which does not keep the others from being called. */
export function reportRequestEnd(
  end: RequestEnd,
  { onRequestEnd, log }: { readonly onRequestEnd: readonly OnRequestEnd[]; readonly log: Log },
): void {
  for (const listener of onRequestEnd) {
    try {
      listener(end);
    } catch (error) {
      log('error', 'the end of a request could not be reported', { requestId: end.record.id, error });
    }
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  if (!/^\/(?!\/)/u.test(url)) return '';
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? url : url.slice(0, queryStart);
}
