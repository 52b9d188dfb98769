import type { Backend } from '../backend/backend.ts';
import {
  contentTypeProblem,
  type HeaderReader,
  type JsonBodyFormat,
  type JsonBounds,
  type JsonObject,
  type JsonParseFailure,
  type JsonParseOptions,
  type ParseBudget,
  parseBoundedJson,
} from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import { textProblem } from '../base/text.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../domain/errors.ts';
import { encodeEnvelope } from '../v2/envelope.ts';
import { encodeError } from '../v2/errors.ts';
import { createQueryParams, type EnvelopeResult, type FacadeRoute, rejection } from './route-handler.ts';
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

/** The whole body of a request. */
interface FacadeBody {
  /** The reason why the body was not received. Null when it was. */
  readonly failure: BackendError | null;
  /** Empty when there was no body, and after `drop`. */
  readonly bytes: Uint8Array;
  /** Releases the memory of the bytes. */
  drop(): void;
}

/** The media types that the service takes (docs/service.md, "Status codes"). A byte order mark is ignored. */
const SERVICE_JSON: JsonBodyFormat = {
  mediaType: /^(?:application\/(?:[^\s/;+]+\+)*json|text\/json)$/u,
  decoder: new TextDecoder('utf-8', { fatal: true }),
};

/**
 * Parses the JSON body of a request; undefined when there is none. The headers of an empty body are not checked:
 * `curl -d ""` declares a form, and sends an empty body.
 */
async function parseBody(
  body: FacadeBody,
  headers: HeaderReader,
  options: JsonParseOptions,
): Promise<Result<unknown, BackendError>> {
  const { bytes, failure } = body;
  if (failure !== null) return err(failure);
  if (bytes.length === 0) return ok(undefined);
  const problem = contentTypeProblem(headers, SERVICE_JSON);
  if (problem !== null) return err(rejection(415, problem));
  if (isBlank(bytes)) return ok(undefined);
  const parsed = await parseBoundedJson({ bytes, decoder: SERVICE_JSON.decoder }, options);
  body.drop();
  return parsed.ok ? parsed : err(parseFailureRejection(parsed.error));
}

/** True for nothing but JSON's white space, with or without a byte order mark. */
function isBlank(bytes: Uint8Array): boolean {
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  for (let at = start; at < bytes.length; at++) if (!WHITE_SPACE.has(bytes[at] ?? 0)) return false;
  return true;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

function parseFailureRejection(failure: JsonParseFailure): BackendError {
  switch (failure.kind) {
    case 'encoding':
      return rejection(400, '$: The request body is not UTF-8.');
    case 'limit':
      return rejection(400, `$: The request body ${failure.problem}.`);
    case 'syntax': {
      const position = failure.position === null ? '' : ` (position ${failure.position})`;
      return rejection(400, `$: The request body is not JSON${position}.`);
    }
    case 'out-of-memory':
      return unavailable('The service has no memory left for this at the moment. Try again.');
  }
}
