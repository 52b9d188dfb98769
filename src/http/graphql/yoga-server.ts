import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type GraphQLParams, type Plugin, processRegularResult } from 'graphql-yoga';
import { isObject, type JsonBounds, type JsonParseOptions } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { FindDocument } from '../../execution/documents/requested-documents.ts';
import type { Execution } from '../../execution/execution.ts';
import { recordRateLimitedErrors, toGraphQLError } from '../../execution/operation-errors.ts';
import { contentTypeError, parseRequestJson } from '../requests/request-body.ts';
import { badRequest, type HttpError } from '../responses/errors.ts';
import { assignErrorStatuses } from './errors.ts';
import type { LoadedYoga, YogaContext } from './yoga-handler.ts';

interface YogaServerOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Execution;
  readonly jsonBounds: JsonBounds;
}

/** Yoga without all that the request handler and the execution do. */
export const createYogaServer = ({ schema, execution, jsonBounds }: YogaServerOptions): LoadedYoga => {
  const server = createYoga<YogaContext>({
    schema,
    plugins: [useExecution(execution), useRequestParser(jsonBounds, execution.findDocument)],
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    cors: false,
    // The request handler has read the body.
    maxRequestBodySize: false,
    // The execution has its own cache.
    parserAndValidationCache: false,
    // No URL ends with a space: Yoga would send 200 for every path that ends like this one.
    healthCheckEndpoint: ' ',
    // Yoga takes only a GraphQLError as it is. The execution masks the error later, when it knows the request.
    maskedErrors: { isDev: false, maskError: toGraphQLError },
  });
  return {
    server,
    responseOf: (result, mediaType) => processRegularResult(result, server.fetchAPI, mediaType),
  };
};

/** Makes Yoga use the gateway's parse, validate and execute, and bounds the errors that Yoga reports. */
const useExecution = (execution: Execution): Plugin<YogaContext, YogaContext> => ({
  onParse: ({ context: { requested, caller }, setParsedDocument }) => {
    if (requested === null) throw new Error('The document was not requested.');
    caller.request.trustedOperation = requested.trustedName;
    setParsedDocument(execution.parse(requested));
  },
  onValidate: ({ setValidationFn }) => setValidationFn((_schema, document) => execution.validate(document)),
  onExecute: ({ context: { caller }, setExecuteFn }) => setExecuteFn((args) => execution.execute({ ...args, caller })),
  onResultProcess: ({ result, setResult, serverContext }) => {
    if (!isExecutionResult(result)) return;
    const { caller } = serverContext;
    recordRateLimitedErrors(caller, result);
    const { data, errors = [] } = result;
    serverContext.hasErrors = errors.length > 0;
    if (data !== undefined) return;
    const bounded = { ...result, errors: execution.requestErrors(errors, caller) };
    assignErrorStatuses(bounded);
    setResult(bounded);
  },
});

const isExecutionResult = (result: object): result is ExecutionResult => 'data' in result || 'errors' in result;

const JSON_PARAMETER_NAMES: ReadonlySet<string> = new Set(['variables', 'extensions']);

/**
 * Reads the parameters of a GraphQL request: JSON by POST and the query string by GET. It replaces Yoga's own parsers,
 * which take forms, other charsets and JSON of any depth, and puts the text of a document in the place of its ID.
 */
function useRequestParser(bounds: JsonBounds, findDocument: FindDocument): Plugin<object, YogaContext> {
  return {
    onRequestParse: ({ request, url, serverContext, setRequestParser }) => {
      const { body, memory } = serverContext;
      const options = { bounds, budget: memory };
      const withDocument = (params: Params): GraphQLParams => {
        const requested = findDocument(params);
        if (!requested.ok) throw graphQLErrorOf({ ...requested.error, status: 400 });
        serverContext.requested = requested.value;
        const { documentId, ...others } = params;
        return requested.value === null ? others : { ...others, query: requested.value.text };
      };
      if (request.method === 'GET')
        setRequestParser(async () => withDocument(await parseQueryString(url.searchParams, options)));
      if (request.method !== 'POST') return;
      const error = contentTypeError(request.headers);
      if (error) throw graphQLErrorOf(error);
      setRequestParser(async () => {
        const params = checkParams(parsedOrThrow(await parseRequestJson(body.bytes, options)));
        body.drop();
        return withDocument(params);
      });
    },
  };
}

type Params = Readonly<Record<string, unknown>>;

/** Checks what Yoga does not: it checks the query and the variables, but not the name. */
function checkParams(json: unknown): Params {
  if (!isObject(json)) {
    throw graphQLErrorOf(badRequest('The request body must be one object: requests are not taken in batches.'));
  }
  if (json['operationName'] != null && typeof json['operationName'] !== 'string') {
    throw graphQLErrorOf(badRequest('"operationName" must be a string.'));
  }
  return json;
}

/** Empty parameters are ignored. */
async function parseQueryString(search: URLSearchParams, options: JsonParseOptions): Promise<Params> {
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'documentId', 'operationName', 'variables', 'extensions']) {
    const text = search.get(name);
    if (!text) continue;
    params[name] = JSON_PARAMETER_NAMES.has(name)
      ? parsedOrThrow(await parseRequestJson(Buffer.from(text), options))
      : text;
  }
  return params;
}

function parsedOrThrow(parsed: Result<unknown, HttpError>): unknown {
  if (!parsed.ok) throw graphQLErrorOf(parsed.error);
  return parsed.value;
}

const graphQLErrorOf = ({ message, code, status }: HttpError): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });
