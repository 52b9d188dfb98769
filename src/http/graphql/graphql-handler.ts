import type { IncomingMessage } from 'node:http';
import { type DocumentNode, type ExecutionResult, getOperationAST } from 'graphql';
import { isObject, type JsonBounds } from '../../base/json.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { RequestedDocument } from '../../execution/documents/requested-documents.ts';
import type { Execution } from '../../execution/execution.ts';
import { recordRateLimitedErrors } from '../../execution/operation-errors.ts';
import { negotiateMediaType } from '../requests/guards.ts';
import { parseRequestJson, type ReceivedRequest, type RouteHandler } from '../requests/request-body.ts';
import { sendBody, sendFetchResponse, setCacheStatus, setRetryAfter } from '../responses/send-response.ts';
import { assignErrorStatuses } from './errors.ts';
import { handleByYoga, type Yoga } from './yoga-handler.ts';

/** GraphQL over HTTP: the fast path for plain POST requests, Yoga for all others. */
export const createGraphQLHandler =
  (options: FastPathOptions): RouteHandler =>
  (received) => {
    const mediaType = fastPathMediaType(received.request);
    return mediaType === null ? handleByYoga(options.yoga, received) : handleFastPath(options, received, mediaType);
  };

interface FastPathOptions {
  readonly yoga: Yoga;
  readonly execution: Execution;
  readonly jsonBounds: JsonBounds;
}

const CONTENT_TYPE = /^application\/json(?:; ?charset=utf-8)?$/iu;

/** The media type of the response. Null when the request is not a plain POST. */
function fastPathMediaType({ method, url, headers }: IncomingMessage): string | null {
  const isPlain =
    method === 'POST' &&
    url === '/graphql' &&
    CONTENT_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
  return isPlain ? negotiateMediaType(headers.accept) : null;
}

/**
 * Handles what nearly every client sends, a plain `POST application/json`, with the parse, validate and execute that
 * Yoga uses too. It saves the Fetch API objects, streams and hooks, which cost more than the rest of a small operation.
 * Yoga gets a request that is not well-formed, so that both report the same errors.
 */
async function handleFastPath(options: FastPathOptions, received: ReceivedRequest, mediaType: string): Promise<void> {
  const { yoga, jsonBounds } = options;
  const { body, caller, outgoing } = received;
  const { memory } = outgoing;
  const parsing = parseRequestJson(body.bytes, { bounds: jsonBounds, budget: memory });
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  const params = parsed.ok ? decodeRequestParams(parsed.value) : null;
  const preparedRequest = params && prepareRequest(options, params);
  if (preparedRequest === null) return handleByYoga(yoga, received);
  body.drop();
  const executed = executeRequest(options, preparedRequest, caller);
  const result = executed instanceof Promise ? await executed : executed;
  memory.endInput();
  recordRateLimitedErrors(caller, result);
  setRetryAfter(outgoing, caller);
  setCacheStatus(outgoing, caller);
  const target = { ...outgoing, isRefusable: !preparedRequest.isMutation };
  if (!hasData(result)) {
    assignErrorStatuses(result);
    return sendFetchResponse(target, (await yoga()).responseOf(result, mediaType));
  }
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  return sendBody(target, { status: 200, headers, body: JSON.stringify(result) });
}

/** A result with data is a 200, whatever errors its fields have. */
const hasData = ({ data, errors }: ExecutionResult): boolean => data !== undefined || errors === undefined;

interface PreparedRequest extends Pick<GraphQLRequestParams, 'variables' | 'operationName'> {
  readonly document: DocumentNode;
  /** The name of the operation of a trusted document. Null for others, whose names can be anything. */
  readonly trustedName: string | null;
  readonly isMutation: boolean;
}

/** Null when there is nothing to execute. */
function prepareRequest({ execution }: FastPathOptions, params: GraphQLRequestParams): PreparedRequest | null {
  const requested = execution.findDocument(params);
  if (!requested.ok || requested.value === null) return null;
  const { variables, operationName } = params;
  const document = parseOrNull(execution, requested.value);
  const type = document && getOperationAST(document, operationName)?.operation;
  if (document === null || (type !== 'query' && type !== 'mutation')) return null;
  const { trustedName } = requested.value;
  return { variables, operationName, document, trustedName, isMutation: type === 'mutation' };
}

function executeRequest(
  { execution }: FastPathOptions,
  { document, variables: variableValues, operationName, trustedName }: PreparedRequest,
  caller: Caller,
): ExecutionResult | Promise<ExecutionResult> {
  caller.request.trustedOperation = trustedName;
  const errors = execution.validate(document);
  if (errors.length > 0) return { errors: execution.requestErrors(errors, caller) };
  return execution.execute({ document, caller, variableValues, operationName });
}

function parseOrNull(execution: Execution, requested: RequestedDocument): DocumentNode | null {
  try {
    return execution.parse(requested);
  } catch {
    return null;
  }
}

/** The valid parameters of a GraphQL request over HTTP. */
interface GraphQLRequestParams {
  readonly query: string | null | undefined;
  readonly documentId: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName: string | null | undefined;
}

const PARAMETER_NAMES = new Set(['query', 'documentId', 'variables', 'operationName', 'extensions']);

/** Null when the body has another shape. Yoga handles the request then, and words the error. */
function decodeRequestParams(json: unknown): GraphQLRequestParams | null {
  if (!isObject(json) || !Object.keys(json).every((name) => PARAMETER_NAMES.has(name))) return null;
  const { query, documentId, variables, operationName, extensions } = json;
  if (!isStringOrNullish(query) || !isStringOrNullish(documentId) || !isStringOrNullish(operationName)) return null;
  if (!isObjectOrNullish(variables) || !isObjectOrNullish(extensions)) return null;
  return { query, documentId, variables, operationName, extensions };
}

const isStringOrNullish = (value: unknown): value is string | null | undefined =>
  value == null || typeof value === 'string';

const isObjectOrNullish = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value == null || isObject(value);
