import type { IncomingMessage } from 'node:http';
import { type DocumentNode, type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql';
import { processRegularResult, type YogaServerInstance } from 'graphql-yoga';
import type { Caller } from '../../domain/callers/caller.ts';
import type { JsonBounds } from '../../domain/json/json-scanner.ts';
import type { Execution } from '../../execution/execution.ts';
import { parseJsonBody } from '../json-body.ts';
import type { RequestMemory } from '../memory/request-memory.ts';
import type { ReceivedBody } from '../requests/json-body.ts';
import { type Reply, sendJson, sendResponse } from '../responses/send-response.ts';
import type { Route } from '../route.ts';
import { decodeOperation, mediaTypeOf, type Operation } from './request-params.ts';
import { retryAfterOf } from './retry-after.ts';

/** What is known of a request before GraphQL, or the façade, begins. */
export interface ServerContext {
  readonly caller: Caller;
  readonly route: Route;
  readonly body: ReceivedBody;
  readonly memory: RequestMemory;
}

export interface PlainPostServer {
  readonly yoga: YogaServerInstance<ServerContext, object>;
  readonly execution: Execution;
  /** What a caller is told of an error; the one that Yoga is given too. */
  readonly maskError: (error: unknown) => GraphQLError;
  readonly bounds: JsonBounds;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly reply: Reply;
  readonly context: ServerContext;
}

const CONTENT_TYPE = /^application\/json(?:; ?charset=utf-8)?$/iu;

/** The media type to answer with; null where the request is not a plain one. */
export function plainPostMediaType({ method, url, headers }: IncomingMessage): string | null {
  const isPlain =
    method === 'POST' &&
    url === '/graphql' &&
    CONTENT_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['content-length'] !== undefined;
  return isPlain ? mediaTypeOf(headers.accept ?? '*/*') : null;
}

/**
 * A short way for what nearly every client sends: a plain `POST application/json`. It goes from node:http straight to the
 * parse, validate and execute that Yoga is given too, and leaves out the Request, the streams, the hooks and the Response
 * in between, which cost more than all the rest of a small operation. Whatever is not plain is Yoga's as it came; what
 * turns out not to be well-formed is given to Yoga too, so that both ways answer alike.
 */
export async function answerPlainPost(
  server: PlainPostServer,
  { request, reply, context }: Exchange,
  mediaType: string,
): Promise<void> {
  const { body, memory, caller } = context;
  const parsing = parseJsonBody(body.bytes, server.bounds, memory);
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  const operation = parsed.ok ? decodeOperation(parsed.value) : null;
  const prepared = operation && prepare(server, operation);
  const { yoga } = server;
  if (prepared === null) {
    return sendResponse(reply, await yoga.handleNodeRequestAndResponse(request, reply.response, { ...context }));
  }
  body.drop();
  const result = await resultOf(server, prepared, caller);
  memory.endInput();
  const answer = prepared.isMutation ? { ...reply, refuse: null } : reply;
  if (!isPartial(result)) return sendResponse(answer, processRegularResult(result, yoga.fetchAPI, mediaType));
  const large = server.execution.writeLarge(result);
  const json = large === null ? JSON.stringify(result) : await large;
  return sendJson(answer, { mediaType, json, retryAfterSeconds: retryAfterOf(result) });
}

/** An answer with data is a 200, whatever became of single fields: Yoga has nothing to add to it. */
const isPartial = ({ data, errors }: ExecutionResult): boolean => data !== undefined || errors === undefined;

interface Prepared extends Operation {
  readonly document: DocumentNode;
  readonly isMutation: boolean;
}

/** Null where there is nothing to execute: how that is said is Yoga's to say. */
function prepare({ execution }: PlainPostServer, operation: Operation): Prepared | null {
  const document = documentOf(execution, operation.query);
  const type = document && getOperationAST(document, operation.operationName)?.operation;
  if (document === null || (type !== 'query' && type !== 'mutation')) return null;
  return { ...operation, document, isMutation: type === 'mutation' };
}

async function resultOf(
  { execution, maskError }: PlainPostServer,
  { document, variables: variableValues, operationName }: Prepared,
  caller: Caller,
): Promise<ExecutionResult> {
  const errors = execution.validate(document);
  if (errors.length > 0) return { errors };
  try {
    return await execution.execute({ document, caller, variableValues, operationName });
  } catch (error) {
    return { errors: [maskError(error)] };
  }
}

function documentOf(execution: Execution, query: string): DocumentNode | null {
  try {
    return execution.parse(query);
  } catch {
    return null;
  }
}
