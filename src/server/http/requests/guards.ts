import type { IncomingMessage } from 'node:http';
import { MAX_REFUSED_ORIGINS } from '../../../core/base/limits.ts';
import type { Log } from '../../../core/base/log.ts';
import { negotiateGraphqlType } from '../../../core/base/media-types.ts';
import { RateWindows } from '../../../core/base/rate-windows.ts';
import { CALLER_HEADERS } from '../../../core/callers/hidden-tokens.ts';
import { badRequest, type HttpError, notAcceptable, type SendError } from '../responses/errors.ts';
import { RATE_LIMIT_FIELDS, sendText } from '../responses/send-response.ts';
import { pathOf, ROUTE_TRAITS, type RoutedRequest } from '../route.ts';

export type RequestGuards = ReturnType<typeof createRequestGuards>;

/**
 * The checks of the head of every request. Pages of `corsOrigins` may call `/graphql` and `/mcp`. Origins are compared
 * exactly, without patterns. Cookies are never allowed, since the gateway identifies callers by headers only.
 */
export function createRequestGuards(corsOrigins: readonly string[], sendError: SendError, log: Log) {
  const listed: ReadonlySet<string | undefined> = new Set(corsOrigins);
  const reportRefusal = createRefusalReport(log);
  const headErrorOf = createHeadCheck();

  const isPreflight = ({ request: { method, headers }, route }: RoutedRequest): boolean =>
    method === 'OPTIONS' &&
    headers['access-control-request-method'] !== undefined &&
    ROUTE_TRAITS[route].allowsCors &&
    listed.has(headers.origin);

  const errorOf = ({ request, route }: RoutedRequest): HttpError | null => {
    const { origin } = request.headers;
    // A page whose host name was rebound to this machine (DNS rebinding) is not listed: browsers send the Origin with each POST.
    if (route === 'mcp' && origin !== undefined && !listed.has(origin)) return ORIGIN_NOT_ALLOWED;
    return route === 'graphql' ? graphqlRequestError(request) : null;
  };

  return {
    /** Lets a page of a listed origin read the response, whatever it will be: refusals too. Another origin is logged. */
    allowOrigin(routed: RoutedRequest): void {
      const { request, response, route } = routed;
      const { origin } = request.headers;
      if (!ROUTE_TRAITS[route].allowsCors) return;
      if (listed.size > 0) response.setHeader('vary', 'Origin');
      if (listed.has(origin)) {
        response.setHeader('access-control-allow-origin', origin ?? '');
        response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
      } else if (origin !== undefined) reportRefusal(origin, routed);
    },
    /** True after the response to a preflight request, or to one whose target, host, origin or form is wrong. */
    handleHead(routed: RoutedRequest): boolean {
      const invalid = headErrorOf(routed.request);
      const isAnswered = invalid === null && isPreflight(routed);
      if (isAnswered) sendPreflight(routed);
      const error = isAnswered ? null : (invalid ?? errorOf(routed));
      if (error !== null) sendError(routed, error);
      return isAnswered || error !== null;
    },
  };
}

/** No origin is longer: a scheme, a name of 253 characters and a port. */
const LONGEST_ORIGIN = 270;

/** Logs each refused origin once in a minute, and no more than `MAX_REFUSED_ORIGINS` of them, since anybody can make them up. */
function createRefusalReport(log: Log) {
  const lines = new RateWindows(MAX_REFUSED_ORIGINS);
  const linesOfOrigin = new RateWindows(1);
  return (origin: string, { request: { headers }, facts }: RoutedRequest): void => {
    if (origin.length > LONGEST_ORIGIN || facts.tokens.areIn(origin) || isSameOrigin(origin, headers)) return;
    if (linesOfOrigin.tryCount(origin).isCounted && lines.tryCount('all').isCounted)
      log('warn', 'a web page was refused: CORS_ORIGINS does not list its origin', { origin });
  };
}

/** True for a page of the gateway itself, such as GraphiQL. Without `sec-fetch-site`, the hosts are compared. */
const isSameOrigin = (origin: string, { host, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean =>
  site === undefined ? URL.parse(origin)?.host === host : site === 'same-origin';

/** Yoga would send a stream of events to a client that accepts no JSON. */
const graphqlRequestError = (request: IncomingMessage): HttpError | null =>
  negotiateGraphqlType(request.headers.accept) === null ? notAcceptable : csrfError(request);

/** A name or an address with an optional port, and neither user, path nor query. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

const HOST_MESSAGE = 'The header Host must name one host.';

/**
 * Checks that target and host make a valid URL, whose path is the one that the route was decided by: URLs leave out
 * segments of dots, and read a backslash as a slash. Yoga answers an invalid URL with a stack trace. The last valid pair
 * is remembered, since most requests have the same one.
 */
function createHeadCheck(): (request: IncomingMessage) => HttpError | null {
  let valid = { url: '', host: '' };
  return ({ url = '', headers: { host = 'localhost' }, rawHeaders, httpVersion }) => {
    // The raw headers alternate names and values. `headers` would hide a second host.
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && /^host$/iu.test(name)).length;
    if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return badRequest(HOST_MESSAGE);
    if (valid.url === url && valid.host === host) return null;
    const error = urlError(url, host);
    if (error === null) valid = { url, host };
    return error;
  };
}

function urlError(url: string, host: string): HttpError | null {
  const parsed = HOST.test(host) ? URL.parse(`http://${host}${url}`) : null;
  if (parsed === null) return badRequest(HOST_MESSAGE);
  const path = pathOf({ url });
  if (!/^\/(?!\/)/u.test(path) || parsed.pathname !== path || url.includes('#'))
    return badRequest('The target of the request must be the path of a URL, beginning with one slash.');
  return isDecodable(url) ? null : badRequest('The target of the request has a bad percent-encoding.');
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** Each of these headers makes a browser send a preflight request first. */
const PREFLIGHTED_HEADERS = [...CALLER_HEADERS, 'graphql-require-preflight'];

/** The headers that a page of another origin may send besides those that browsers always allow. */
const ALLOWED_HEADERS = [
  'content-type',
  ...PREFLIGHTED_HEADERS,
  'x-request-id',
  'traceparent',
  'tracestate',
  'cache-control',
  'mcp-protocol-version',
].join(', ');

/** The headers of responses that such a page may read besides those that browsers always allow. */
const EXPOSED_HEADERS = ['retry-after', 'x-request-id', 'age', 'cache-status', ...RATE_LIMIT_FIELDS].join(', ');

/** Seconds for which a browser caches a preflight response. No browser keeps one for more than two hours. */
const MAX_AGE_SECONDS = 7_200;

function sendPreflight(routed: RoutedRequest): void {
  const { response } = routed;
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.setHeader('access-control-max-age', `${MAX_AGE_SECONDS}`);
  sendText(routed, { status: 204, headers: {}, body: '' });
}

/** The body types that a page of another site can make a browser send without a preflight request. */
const SIMPLE_CONTENT_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', '']);

const csrfPrevented = (message: string): HttpError => ({ status: 403, code: 'CSRF_PREVENTED', message });

const CSRF_PREVENTED = csrfPrevented(
  'A browser could send this request for any site. Send the header graphql-require-preflight, or POST application/json.',
);

/** Refuses a GraphQL request that a browser would send for another site without a preflight request. */
function csrfError({ method, headers }: IncomingMessage): HttpError | null {
  const contentType = headers['content-type'] ?? '';
  if (method === 'POST' && contentType === 'application/json') return null;
  if (method === 'OPTIONS' || PREFLIGHTED_HEADERS.some((name) => headers[name] !== undefined)) return null;
  const [mediaType = ''] = contentType.split(';', 1);
  const isSimple = method === 'GET' || SIMPLE_CONTENT_TYPES.has(mediaType.trim().toLowerCase());
  return isSimple ? CSRF_PREVENTED : null;
}

const ORIGIN_NOT_ALLOWED = csrfPrevented('Pages of this web origin may not call MCP: CORS_ORIGINS does not list it.');
