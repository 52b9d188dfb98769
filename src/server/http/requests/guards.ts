import type { IncomingMessage } from 'node:http';
import { MAX_REFUSED_ORIGINS } from '../../../core/base/limits.ts';
import type { Log } from '../../../core/base/log.ts';
import { negotiateGraphqlType } from '../../../core/base/media-types.ts';
import { badRequest, type ErrorResponder, type HttpError, notAcceptable } from '../responses/errors.ts';
import { RATE_LIMIT_FIELDS, sendText } from '../responses/send-response.ts';
import { ROUTE_TRAITS, type RoutedRequest } from '../route.ts';

export type RequestGuards = ReturnType<typeof createRequestGuards>;

/**
 * The checks of the head of every request. Pages of `corsOrigins` may call `/graphql` and `/mcp`. Origins are compared exactly, without patterns. Cookies are never allowed, since
 * the gateway identifies callers by headers only.
 */
export function createRequestGuards(corsOrigins: readonly string[], errorResponder: ErrorResponder, log: Log) {
  const listed: ReadonlySet<string> = new Set(corsOrigins);
  const reportRefusal = createRefusalReport(log);
  const checkHead = createHeadCheck();
  const isListed = (origin: string | undefined) => origin !== undefined && listed.has(origin);

  // A page whose host name was rebound to this machine (DNS rebinding) is not listed: browsers send the Origin with each POST.
  const mcpOriginError = ({ origin }: IncomingMessage['headers']): HttpError | null =>
    origin === undefined || listed.has(origin) ? null : ORIGIN_NOT_ALLOWED;

  const isPreflight = (routed: RoutedRequest): boolean => {
    const { method, headers } = routed.request;
    const isSent = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    return isSent && ROUTE_TRAITS[routed.route].allowsCors && isListed(headers.origin);
  };

  return {
    /** Lets a page of a listed origin read the response, whatever it will be: refusals too. Another origin is logged. */
    allowOrigin(routed: RoutedRequest): void {
      const { request, response, route } = routed;
      if (!ROUTE_TRAITS[route].allowsCors) return;
      if (listed.size > 0) response.setHeader('vary', 'Origin');
      const { origin } = request.headers;
      if (origin === undefined) return;
      if (isListed(origin)) {
        response.setHeader('access-control-allow-origin', origin);
        response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
      } else reportRefusal(origin, routed);
    },
    /** True after the response to a preflight request, or to one whose target, host, origin or form is wrong. */
    handleHead(routed: RoutedRequest): boolean {
      const { request, route } = routed;
      const headError = checkHead(request) ?? (route === 'mcp' ? mcpOriginError(request.headers) : null);
      if (headError === null && isPreflight(routed)) {
        sendPreflight(routed);
        return true;
      }
      const error = headError ?? (route === 'graphql' ? graphqlRequestError(request) : null);
      if (error !== null) errorResponder.sendHttpError(routed, error);
      return error !== null;
    },
  };
}

const MINUTE_MS = 60_000;

/** No origin is longer: a scheme, a name of 253 characters and a port. */
const LONGEST_ORIGIN = 270;

/** Logs each refused origin once in a minute, and no more than `MAX_REFUSED_ORIGINS` of them, since anybody can make them up. */
function createRefusalReport(log: Log) {
  const logged = new Set<string>();
  let endsAt = 0;
  return (origin: string, { request: { headers }, facts }: RoutedRequest): void => {
    const now = performance.now();
    if (now >= endsAt) logged.clear();
    if (logged.has(origin) || logged.size >= MAX_REFUSED_ORIGINS) return;
    if (origin.length > LONGEST_ORIGIN || facts.tokens.areIn(origin) || isSameOrigin(origin, headers)) return;
    if (logged.size === 0) endsAt = now + MINUTE_MS;
    logged.add(origin);
    log('warn', 'a web page was refused: CORS_ORIGINS does not list its origin', { origin });
  };
}

