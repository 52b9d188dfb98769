import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { isObject, type JsonBounds, type JsonObject, type JsonParseOptions } from '../../../core/base/json.ts';
import { lazily } from '../../../core/base/lazily.ts';
import { negotiateGraphqlType } from '../../../core/base/media-types.ts';
import { err, ok, type Result } from '../../../core/base/result.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import type { RequestedDocument } from '../../../graphql/execution/documents/documents.ts';
import type { Execution } from '../../../graphql/execution/execution.ts';
import { reportErrors } from '../../../graphql/execution/operation-errors.ts';
import {
  contentTypeError,
  parseRequestJson,
  type ReceivedRequest,
  type RouteHandler,
} from '../requests/request-body.ts';
import { headersOf } from '../requests/request-facts.ts';
import { badRequest, type HttpError } from '../responses/errors.ts';
import { sendBody, sendFetchResponse, setCacheStatus, setRetryAfter } from '../responses/send-response.ts';
import { assignErrorStatuses } from './errors.ts';
import type { createYogaServer, GraphQLRequest } from './yoga-server.ts';

interface GraphQLHandlerOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Execution;
  readonly jsonBounds: JsonBounds;
}

/**
 * GraphQL over HTTP. What nearly every client sends, a query or mutation by POST, takes a fast path with the parse,
 * validate and execute that Yoga uses too. It saves the Fetch API objects, streams and hooks, which cost more than the rest
 * of a small operation. Yoga gets all others, and those that are not well-formed, so that both report the same errors.
 */
export function createGraphQLHandler({ schema, execution, jsonBounds }: GraphQLHandlerOptions): RouteHandler {
  const yoga: Yoga = lazily(async () => (await import('./yoga-server.ts')).createYogaServer(schema, execution));
  return async (received) => {
    const { request, caller, outgoing } = received;
    const params = await readParams(received, { bounds: jsonBounds, budget: outgoing.memory });
    const graphqlRequest = params.ok ? findDocument(execution, params.value) : params;
    if (!graphqlRequest.ok) {
      const errors = execution.requestErrors([graphQLErrorOf(graphqlRequest.error)], caller);
      return sendResult(yoga, received, { errors });
    }
    const operation = request.method === 'POST' ? readOperation(execution, graphqlRequest.value) : null;
    if (operation === null) return (await yoga()).handle(received, graphqlRequest.value);
    const result = await executeOperation(execution, operation, caller);
    const target = { ...outgoing, isRefusable: operation.operation.operation !== 'mutation' };
    return sendResult(yoga, { request, caller, outgoing: target }, result);
  };
}

/** Loads Yoga at the first call: most gateways need it seldom, and its modules are a third of all. */
type Yoga = () => Promise<ReturnType<typeof createYogaServer>>;

async function sendResult(
  yoga: Yoga,
  { request, caller, outgoing }: Omit<ReceivedRequest, 'body'>,
  result: ExecutionResult,
): Promise<void> {
  outgoing.memory.end();
  reportErrors(caller, result);
  setRetryAfter(outgoing);
  setCacheStatus(outgoing);
  const mediaType = negotiateGraphqlType(request.headers.accept) ?? 'application/json';
  // A result with data is a 200, whatever errors its fields have.
  if (result.data !== undefined || result.errors === undefined) {
    const headers = { 'content-type': `${mediaType}; charset=utf-8` };
    return sendBody(outgoing, { status: 200, headers, body: JSON.stringify(result) });
  }
  assignErrorStatuses(result);
  const { responseOf } = await yoga();
  return sendFetchResponse(outgoing, responseOf(result, mediaType));
}

type Refusal = Omit<HttpError, 'status'> & Partial<HttpError>;

const graphQLErrorOf = ({ message, code, status = 400 }: Refusal): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });

type ReadParams = Result<JsonObject | null, HttpError>;

/**
 * Reads the parameters of a GraphQL request: JSON by POST and the query string by GET. Null for other methods. It replaces
 * Yoga's own parsers, which take forms, other charsets and JSON of any depth.
 */
