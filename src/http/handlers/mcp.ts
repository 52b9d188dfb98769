import type { IncomingMessage } from 'node:http';
import { isObject, type JsonBounds } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import {
  contentTypeError,
  parseRequestJson,
  type ReceivedRequest,
  type RouteHandler,
} from '../requests/request-body.ts';
import { headersOf } from '../requests/request-record.ts';
import { badRequest, type ErrorResponder, type HttpError, methodNotAllowed } from '../responses/errors.ts';
import { type OutgoingResponse, sendFetchResponse, setRetryAfter } from '../responses/send-response.ts';

export interface McpHandlerOptions {
  readonly authenticate: (caller: Caller) => Result<void, BackendError>;
  /** Loaded at the first message, since most gateways never get one. */
  readonly respond: (message: {
    readonly head: Request;
    readonly message: unknown;
    readonly caller: Caller;
  }) => Promise<Response>;
  readonly jsonBounds: JsonBounds;
  readonly errorResponder: ErrorResponder;
}

/**
 * MCP over Streamable HTTP, without sessions: a message is a POST, and its response is JSON. There is no stream to GET
 * and no session to DELETE.
 */
export function createMcpHandler(options: McpHandlerOptions): RouteHandler {
  const { authenticate, respond, jsonBounds, errorResponder } = options;
  const refuse = (outgoing: OutgoingResponse, error: HttpError) =>
    errorResponder.sendHttpError({ ...outgoing, route: 'mcp' }, error);
  return async ({ request, caller, body, outgoing }: ReceivedRequest) => {
    const { response, memory } = outgoing;
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return refuse(outgoing, methodNotAllowed);
    }
    const authenticated = caller.client?.ok === false ? caller.client : authenticate(caller);
    if (!authenticated.ok) return errorResponder.sendBackendError({ ...outgoing, route: 'mcp' }, authenticated.error);
    const mediaTypeError = contentTypeError(headersOf(request));
    if (mediaTypeError !== null) return refuse(outgoing, mediaTypeError);
    const parsed = await parseRequestJson(body.bytes, { bounds: jsonBounds, budget: memory });
    if (!parsed.ok) return refuse(outgoing, parsed.error);
    if (!isObject(parsed.value)) return refuse(outgoing, badRequest(ONE_MESSAGE));
    body.drop();
    const fetchResponse = await respond({ head: headOf(request), message: parsed.value, caller });
    memory.endInput();
    setRetryAfter(outgoing, caller);
    return sendFetchResponse(outgoing, fetchResponse);
  };
}

const ONE_MESSAGE = 'The request body must be one message of JSON-RPC: messages are not taken in batches.';

const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

/** The head of a request as the Fetch API has it. */
function headOf({ headers }: IncomingMessage): Request {
  const taken = PROTOCOL_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return new Request('http://localhost/mcp', { method: 'POST', headers: Object.fromEntries(taken) });
}
