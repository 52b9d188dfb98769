import { RATE_LIMIT_FIELDS } from '../responses/rate-limit-fields.ts';
import { sendText } from '../responses/send-response.ts';
import { ROUTE_TRAITS, type RoutedRequest } from '../route.ts';

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

/** Tells browsers what pages of other origins may do. */
interface CorsGuard {
  /** Lets a page of a listed origin read the response, whatever it will be: refusals too. */
  allowOrigin(routed: RoutedRequest): void;
  /** Returns true after sending the response to a preflight request. */
  handlePreflight(routed: RoutedRequest): boolean;
}

/**
 * Lets the pages of the listed web origins call `/graphql` and `/mcp` and read their responses. Origins are compared exactly,
 * without patterns. Cookies are never allowed, since the gateway identifies callers by headers only.
 */
export function createCorsGuard(origins: readonly string[]): CorsGuard {
  const listed: ReadonlySet<string> = new Set(origins);
  const isOpen = ({ route }: RoutedRequest): boolean => listed.size > 0 && ROUTE_TRAITS[route].allowsCors;
  return {
    allowOrigin: (routed) => {
      if (!isOpen(routed)) return;
      const { request, response } = routed;
      response.setHeader('vary', 'Origin');
      const { origin } = request.headers;
      if (origin === undefined || !listed.has(origin)) return;
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    },
    handlePreflight: (routed) => {
      const { request, response } = routed;
      const { origin, 'access-control-request-method': requestedMethod } = request.headers;
      if (request.method !== 'OPTIONS' || requestedMethod === undefined) return false;
      if (!isOpen(routed) || origin === undefined || !listed.has(origin)) return false;
      response.setHeader('access-control-allow-methods', 'GET, POST');
      response.setHeader('access-control-allow-headers', ALLOWED_HEADERS.join(', '));
      response.setHeader('access-control-max-age', `${MAX_AGE_SECONDS}`);
      sendText(routed, { status: 204, headers: {}, body: '' });
      return true;
    },
  };
}
