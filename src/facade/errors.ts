import type { BackendError } from '../domain/errors.ts';
import type { Result } from '../domain/result.ts';
import { type EmptyLists, type EnvelopeContent, encodeEnvelope } from '../v2/envelope.ts';
import { encodeError } from '../v2/errors.ts';
import type { Route } from './route-handler.ts';
import type { Match } from './router.ts';

export interface Exchange {
  readonly request: Request;
  readonly match: Match | 'unknown' | 'malformed';
}

export type Outcome = Result<EnvelopeContent, BackendError>;

/** HEAD is GET; the server leaves the body out. */
export const routeOf = ({ request: { method }, match }: Exchange): Route | undefined =>
  typeof match === 'string' ? undefined : match.routes.get(method === 'HEAD' ? 'GET' : method);

/** Whatever the outcome, the answer is an envelope, its empty lists written as the operation writes them. */
export function respond(exchange: Exchange, outcome: Outcome): Response {
  const { request, match } = exchange;
  const lists: EmptyLists = routeOf(exchange)?.lists ?? 'null';
  const { httpStatus, envelope } = outcome.ok
    ? { httpStatus: 200, envelope: encodeEnvelope(outcome.value, lists) }
    : encodeError(outcome.error, lists);
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  if (httpStatus === 401) headers.set('www-authenticate', 'Bearer');
  const asksForMethods = httpStatus === 405 || request.method === 'OPTIONS';
  if (typeof match !== 'string' && asksForMethods) headers.set('allow', allowed(match));
  if (!outcome.ok && outcome.error.kind === 'rate-limited' && outcome.error.retryAfterSeconds !== null) {
    headers.set('retry-after', `${outcome.error.retryAfterSeconds}`);
  }
  return new Response(JSON.stringify(envelope), { status: httpStatus, headers });
}

/** The envelope for a request that is refused before its route is known. */
export const refusalEnvelope = (error: BackendError): string => JSON.stringify(encodeError(error, 'null').envelope);

const allowed = ({ routes }: Match): string =>
  [...routes.keys()]
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');
