import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import type { JsonObject } from '../../base/json.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { RequestedDocument } from '../../execution/documents/requested-documents.ts';
import type { ReceivedRequest } from '../requests/request-body.ts';
import { sendFetchResponse, sendToPrivateCache, setCacheStatus, setRetryAfter } from '../responses/send-response.ts';

/** What a request asks for. */
export interface GraphQLRequest {
  readonly params: JsonObject;
  /** Null when the request names and contains no document. */
  readonly requested: RequestedDocument | null;
}

/** The context of Yoga's plugins. */
export interface YogaContext {
  readonly caller: Caller;
  /** Null where the request has a method that GraphQL does not have. */
  readonly graphqlRequest: GraphQLRequest | null;
  /** True when the result has an error, of a field or of the whole request. */
  hasErrors: boolean;
}

export interface LoadedYoga {
  readonly server: YogaServerInstance<YogaContext, object>;
  /** The response for a result without data. */
  readonly responseOf: (result: ExecutionResult, mediaType: string) => Response;
}

/** Loads Yoga at the first call: most gateways need it seldom, and its modules are a third of all. */
export type Yoga = () => Promise<LoadedYoga>;

/** Handles every GraphQL request: those that the fast path does not take, and those that it cannot execute. */
export async function handleByYoga(
  yoga: Yoga,
  { request, caller, outgoing }: ReceivedRequest,
  graphqlRequest: GraphQLRequest | null,
): Promise<void> {
  const { response, memory } = outgoing;
  const context: YogaContext = { caller, graphqlRequest, hasErrors: false };
  const { server } = await yoga();
  const fetchResponse = await server.handleNodeRequestAndResponse(plainRequestOf(request), response, context);
  memory.endInput();
  setRetryAfter(outgoing, caller);
  setCacheStatus(outgoing, caller);
  return fetchResponse.status === 200 && !context.hasErrors && isForPrivateCache(request, response)
    ? sendToPrivateCache(outgoing, fetchResponse, request.headers['if-none-match'] ?? '')
    : sendFetchResponse(outgoing, fetchResponse);
}

/** Members that other servers add to a request that they hand over. Yoga would take them in place of the target and the headers. */
const ADDED = Object.fromEntries(
  ['originalUrl', 'hostname', 'protocol', 'query', 'body', 'raw', 'req'].map((name) => [name, { value: undefined }]),
);

const plainRequestOf = (request: IncomingMessage): IncomingMessage => Object.create(request, ADDED);

/** The headers that identify a caller. */
const CALLER_HEADERS = ['api_token', 'x-api-token', 'authorization'];

/** What was made without a token is an error, mostly. What a rate limit cut short is soon another. */
const isForPrivateCache = ({ method, headers }: IncomingMessage, response: ServerResponse): boolean =>
  method === 'GET' && !response.hasHeader('retry-after') && CALLER_HEADERS.some((name) => headers[name] !== undefined);
