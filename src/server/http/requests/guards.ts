import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MAX_REFUSED_ORIGINS } from '../../../core/base/limits.ts';
import type { Log } from '../../../core/base/log.ts';
import { negotiateGraphqlType } from '../../../core/base/media-types.ts';
import { RateWindows } from '../../../core/base/rate-windows.ts';
import { isDecodable } from '../../../core/base/text.ts';
import { CALLER_HEADERS } from '../../../core/callers/hidden-tokens.ts';
import { isLoopbackUrl } from '../../config/setting-types.ts';
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

  /** Why a page of another origin can't call this; null where it can, or where the browser does not ask. */
  const refusalOf = ({ request, route }: RoutedRequest): string | null => {
    const asked = methodOfPreflight(request);
    if (!ROUTE_TRAITS[route].allowsCors) return asked && 'pages of other origins call /graphql and /mcp alone';
    if (!listed.has(request.headers.origin)) return 'CORS_ORIGINS does not list its origin';
    return asked === null || PAGE_METHODS.includes(asked) ? null : `pages send ${PAGE_METHODS.join(' and ')} alone`;
  };

  const errorOf = ({ request, route }: RoutedRequest): HttpError | null => {
    const { origin } = request.headers;
    // A page whose host name was rebound to this machine (DNS rebinding) is not listed: browsers send the Origin with each POST.
    if (route === 'mcp' && origin !== undefined && !listed.has(origin) && !isOwnLocalPage(request.headers))
      return ORIGIN_NOT_ALLOWED;
    if (route !== 'graphql') return null;
    // Yoga would send a stream of events to a client that accepts no JSON.
    return negotiateGraphqlType(request.headers.accept) === null ? notAcceptable : csrfError(request);
  };

  return {
    /** Lets a page of a listed origin read the response, whatever it will be: refusals too. What is refused is logged. */
    allowOrigin(routed: RoutedRequest): void {
      const { request, response, route } = routed;
      const { origin } = request.headers;
      const { allowsCors } = ROUTE_TRAITS[route];
      if (allowsCors && listed.size > 0) response.setHeader('vary', 'Origin');
      if (origin === undefined) return;
      if (allowsCors && listed.has(origin)) {
        response.setHeader('access-control-allow-origin', origin);
        response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
      }
      const reason = refusalOf(routed);
      if (reason !== null) reportRefusal(origin, reason, routed);
    },
    /** True after the response to a preflight request, or to one whose target, host, origin or form is wrong. */
    handleHead(routed: RoutedRequest): boolean {
      const { request, route } = routed;
      const invalid = isOneHost(request) ? urlError(request) : badRequest(HOST_MESSAGE);
      const mayAsk = ROUTE_TRAITS[route].allowsCors && listed.has(request.headers.origin);
      const isAnswered = invalid === null && mayAsk && methodOfPreflight(request) !== null;
      if (isAnswered) sendPreflight(routed);
      const error = isAnswered ? null : (invalid ?? errorOf(routed));
      if (error !== null) sendError(routed, error);
      return isAnswered || error !== null;
    },
  };
}

const PAGE_METHODS = ['GET', 'POST'];

/** The method that a browser asks for before it sends the request of a page; null for other requests. */
const methodOfPreflight = ({ method, headers }: IncomingMessage): string | null =>
  (method === 'OPTIONS' && headers['access-control-request-method']) || null;

/** Logs each refusal once in a minute, `MAX_REFUSED_ORIGINS` of them and none above 4,000 characters: anybody can make them up. */
function createRefusalReport(log: Log) {
  const lines = new RateWindows(MAX_REFUSED_ORIGINS);
  const linesOfRefusal = new RateWindows(1);
  return (origin: string, reason: string, { request, route, facts }: RoutedRequest): void => {
    const headers = request.headers['access-control-request-headers'];
    const fields = { origin, reason, route, method: methodOfPreflight(request) ?? undefined, headers };
    const text = JSON.stringify(fields);
    if (text.length > 4_000 || facts.tokens.areIn(text) || isSameOrigin(origin, request.headers)) return;
    const isFirst = linesOfRefusal.tryCount(hash('sha256', text, 'base64')).isCounted;
    if (isFirst && lines.tryCount('all').isCounted) log('warn', 'a web page was refused', fields);
  };
}

/** True for a page of the gateway itself, such as GraphiQL. Without `sec-fetch-site`, the hosts are compared. */
const isSameOrigin = (origin: string, { host, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean =>
  site === undefined ? URL.parse(origin)?.host === host : site === 'same-origin';

/** True for a page of the gateway on the machine of its user, whose host no DNS can rebind. */
const isOwnLocalPage = ({ origin = '', host }: IncomingMessage['headers']): boolean =>
  origin === `http://${host}` && isLoopbackUrl(origin);

/** A name or an address with an optional port, and neither user, path nor query. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

const HOST_MESSAGE = 'The header Host must name one host.';

/** `headers` would hide a second host. */
function isOneHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct['host']?.length ?? 0;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Checks that target and host make a valid URL, whose path is the one that the route was decided by: URLs leave out
 * segments of dots, and read a backslash as a slash. Yoga answers an invalid URL with a stack trace.
 */
function urlError({ url = '', headers: { host = 'localhost' } }: IncomingMessage): HttpError | null {
  const parsed = HOST.test(host) ? URL.parse(`http://${host}${url}`) : null;
  if (parsed === null) return badRequest(HOST_MESSAGE);
  const path = pathOf({ url });
  if (!/^\/(?!\/)/u.test(path) || parsed.pathname !== path || url.includes('#'))
    return badRequest('The target of the request must be the path of a URL, beginning with one slash.');
  return url.includes('%') && !isDecodable(url)
    ? badRequest('The target of the request has a bad percent-encoding.')
    : null;
}

/** Each of these headers makes a browser send a preflight request first. */
const PREFLIGHTED_HEADERS = [...CALLER_HEADERS, 'graphql-require-preflight'];

/** The headers of responses that such a page may read besides those that browsers always allow. */
const EXPOSED_HEADERS = ['retry-after', 'x-request-id', 'age', 'cache-status', ...RATE_LIMIT_FIELDS].join(', ');

function sendPreflight(routed: RoutedRequest): void {
  const { request, response } = routed;
  const { 'access-control-request-headers': headers } = request.headers;
  response.setHeader('access-control-allow-methods', PAGE_METHODS.join(', '));
  // Names of headers have no power here: see docs/decisions/0051-one-door.md.
  if (headers !== undefined) response.setHeader('access-control-allow-headers', headers);
  response.setHeader('access-control-max-age', '7200');
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