async function readParams({ request, body }: ReceivedRequest, options: JsonParseOptions): Promise<ReadParams> {
  const { method, url = '' } = request;
  if (method === 'GET') return parseQueryString(new URLSearchParams(url.slice(url.indexOf('?'))), options);
  if (method !== 'POST') return ok(null);
  // The door receives no body of another type.
  const error = body.length === 0 ? contentTypeError(headersOf(request)) : null;
  if (error !== null) return err(error);
  const parsed = await parseRequestJson(body, options);
  if (!parsed.ok) return parsed;
  if (!isObject(parsed.value))
    return err(badRequest('The request body must be one object: requests are not taken in batches.'));
  return paramsOf(parsed.value);
}

const PARAMETER_NAMES = ['query', 'documentId', 'operationName', 'variables', 'extensions'];

/** Leaves out what is unknown, as GraphQL over HTTP demands. An empty name is none. Yoga checks the other parameters. */
function paramsOf(given: JsonObject): ReadParams {
  if (!isStringOrNullish(given['operationName'])) return err(badRequest('"operationName" must be a string.'));
  const params: Record<string, unknown> = {};
  for (const name of PARAMETER_NAMES) if (given[name] != null) params[name] = given[name];
  if (params['operationName'] === '') delete params['operationName'];
  return ok(params);
}

/** Empty parameters are ignored. */
async function parseQueryString(search: URLSearchParams, options: JsonParseOptions): Promise<ReadParams> {
  const params: Record<string, unknown> = {};
  for (const name of PARAMETER_NAMES) {
    const text = search.get(name);
    if (!text) continue;
    const isJson = name === 'variables' || name === 'extensions';
    const value = isJson ? await parseRequestJson(Buffer.from(text), options, `"${name}"`) : ok(text);
    if (!value.ok) return value;
    params[name] = value.value;
  }
  return paramsOf(params);
}

/** Null stays null. */
function findDocument(execution: Execution, params: JsonObject | null): Result<GraphQLRequest | null, Refusal> {
  if (params === null) return ok(null);
  const requested = execution.findDocument(params);
  return requested.ok ? ok({ params, requested: requested.value }) : requested;
}

interface Operation {
  readonly document: DocumentNode;
  readonly operationName: string | null | undefined;
  readonly variableValues: JsonObject | null | undefined;
  /** The name of the operation of a trusted document. Null for others, whose names can be anything. */
  readonly trustedName: string | null;
  readonly operation: OperationDefinitionNode;
}

/** Null when there is nothing to execute, or a parameter is not as it should be. Yoga words the error then. */
function readOperation(execution: Execution, graphqlRequest: GraphQLRequest | null): Operation | null {
  if (!graphqlRequest?.requested) return null;
  const { params, requested } = graphqlRequest;
  const { query, variables: variableValues, operationName, extensions } = params;
  if (!isStringOrNullish(query) || !isStringOrNullish(operationName)) return null;
  if (!isObjectOrNullish(variableValues) || !isObjectOrNullish(extensions)) return null;
  const document = parseOrNull(execution, requested);
  const operation = document && getOperationAST(document, operationName);
  if (!document || !operation || operation.operation === 'subscription') return null;
  const { trustedName } = requested;
  return { document, operationName, operation, variableValues, trustedName };
}

async function executeOperation(execution: Execution, operation: Operation, caller: Caller): Promise<ExecutionResult> {
  caller.request.report.add({ kind: 'trusted-operation', name: operation.trustedName });
  const errors = execution.validate(operation.document);
  if (errors.length > 0) return { errors: execution.requestErrors(errors, caller) };
  return execution.execute({ ...operation, caller });
}

function parseOrNull(execution: Execution, requested: RequestedDocument): DocumentNode | null {
  try {
    return execution.parse(requested);
  } catch {
    return null;
  }
}

const isStringOrNullish = (value: unknown): value is string | null | undefined =>
  value == null || typeof value === 'string';

const isObjectOrNullish = (value: unknown): value is JsonObject | null | undefined => value == null || isObject(value);
