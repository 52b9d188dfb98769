import type { BackendError } from '../../domain/errors.ts';
import type { RoutedRequest } from '../route.ts';
import { type HttpError, httpErrorBody, jsonRpcErrorBody } from './http-error.ts';
import { sendText } from './send-response.ts';

interface ErrorResponderOptions {
  /** Encodes an error as a GraphQL response. */
  readonly graphqlBody: (error: BackendError, requestId: string) => string;
  /** Encodes an error as an envelope of the façade. Null without a façade. */
  readonly facadeBody: ((error: BackendError | HttpError) => string) | null;
  /** The code of a failure in a response of JSON-RPC, for MCP. */
  readonly codeOf: (error: BackendError) => string;
  /** The status of a response that is nothing but this error. */
  readonly httpStatusOf: (error: BackendError) => number;
}

type RouteTarget = Pick<RoutedRequest, 'response' | 'route' | 'record'>;

export type ErrorResponder = ReturnType<typeof createErrorResponder>;

/** Creates functions that send an error in place of a response, in the format of the route's API. */
export const createErrorResponder = (options: ErrorResponderOptions) => ({
  sendHttpError(target: RouteTarget, error: HttpError): void {
    const encode = encoderOf(target.route, options) ?? httpErrorBody;
    sendText(target, { status: error.status, headers: JSON_HEADERS, body: encode(error, target.record.id) });
  },
  sendBackendError(target: RouteTarget, error: BackendError): void {
    const encode = encoderOf(target.route, options) ?? options.graphqlBody;
    const seconds = error.kind === 'rate-limited' ? error.retryAfterSeconds : null;
    const headers = {
      ...JSON_HEADERS,
      ...(seconds !== null && { 'retry-after': `${seconds}` }),
      ...(error.kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    };
    sendText(target, { status: options.httpStatusOf(error), headers, body: encode(error, target.record.id) });
  },
});

/** Null for the routes whose errors are those of GraphQL. */
function encoderOf(route: RoutedRequest['route'], { facadeBody, codeOf }: ErrorResponderOptions) {
  if (route === 'mcp')
    return (error: BackendError | HttpError, requestId: string) =>
      jsonRpcErrorBody({ message: error.message, code: 'status' in error ? error.code : codeOf(error) }, requestId);
  return route === 'facade' ? facadeBody : null;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
