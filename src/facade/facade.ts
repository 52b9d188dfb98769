import type { Backend } from '../backend/backend.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { JsonBounds } from '../domain/json/json-scanner.ts';
import type { ParseRoom } from '../domain/json/parse-json.ts';
import { type Log, silent } from '../domain/log.ts';
import type { JsonObject } from '../domain/notices.ts';
import { err, ok } from '../domain/result.ts';
import { textProblem } from '../domain/text.ts';
import { type Exchange, type Outcome, respond, routeOf } from './errors.ts';
import { createQuery, type Query } from './query-params.ts';
import { parseBody, type RequestBody } from './request-body.ts';
import { refused } from './route-handler.ts';
import { createRouter } from './router.ts';
import { ROUTES } from './routes.ts';

export interface FacadeOptions {
  readonly backend: Backend;
  /** What parsing the body may cost (`MAX_INPUT_VALUES`, `MAX_LIST_ITEMS`). */
  readonly jsonBounds: JsonBounds;
  /** More items in one bulk update are refused (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
  readonly log?: Log;
}

/** The parts of a request beside its head. */
export interface Brought {
  readonly caller: Caller;
  /** Not read for a caller whose token is not accepted. */
  readonly body: RequestBody;
  readonly memory: ParseRoom;
}

/**
 * The service's REST API over a backend. Whatever becomes of a request, the answer is an envelope. The token is judged
 * first, so that without one an unknown path answers 401 like any other: a stranger learns nothing of what is here.
 */
export function createFacade({ log = silent, ...options }: FacadeOptions) {
  const router = createRouter(ROUTES);
  return async (request: Request, brought: Brought): Promise<Response> => {
    const url = URL.parse(request.url);
    const match = url ? router(url.pathname) : 'malformed';
    const { caller } = brought;
    const asked = { request, match, brought, query: createQuery(url?.searchParams ?? new URLSearchParams()) };
    try {
      return respond(asked, await answer(asked, options));
    } catch (thrown) {
      log('error', 'A request to /v2 ended in an unexpected error.', {
        requestId: caller.requestId,
        ...nameOf(thrown),
      });
      return respond(asked, err(refused(500, 'An unexpected error occurred.')));
    }
  };
}

interface Asked extends Exchange {
  readonly brought: Brought;
  readonly query: Query;
}

async function answer({ request, match, brought, query }: Asked, options: FacadeOptions): Promise<Outcome> {
  const { backend, maxBulkItems, jsonBounds } = options;
  const { caller, memory: room } = brought;
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  if (match === 'malformed') return err(refused(400, 'The address of the request cannot be read.'));
  if (match === 'unknown') return err(refused(404, 'There is nothing at this path.'));
  if (request.method === 'OPTIONS') return ok({ success: true });
  const route = routeOf({ request, match });
  if (!route) return err(refused(405, 'This path does not take this method.'));
  const problem = addressProblem([...match.params, ...query]);
  if (problem !== null) return err(refused(400, problem));
  const body =
    route.method === 'GET'
      ? ok(undefined)
      : await parseBody(brought.body, { headers: request.headers, jsonBounds, room });
  if (!body.ok) return body;
  return route.handle({ backend, caller, params: match.params, query, body: body.value, maxBulkItems });
}

/** No store holds such a text, so nothing can be asked by it. */
function addressProblem(values: readonly (readonly [name: string, value: string])[]): string | null {
  for (const [name, value] of values) {
    const problem = textProblem(value);
    if (problem !== null) return `${name} ${problem}.`;
  }
  return null;
}

/** Where it happened and what it is called. Its message is left out: it may quote what the caller sent. */
function nameOf(thrown: unknown): JsonObject {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  return { error: thrown.name, at: thrown.stack?.match(/^ +at .+$/gmu)?.map((line) => line.trim()) ?? [] };
}
