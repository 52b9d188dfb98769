import type { Backend } from '../backend/backend.ts';
import type { HeaderReader, JsonBounds, JsonObject, ParseBudget } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { err, ok } from '../base/result.ts';
import { textProblem } from '../base/text.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { encodeEnvelope } from '../v2/envelope.ts';
import { encodeError } from '../v2/errors.ts';
import { rejection } from './errors.ts';
import { createQueryParams } from './query-params.ts';
import { type FacadeBody, parseBody } from './request-body.ts';
import type { EnvelopeResult, FacadeRoute } from './route-handler.ts';
import { allowedMethods, createRouter, type PathMatch } from './router.ts';
import { FACADE_ROUTES } from './routes.ts';

interface FacadeOptions {
  readonly backend: Backend;
  /** The limits of JSON bodies. */
  readonly jsonBounds: JsonBounds;
  /** The largest number of items in one bulk update (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
  readonly log: Log;
}

interface FacadeHttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderReader;
  readonly caller: Caller;
  /** Empty for a caller whose token is not accepted. */
  readonly body: FacadeBody;
  readonly parseBudget: ParseBudget;
}

interface FacadeHttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface RoutedRequest extends FacadeHttpRequest {
  readonly match: PathMatch | 'unknown' | 'malformed';
  /** Undefined when the path has no such method. */
  readonly route: FacadeRoute | undefined;
}

/**
 * The service's REST API over a backend. Every response is an envelope. The token is checked first, so that without one
 * an unknown path gives 401 like any other, and an untrusted caller learns nothing of the routes.
 */
export function createFacade({ log, ...options }: FacadeOptions) {
  const router = createRouter(FACADE_ROUTES);
  return async (request: FacadeHttpRequest): Promise<FacadeHttpResponse> => {
    const { method, url, caller } = request;
    const match = router(url.pathname);
    // HEAD is GET; the HTTP server leaves out the body.
    const route = typeof match === 'string' ? undefined : match.routes.get(method === 'HEAD' ? 'GET' : method);
    const routed = { ...request, match, route };
    if (typeof match !== 'string') caller.request.facadePath = match.path;
    try {
      return encodeResponse(routed, await handleRequest(routed, options));
    } catch (thrown) {
      log('error', 'A request to /v2 ended in an unexpected error.', {
        requestId: caller.request.id,
        ...describeError(thrown),
      });
      return encodeResponse(routed, err(rejection(500, 'An unexpected error occurred.')));
    }
  };
}

async function handleRequest(
  { method, url, headers, caller, body, parseBudget, match, route }: RoutedRequest,
  { backend, maxBulkItems, jsonBounds }: Omit<FacadeOptions, 'log'>,
): Promise<EnvelopeResult> {
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  if (match === 'malformed') return err(rejection(400, 'The address of the request cannot be read.'));
  if (match === 'unknown') return err(rejection(404, 'There is nothing at this path.'));
  if (method === 'OPTIONS') return ok({ success: true });
  if (!route) return err(rejection(405, 'This path does not take this method.'));
  const query = createQueryParams(url.searchParams);
  const problem = parameterProblem([...match.params, ...query]);
  if (problem !== null) return err(rejection(400, problem));
  const parsed =
    route.method === 'GET'
      ? ok(undefined)
      : await parseBody(body, headers, { bounds: jsonBounds, budget: parseBudget });
  if (!parsed.ok) return parsed;
  return route.handle({ backend, caller, params: match.params, query, body: parsed.value, maxBulkItems });
}

/** Finds a parameter with a text that no backend accepts. */
function parameterProblem(values: readonly (readonly [name: string, value: string])[]): string | null {
  for (const [name, value] of values) {
    const problem = textProblem(value);
    if (problem !== null) return `${name} ${problem}.`;
  }
  return null;
}

/** The name and the stack of an error. The message is left out, since it may quote the request. */
function describeError(thrown: unknown): JsonObject {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  return { error: thrown.name, at: thrown.stack?.match(/^ +at .+$/gmu)?.map((line) => line.trim()) ?? [] };
}

/** Encodes a result as an envelope, with empty lists in the form that the operation has. */
function encodeResponse({ method, match, route }: RoutedRequest, result: EnvelopeResult): FacadeHttpResponse {
  const lists = route?.lists ?? 'null';
  const { httpStatus, envelope } = result.ok
    ? { httpStatus: 200, envelope: encodeEnvelope(result.value, lists) }
    : encodeError(result.error, lists);
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (httpStatus === 401) headers['www-authenticate'] = 'Bearer';
  const namesMethods = httpStatus === 405 || (method === 'OPTIONS' && result.ok);
  if (typeof match !== 'string' && namesMethods) headers['allow'] = allowedMethods(match);
  if (!result.ok && result.error.kind === 'rate-limited' && result.error.retryAfterSeconds !== null) {
    headers['retry-after'] = `${result.error.retryAfterSeconds}`;
  }
  return { status: httpStatus, headers, body: JSON.stringify(envelope) };
}
