import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestFacts } from '../../core/callers/request-facts.ts';
import type { RequestSummary } from '../../core/callers/request-report.ts';
import type { Trace } from '../../core/tracing.ts';

export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly facts: RequestFacts;
  /** What the steps of the request have reported. */
  readonly summary: RequestSummary;
  /** Null where nothing is traced. */
  readonly trace: Trace | null;
}

interface RouteTraits {
  /** Those of the façade are all below its own, and those of the console's files below that of its page. */
  readonly paths: readonly string[];
  /** `pages`: GET for a browser. `reads`: GET and HEAD. */
  readonly serves: 'pages' | 'reads' | 'all';
  /** Pages of the origins in `CORS_ORIGINS` may call it. */
  readonly allowsCors: boolean;
  /** Its requests count towards `CALLER_REQUESTS_PER_MINUTE`. */
  readonly isRateLimited: boolean;
  /** It is served when the gateway has too much to do, too. */
  readonly isAlwaysServed: boolean;
  /** Its answers name parts of the schema, or show whether a name is one. */
  readonly namesSchema: boolean;
}

const FILE = {
  serves: 'reads',
  allowsCors: false,
  isRateLimited: false,
  isAlwaysServed: false,
  namesSchema: false,
} as const satisfies Omit<RouteTraits, 'paths'>;
const API = { ...FILE, serves: 'all', isRateLimited: true } as const;
const OPEN_API = { ...API, allowsCors: true } as const;

/** The first route that serves a request gets it, where several have the same path. */
const ROUTES = {
  graphiql: { ...OPEN_API, paths: ['/graphql'], serves: 'pages' },
  graphql: { ...OPEN_API, paths: ['/graphql'], namesSchema: true },
  console: { ...FILE, paths: ['/console'] },
  mcp: { ...OPEN_API, paths: ['/mcp'], namesSchema: true },
  facade: { ...API, paths: ['/v2'] },
  schema: { ...FILE, paths: ['/schema.graphql'] },
  possibleTypes: { ...FILE, paths: ['/possible-types.json'] },
  live: { ...FILE, paths: ['/health/live', '/livez'], isAlwaysServed: true },
  ready: { ...FILE, paths: ['/health/ready', '/readyz'], isAlwaysServed: true },
  start: { ...FILE, paths: ['/'], serves: 'pages' },
  none: { ...FILE, paths: [] },
} as const satisfies Record<string, RouteTraits>;

/** The destination of a request. `none` is every path and method that the gateway does not serve. */
export type Route = keyof typeof ROUTES;

export const ROUTE_TRAITS: Readonly<Record<Route, RouteTraits>> = ROUTES;

/** The target of a request without its query. */
export const pathOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): string =>
  url.includes('?') ? url.slice(0, url.indexOf('?')) : url;

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  /** The target as the client sent it, where a server such as Express has taken a path off it. */
  originalUrl?: unknown;
};

/**
 * Decides the route of a request, once, from its method, its target as it was sent, and its Accept header. The request
 * head guard refuses targets for which a URL would have another path. A base path is left out of the request's target
 * from now on, as other servers do where they mount a handler; there is no route outside of it.
 */
export function decideRoute(request: RequestHead, basePath = ''): Route {
  takeOriginForm(request);
  const { method = '', url: sent = '', headers } = request;
  const target = sent.slice(basePath.length);
  if (basePath !== '') {
    if (!sent.startsWith(basePath) || !/^(?:[/?]|$)/u.test(target)) return 'none';
    request.originalUrl ??= sent;
    request.url = target.startsWith('/') ? target : `/${target}`;
  }
  const path = pathOf(request);
  let route: Route;
  for (route in ROUTE_TRAITS) {
    const traits = ROUTE_TRAITS[route];
    if (traits.paths.includes(path) && isServed(traits, method, headers)) return route;
  }
  if (path.startsWith('/console/') && isServed(ROUTE_TRAITS.console, method, headers)) return 'console';
  return /^\/v2(?:\/|$)/iu.test(path) ? 'facade' : 'none';
}

const ABSOLUTE_FORM = /^https?:\/\/(?<host>[^/?#]*)(?<rest>.*)$/isu;

/** A server accepts a whole URL as the target, which some proxies send; its host counts (RFC 9112, section 3.2.2). */
function takeOriginForm(request: RequestHead): void {
  const { host, rest = '' } = ABSOLUTE_FORM.exec(request.url ?? '')?.groups ?? {};
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

function isServed({ serves }: RouteTraits, method: string, { accept }: RequestHead['headers']): boolean {
  if (serves === 'pages') return method === 'GET' && accept?.includes('text/html') === true;
  return serves === 'all' || method === 'GET' || method === 'HEAD';
}

/** The address of GraphQL, relative to that of a request for `/`: a proxy may strip a prefix that only the browser knows. */
export function graphqlBeside({ url, originalUrl }: Omit<RequestHead, 'method' | 'headers'>): string {
  const path = pathOf({ url: typeof originalUrl === 'string' ? originalUrl : url });
  return path.endsWith('/') ? 'graphql' : `./${path.slice(path.lastIndexOf('/') + 1)}/graphql`;
}

/** The path of a request with the names of its parameters, one of few; null where no path is known. */
export function httpRouteOf(route: Route, path: string, { facadePath }: RequestSummary): string | null {
  if (route === 'facade') return facadePath;
  const { paths } = ROUTE_TRAITS[route];
  return paths.includes(path) ? path : (paths[0] ?? null);
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/** The method of a request, one of few, as the semantic conventions of OpenTelemetry name it. */
export const knownMethodOf = ({ method = '' }: Pick<IncomingMessage, 'method'>): string =>
  KNOWN_METHODS.has(method) ? method : '_OTHER';
