import type { GraphQLSchema } from 'graphql';
import type { Backend } from '../../../core/backend.ts';
import { isObject, type JsonBounds } from '../../../core/base/json.ts';
import { lazily } from '../../../core/base/lazily.ts';
import type { Log } from '../../../core/base/log.ts';
import type { IdempotencyKeys } from '../../../core/writes/idempotency-keys.ts';
import type { Execution } from '../../../graphql/execution/execution.ts';
import type { McpOptions } from '../../../mcp/tools.ts';
import {
  contentTypeError,
  parseRequestJson,
  type ReceivedRequest,
  type RouteHandler,
} from '../requests/request-body.ts';
import { headersOf } from '../requests/request-facts.ts';
import { badRequest, type HttpError, type SendError } from '../responses/errors.ts';
import { sendFetchResponse, setRetryAfter } from '../responses/send-response.ts';

interface McpRouteOptions {
  readonly mcp: McpOptions;
  readonly backend: Backend;
  readonly keys: IdempotencyKeys;
  readonly schema: GraphQLSchema;
  readonly execution: Execution;
  readonly jsonBounds: JsonBounds;
  readonly sendError: SendError;
  readonly log: Log;
}

/**
 * Creates the handler of `/mcp`: MCP over Streamable HTTP, without sessions. A message is a POST, and its response is
 * JSON. There is no stream to GET and no session to DELETE.
 */
export function createMcpRouteHandler({ mcp, backend, ...options }: McpRouteOptions): RouteHandler {
  const { jsonBounds, sendError } = options;
  /** The SDK and the tools are loaded at the first message: most gateways never get one. */
  const responder = lazily(async () => {
    const { createMcpResponder } = await import('../../../mcp/streamable-http.ts');
    return createMcpResponder({ ...mcp, ...options });
  });
  return async ({ request, caller, body, outgoing }) => {
    const { response, memory } = outgoing;
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return sendError(outgoing, methodNotAllowed);
    }
    const authenticated = caller.client?.ok === false ? caller.client : backend.authenticate(caller);
    if (!authenticated.ok) return sendError(outgoing, authenticated.error);
    const mediaTypeError = contentTypeError(headersOf(request));
    if (mediaTypeError !== null) return sendError(outgoing, mediaTypeError);
    const parsed = await parseRequestJson(body, { bounds: jsonBounds, budget: memory });
    if (!parsed.ok) return sendError(outgoing, parsed.error);
    if (!isObject(parsed.value)) return sendError(outgoing, NOT_ONE_MESSAGE);
    const respond = await responder();
    const fetchResponse = await respond({ head: headOf(request), message: parsed.value, caller });
    memory.end();
    setRetryAfter(outgoing);
    return sendFetchResponse(outgoing, fetchResponse);
  };
}

const methodNotAllowed: HttpError = {
  status: 405,
  code: 'BAD_REQUEST',
  message: 'A message of MCP is sent by POST: there are no sessions, and no stream of the server.',
};

/** With the error code of JSON-RPC for what is no valid request. */
const NOT_ONE_MESSAGE: HttpError = {
  ...badRequest('The request body must be one message of JSON-RPC: messages are not taken in batches.'),
  rpcCode: -32_600,
};

const PROTOCOL_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** A response is JSON, also to clients that name no type, any type or only one of those that the protocol asks for. */
const ACCEPTED = 'application/json, text/event-stream';

/** The head of a request as the Fetch API has it. */
function headOf({ headers }: ReceivedRequest['request']): Request {
  const taken = PROTOCOL_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...Object.fromEntries(taken), accept: ACCEPTED },
  });
}
