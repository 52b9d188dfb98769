import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from '../responses/send-response.ts';
import type { Route } from '../route.ts';

/** What a page of another origin needs to send, beyond what a browser lets it send to anyone. */
const ALLOWED_HEADERS = ['content-type', 'api_token', 'x-api-token', 'authorization', 'graphql-require-preflight'];

/** Seconds for which a browser need not ask again; more than two hours none of them keeps. */
const MAX_AGE = 7_200;

/** Answers true where it answered the request. */
export type Cors = (request: IncomingMessage, response: ServerResponse, route: Route) => boolean;

/**
 * Lets the pages of some web origins call `/graphql` and read what it answers; none where the list is empty. An origin is
 * listed or it is not: there are no patterns. Cookies are never allowed, since the gateway knows callers by headers only.
 */
export function createCors(origins: readonly string[]): Cors {
  const listed: ReadonlySet<string> = new Set(origins);
  return ({ method, headers }, response, route) => {
    if (listed.size === 0 || route !== 'graphql') return false;
    response.setHeader('vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !listed.has(origin)) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'retry-after');
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    response.setHeader('access-control-allow-methods', 'GET, POST');
    response.setHeader('access-control-allow-headers', ALLOWED_HEADERS.join(', '));
    response.setHeader('access-control-max-age', `${MAX_AGE}`);
    sendText(response, { status: 204 });
    return true;
  };
}
