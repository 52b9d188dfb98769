import type { Backend } from '../../../core/backend.ts';
import type { JsonBounds } from '../../../core/base/json.ts';
import { contentTypeProblem } from '../../../core/base/media-types.ts';
import { err, ok, type Result } from '../../../core/base/result.ts';
import { textProblem } from '../../../core/base/text.ts';
import type { BackendError } from '../../../core/errors.ts';
import { encodeEnvelope } from '../../../service/v2/envelope.ts';
import { encodeError } from '../../../service/v2/errors.ts';
import { createMarkdownRenderer, type RenderMarkdown } from '../../../store/facade/markdown.ts';
import { createQueryParams, type EnvelopeResult, rejection } from '../../../store/facade/route-handler.ts';
import { allowedMethods, emptyListsOf, knownPathOf, matchPath } from '../../../store/facade/routes.ts';
import { parseRequestJson, type ReceivedRequest, type RouteHandler } from '../requests/request-body.ts';
import { headersOf } from '../requests/request-facts.ts';
import type { HttpError, SendError } from '../responses/errors.ts';
import { sendBody } from '../responses/send-response.ts';

interface FacadeOptions {
  readonly backend: Backend;
  /** The limits of JSON bodies. */
  readonly jsonBounds: JsonBounds;
  /** The largest number of items in one bulk update (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
  readonly sendError: SendError;
}

/**
 * Serves the service's REST API under `/v2`, over a backend. Every response is an envelope. The token is checked first, so
 * that without one an unknown path gives 401 like any other, and an untrusted caller learns nothing of the routes.
 */
export function createFacadeHandler(options: FacadeOptions): RouteHandler {
  const renderMarkdown = createMarkdownRenderer();
  return async (received) => {
    const { outgoing } = received;
    const result = await handleRequest(received, { ...options, renderMarkdown });
    outgoing.memory.end();
    if (!result.ok) return options.sendError(outgoing, result.error);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const body = JSON.stringify(encodeEnvelope(result.value, emptyListsOf(outgoing.summary.facadePath)));
    return sendBody(outgoing, { status: 200, headers, body });
  };
}

/** The path of the façade that a URL is of, with the names of its parameters; null where the façade has none. */
export const facadePathOf = (url = ''): string | null => knownPathOf(url.split('?', 1)[0] ?? '');

/** The envelope for a request that is rejected. The path is null where the façade has none. */
export function errorEnvelope(error: BackendError | HttpError, facadePath: string | null): string {
  const backendError = 'status' in error ? rejection(error.status, error.message) : error;
  return JSON.stringify(encodeError(backendError, emptyListsOf(facadePath)));
}

async function handleRequest(
  received: ReceivedRequest,
  { backend, maxBulkItems, jsonBounds, renderMarkdown }: FacadeOptions & { readonly renderMarkdown: RenderMarkdown },
): EnvelopeResult {
  const { caller, request, outgoing } = received;
  const { method = '' } = request;
  const url = new URL(`http://localhost${request.url}`);
  const match = matchPath(url.pathname);
  caller.request.report.add({ kind: 'facade-path', path: match?.path ?? null });
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  if (match === null) return err(rejection(404, 'There is nothing at this path.'));
  // HEAD is GET; node:http leaves out the body.
  const route = match.routes.get(method === 'HEAD' ? 'GET' : method);
  if (!route) outgoing.response.setHeader('allow', allowedMethods(match));
  if (method === 'OPTIONS') return ok({ success: true });
  if (!route) return err(rejection(405, 'This path does not take this method.'));
  const query = createQueryParams(url.searchParams);
  // A text that no backend accepts.
  const bad = [...match.params, ...query].find(([, value]) => textProblem(value) !== null);
  if (bad) return err(rejection(400, `${bad[0]} ${textProblem(bad[1])}.`));
  const parsed = route.method === 'GET' ? ok(undefined) : await parseBody(received, jsonBounds);
  if (!parsed.ok) return parsed;
  const { params } = match;
  return route.handle({ backend, caller, params, query, body: parsed.value, maxBulkItems, renderMarkdown });
}

/** The media types that the service takes (docs/service.md, "Status codes"). */
const MEDIA_TYPE = /^(?:application\/(?:[^\s/;+]+\+)*json|text\/json)$/u;

/**
 * Parses the JSON body of a request; undefined when there is none. The headers of an empty body are not checked:
 * `curl -d ""` declares a form, and sends an empty body.
 */
async function parseBody(
  { request, body, outgoing }: ReceivedRequest,
  bounds: JsonBounds,
): Promise<Result<unknown, BackendError>> {
  if (body.length === 0) return ok(undefined);
  const problem = contentTypeProblem(headersOf(request), MEDIA_TYPE);
  if (problem !== null) return err(rejection(415, problem));
  const parsed = await parseRequestJson(body, { bounds, budget: outgoing.memory });
  return parsed.ok ? parsed : err(rejection(parsed.error.status, parsed.error.message));
}