/** A page of the gateway itself, such as GraphiQL. Where the browser does not say so, the name of the host tells. */
const isSameOrigin = (origin: string, { host, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean =>
  site === undefined ? URL.parse(origin)?.host === host : site === 'same-origin';

/** Yoga would send a stream of events to a client that accepts no JSON. */
const graphqlRequestError = (request: IncomingMessage): HttpError | null =>
  negotiateGraphqlType(request.headers.accept) === null ? notAcceptable : csrfError(request);

/** A name or an address with an optional port, and neither user, path nor query. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

/** One slash, then visible ASCII without a fragment. URLs read a backslash in the path as a slash. */
const TARGET = /^\/(?!\/)[!"$->@-[\]-~]*(?:\?[!"$-~]*)?$/u;

/** A segment that URLs remove from the path, encoded or not. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/iu;

/**
 * Checks that target and host make a valid URL, whose path is the one that the route was decided by. Yoga answers an
 * invalid URL with a stack trace. The last valid pair is remembered, since nearly all requests have the same one.
 */
function createHeadCheck(): (request: IncomingMessage) => HttpError | null {
  let lastValid = { url: '', host: '' };
  return ({ url = '', headers: { host = 'localhost' }, rawHeaders, httpVersion }) => {
    const hosts = countHosts(rawHeaders);
    if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return badRequest(HOST_MESSAGE);
    if (lastValid.url === url && lastValid.host === host) return null;
    const error = targetError(url) ?? hostError(host, url) ?? encodingError(url);
    if (error === null) lastValid = { url, host };
    return error;
  };
}

const HOST_MESSAGE = 'The header Host must name one host.';

function targetError(url: string): HttpError | null {
  if (!TARGET.test(url)) return badRequest('The target of the request must be a path, beginning with one slash.');
  const [path = ''] = url.split('?', 1);
  return DOT_SEGMENT.test(path) ? badRequest('The path of the request must have no segments "." or "..".') : null;
}

const hostError = (host: string, url: string): HttpError | null =>
  HOST.test(host) && URL.canParse(`http://${host}${url}`) ? null : badRequest(HOST_MESSAGE);

/** The raw headers alternate names and values. `headers` would hide a second host. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function encodingError(url: string): HttpError | null {
  try {
    decodeURIComponent(url);
    return null;
  } catch {
    return badRequest('The target of the request has a bad percent-encoding.');
  }
}

/** The headers that a page of another origin may send besides those that browsers always allow. */
const ALLOWED_HEADERS = [
  'content-type',
  'api_token',
  'x-api-token',
  'authorization',
  'graphql-require-preflight',
  'x-request-id',
  'traceparent',
  'tracestate',
  'cache-control',
  'mcp-protocol-version',
];

/** The headers of responses that such a page may read besides those that browsers always allow. */
const EXPOSED_HEADERS = ['retry-after', 'x-request-id', 'age', 'cache-status', ...RATE_LIMIT_FIELDS].join(', ');

/** Seconds for which a browser caches a preflight response. No browser keeps one for more than two hours. */
const MAX_AGE_SECONDS = 7_200;

function sendPreflight(routed: RoutedRequest): void {
  const { response } = routed;
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS.join(', '));
  response.setHeader('access-control-max-age', `${MAX_AGE_SECONDS}`);
  sendText(routed, { status: 204, headers: {}, body: '' });
}

/** The body types that a page of another site can make a browser send without a preflight request. */
const SIMPLE_CONTENT_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', '']);

/** Each of these headers makes a browser send a preflight request first. */
const PREFLIGHTED_HEADERS = ['graphql-require-preflight', 'api_token', 'x-api-token', 'authorization'];

const CSRF_PREVENTED: HttpError = {
  status: 403,
  code: 'CSRF_PREVENTED',
  message:
    'A browser could send this request for any site. Send the header graphql-require-preflight, or POST application/json.',
};

/** Refuses a GraphQL request that a browser would send for another site without a preflight request. */
function csrfError({ method, headers }: IncomingMessage): HttpError | null {
  const contentType = headers['content-type'] ?? '';
  if (method === 'POST' && contentType === 'application/json') return null;
  if (method === 'OPTIONS' || PREFLIGHTED_HEADERS.some((name) => headers[name] !== undefined)) return null;
  const [mediaType = ''] = contentType.split(';', 1);
  const isSimple = method === 'GET' || SIMPLE_CONTENT_TYPES.has(mediaType.trim().toLowerCase());
  return isSimple ? CSRF_PREVENTED : null;
}

const ORIGIN_NOT_ALLOWED: HttpError = {
  status: 403,
  code: 'CSRF_PREVENTED',
  message: 'Pages of this web origin may not call MCP: CORS_ORIGINS does not list it.',
};
