import type { IncomingMessage } from 'node:http';
import { ok } from '../../base/result.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { CountedRequest } from '../../domain/rate-limit.ts';
import { negotiateMediaType } from '../graphql/accept.ts';
import type { ErrorResponder } from '../responses/error-responder.ts';
import { type HttpError, notAcceptable } from '../responses/http-error.ts';
import { setRateLimitFields } from '../responses/rate-limit-fields.ts';
import { ROUTE_TRAITS, type RoutedRequest } from '../route.ts';
import { createCorsGuard } from './cors.ts';
import { csrfError } from './csrf-prevention.ts';
import { createMcpOriginCheck } from './mcp-origin.ts';
import { createHeadCheck } from './request-head.ts';

interface RequestGuardOptions {
  /** Web origins whose pages may read responses (`CORS_ORIGINS`). */
  readonly corsOrigins: readonly string[];
  /** Counts a request of a caller. Null without a limit (`CALLER_REQUESTS_PER_MINUTE`). */
  readonly callerRateLimit: ((caller: Caller, address: string) => CountedRequest) | null;
  readonly errorResponder: ErrorResponder;
}

/** The checks in front of every route. Those named `handle…` return true after sending a response in its place. */
export interface RequestGuards {
  /** Lets pages of the listed origins read the response, whatever it will be. */
  allowOrigin(routed: RoutedRequest): void;
  /** Checks what does not depend on the caller: target, host, CORS, and the origin of a message of MCP. */
  handleHead(routed: RoutedRequest): boolean;
  /** Checks the rate limit of the caller, and then the form of GraphQL requests, before their body is read. */
  handleCaller(routed: RoutedRequest, caller: Caller): boolean;
}

export function createRequestGuards(options: RequestGuardOptions): RequestGuards {
  const { corsOrigins, callerRateLimit, errorResponder } = options;
  const { allowOrigin, handlePreflight } = createCorsGuard(corsOrigins);
  const checkHead = createHeadCheck();
  const checkMcpOrigin = createMcpOriginCheck(corsOrigins);
  const acquireRequest = ({ request: { method, socket }, response, route }: RoutedRequest, caller: Caller) => {
    // A preflight request names no caller.
    const isCounted = ROUTE_TRAITS[route].isRateLimited && method !== 'OPTIONS';
    if (!isCounted || callerRateLimit === null) return ok(undefined);
    const { result, allowance } = callerRateLimit(caller, socket.remoteAddress ?? '');
    setRateLimitFields(response, allowance);
    return result;
  };
  return {
    allowOrigin,
    handleHead: (routed) => {
      const { request, route } = routed;
      const error = checkHead(request, route) ?? (route === 'mcp' ? checkMcpOrigin(request) : null);
      if (error === null) return handlePreflight(routed);
      errorResponder.sendHttpError(routed, error);
      return true;
    },
    handleCaller: (routed, caller) => {
      const { request, route, record } = routed;
      const acquired = acquireRequest(routed, caller);
      if (!acquired.ok) {
        record.refusal = 'caller_rate_limit';
        errorResponder.sendBackendError(routed, acquired.error);
        return true;
      }
      const error = route === 'graphql' ? graphqlRequestError(request) : null;
      if (error !== null) errorResponder.sendHttpError(routed, error);
      return error !== null;
    },
  };
}

/** Yoga would send a stream of events to a client that accepts no JSON. */
const graphqlRequestError = (request: IncomingMessage): HttpError | null =>
  negotiateMediaType(request.headers.accept) === null ? notAcceptable : csrfError(request);
