import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql';
import { processRegularResult, type YogaServerInstance } from 'graphql-yoga';
import type { Caller } from '../domain/caller.ts';
import type { JsonBounds } from '../domain/json-bounds.ts';
import type { Execution } from '../execution/execution.ts';
import { LARGE_BYTES, turnOfLargeBody } from './large-bodies.ts';
import { decodeOperation, mediaTypeOf, type Operation } from './operation.ts';
import { sendJson, sendResponse } from './responses.ts';

/** What is known of a request before GraphQL begins. */
export interface ServerContext {
  readonly caller: Caller;
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
  readonly response: ServerResponse;
  readonly context: ServerContext;
}

const CONTENT_TYPE = /^application\/json(?:; ?charset=utf-8)?$/iu;

/** The media type to answer with; null where the request is not a plain one of at most `maxBodyBytes`. */
export function plainPostMediaType({ method, url, headers }: IncomingMessage, maxBodyBytes: number): string | null {
  const isPlain =
    method === 'POST' &&
    url === '/graphql' &&
    CONTENT_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length']) <= maxBodyBytes;
  return isPlain ? mediaTypeOf(headers.accept ?? '*/*') : null;
}

/**
 * A short way for what nearly every client sends: a plain `POST application/json`. It goes from node:http straight to the
 * parse, validate and execute that Yoga is given too, and leaves out the Request, the streams, the hooks and the Response
 * in between, which cost more than all the rest of a small operation. Whatever is not plain is Yoga's as it came; what
 * turns out not to be well-formed is given to Yoga too, so that both ways answer alike.
 */
export async function answerPlainPost(server: PlainPostServer, exchange: Exchange, mediaType: string): Promise<void> {
  const { request, response, context } = exchange;
  const body = await readBody(request);
  if (body === null) return;
  if (body.length >= LARGE_BYTES) await turnOfLargeBody();
  const operation = decodeOperation(body, server.bounds);
  const result = operation && (await resultOf(server, operation, context.caller));
  const { yoga } = server;
  if (result === null) await sendResponse(response, await askYoga(yoga, exchange, body));
  else if (isPartial(result)) await sendJson(response, mediaType, JSON.stringify(result));
  else await sendResponse(response, processRegularResult(result, yoga.fetchAPI, mediaType));
}

/** An answer with data is a 200, whatever became of single fields: Yoga has nothing to add to it. */
const isPartial = ({ data, errors }: ExecutionResult): boolean => data !== undefined || errors === undefined;

/** The whole body, whose length was announced and is held to by node:http; null where the client went away. */
function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  return new Promise((resolve) => {
    const giveUp = () => resolve(null);
    request.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
    request.on('end', () => {
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    // After the end these change nothing.
    request.on('close', giveUp);
    request.on('error', giveUp);
  });
}

/** Null where there is nothing to execute: how that is said is Yoga's to say. */
async function resultOf(
  { execution, maskError }: PlainPostServer,
  { query, variables: variableValues, operationName }: Operation,
  caller: Caller,
): Promise<ExecutionResult | null> {
  const document = parsed(execution, query);
  const type = document && getOperationAST(document, operationName)?.operation;
  if (document === null || (type !== 'query' && type !== 'mutation')) return null;
  const errors = execution.validate(document);
  if (errors.length > 0) return { errors };
  try {
    return await execution.execute({ document, caller, variableValues, operationName });
  } catch (error) {
    return { errors: [maskError(error)] };
  }
}

function parsed(execution: Execution, query: string): DocumentNode | null {
  try {
    return execution.parse(query);
  } catch {
    return null;
  }
}

/** The same request once more, as Yoga takes it. Nothing of it was executed yet. */
function askYoga(
  yoga: PlainPostServer['yoga'],
  { request, context }: Exchange,
  body: Buffer<ArrayBuffer>,
): Promise<Response> | Response {
  const { host = 'localhost', 'content-type': contentType = '', accept = '*/*' } = request.headers;
  const headers = { 'content-type': contentType, accept };
  return yoga.fetch(`http://${host}/graphql`, { method: 'POST', headers, body }, context);
}
