import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestRecord } from '../domain/callers/request-record.ts';

/** The destination of a request. `none` is every path and method that the gateway does not serve. */
export type Route =
  | 'graphql'
  | 'graphiql'
  | 'mcp'
  | 'facade'
  | 'schema'
  | 'possibleTypes'
  | 'live'
  | 'ready'
  | 'start'
  | 'none';

export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly record: RequestRecord;
}

interface RouteTraits {
  /** Pages of the origins in `CORS_ORIGINS` may call it. */
  readonly allowsCors: boolean;
  /** Its requests count towards `CALLER_REQUESTS_PER_MINUTE`. */
  readonly isRateLimited: boolean;
  /** It is served when there is no memory left, too. */
  readonly isAlwaysServed: boolean;
}

const API: RouteTraits = { allowsCors: false, isRateLimited: true, isAlwaysServed: false };
const PAGE: RouteTraits = { allowsCors: false, isRateLimited: false, isAlwaysServed: false };

export const ROUTE_TRAITS: Readonly<Record<Route, RouteTraits>> = {
  graphql: { ...API, allowsCors: true },
  graphiql: { ...API, allowsCors: true },
  mcp: { ...API, allowsCors: true },
  facade: API,
  schema: PAGE,
  possibleTypes: PAGE,
  live: { ...PAGE, isAlwaysServed: true },
  ready: { ...PAGE, isAlwaysServed: true },
  start: PAGE,
  none: PAGE,
};

const READ_ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/schema.graphql', 'schema'],
  ['/possible-types.json', 'possibleTypes'],
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
  ['/livez', 'live'],
  ['/readyz', 'ready'],
]);

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Decides the route of a request, once, from its method, its target as it was sent, and its Accept header. The request
 * head guard refuses targets for which a URL would have another path. A base path is left out of the request's target
 * from now on, as other servers do where they mount a handler; there is no route outside of it.
 */
export function decideRoute(request: RequestHead, basePath = ''): Route {
  const { url = '' } = request;
  const target = url.slice(basePath.length);
  if (basePath !== '') {
    if (!url.startsWith(basePath) || !/^(?:[/?]|$)/u.test(target)) return 'none';
    request.url = target.startsWith('/') ? target : `/${target}`;
  }
  return routeOf(request);
}

function routeOf({ method, url = '', headers }: RequestHead): Route {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  const isPage = method === 'GET' && headers.accept?.includes('text/html');
  if (path === '/graphql') return isPage ? 'graphiql' : 'graphql';
  if (path === '/mcp') return 'mcp';
  if (path === '/') return isPage ? 'start' : 'none';
  const route = READ_ROUTES.get(path);
  if (route) return method === 'GET' || method === 'HEAD' ? route : 'none';
  return /^\/v2(?:\/|$)/iu.test(path) ? 'facade' : 'none';
}

const PAGE_PATHS: Readonly<Partial<Record<Route, string>>> = {
  graphql: '/graphql',
  graphiql: '/graphql',
  mcp: '/mcp',
  start: '/',
};

/** The path of a request with the names of its parameters, one of few; null where no path is known. */
export function httpRouteOf(route: Route, path: string, { facadePath }: RequestRecord): string | null {
  if (route === 'facade') return facadePath;
  return PAGE_PATHS[route] ?? (route === 'none' ? null : path);
}

const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

/** The method of a request, one of few, as the semantic conventions of OpenTelemetry name it. */
export const knownMethodOf = ({ method = '' }: Pick<IncomingMessage, 'method'>): string =>
  KNOWN_METHODS.has(method) ? method : '_OTHER';
