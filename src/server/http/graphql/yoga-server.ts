import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga';
import type { JsonObject } from '../../../core/base/json.ts';
import { negotiateGraphqlType } from '../../../core/base/media-types.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import { CALLER_HEADERS } from '../../../core/callers/hidden-tokens.ts';
import type { RequestedDocument } from '../../../graphql/execution/documents/documents.ts';
import type { Execution } from '../../../graphql/execution/execution.ts';
import { reportErrors, toGraphQLError } from '../../../graphql/execution/operation-errors.ts';
import type { ReceivedRequest } from '../requests/request-body.ts';
import { sendFetchResponse, setCacheStatus, setRetryAfter } from '../responses/send-response.ts';
import { assignErrorStatuses } from './errors.ts';

/** The parameters of a request, and the document that they name or hold. */
export interface GraphQLRequest {
  readonly params: JsonObject;
  /** Null when the request names and contains no document. */
  readonly requested: RequestedDocument | null;
}

/** The context of Yoga's plugins. */
interface YogaContext {
  readonly caller: Caller;
  /** Null where the request has a method that GraphQL does not have. */
  readonly graphqlRequest: GraphQLRequest | null;
  /** True when the result has an error, of a field or of the whole request. */
  hasErrors: boolean;
}

/**
 * Yoga without all that the request handler and the execution do. Hooks of a plugin in its list see requests by GET, those
 * with other methods, and those without a readable operation: the request handler executes all others itself.
 */
export function createYogaServer(schema: GraphQLSchema, execution: Execution) {
  const server = createYoga<YogaContext>({
    schema,
    plugins: [useExecution(execution), useReadParams()],
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
    /** The response for a result without data. */
    responseOf: (result: ExecutionResult, mediaType: string): Response =>
      processRegularResult(result, server.fetchAPI, mediaType),
    /** Handles every GraphQL request: those that the fast path does not take, and those that it cannot execute. */
    async handle({ request, caller, outgoing }: ReceivedRequest, graphqlRequest: GraphQLRequest | null): Promise<void> {
      const { response, memory } = outgoing;
      const context: YogaContext = { caller, graphqlRequest, hasErrors: false };
      const fetchResponse = await server.handleNodeRequestAndResponse(plainRequestOf(request), response, context);
      memory.end();
      setRetryAfter(outgoing);
      setCacheStatus(outgoing);
      const isCacheable = fetchResponse.status === 200 && !context.hasErrors && isForPrivateCache(request, response);
      return sendFetchResponse(outgoing, fetchResponse, isCacheable ? (request.headers['if-none-match'] ?? '') : null);
    },
  };
}

/** Members that other servers add to a request that they hand over. Yoga would take them in place of the target and the headers. */
const ADDED = Object.fromEntries(
  ['originalUrl', 'hostname', 'protocol', 'query', 'body', 'raw', 'req'].map((name) => [name, { value: undefined }]),
);

/** Yoga would read the `Accept` header by rules of its own. */
const plainRequestOf = (request: IncomingMessage): IncomingMessage => {
  const accept = negotiateGraphqlType(request.headers.accept) ?? 'application/json';
  return Object.create(request, { ...ADDED, headers: { value: { ...request.headers, accept } } });
};

/** A response made without a token is mostly an error, and one that a rate limit cut short is soon another one. */
const isForPrivateCache = ({ method, headers }: IncomingMessage, response: ServerResponse): boolean =>
  method === 'GET' && !response.hasHeader('retry-after') && CALLER_HEADERS.some((name) => headers[name] !== undefined);

/** Makes Yoga use the gateway's parse, validate and execute, and bounds the errors that Yoga reports. */
const useExecution = (execution: Execution): Plugin<YogaContext, YogaContext> => ({
  onParse: ({ context: { graphqlRequest, caller }, setParsedDocument }) => {
    const requested = graphqlRequest?.requested;
    if (!requested) throw new Error('The document was not requested.');
    caller.request.report.add({ kind: 'trusted-operation', name: requested.trustedName });
    setParsedDocument(execution.parse(requested));
  },
  onValidate: ({ setValidationFn }) => setValidationFn((_schema, document) => execution.validate(document)),
  onExecute: ({ context: { caller }, setExecuteFn }) => setExecuteFn((args) => execution.execute({ ...args, caller })),
  onResultProcess: ({ result, setResult, serverContext }) => {
    if (!isExecutionResult(result)) return;
    const { caller } = serverContext;
    const { data, errors = [] } = result;
    serverContext.hasErrors = errors.length > 0;
    if (data !== undefined) return reportErrors(caller, result);
    const bounded = { ...result, errors: execution.requestErrors(errors, caller) };
    reportErrors(caller, bounded);
    assignErrorStatuses(bounded);
    setResult(bounded);
  },
});

const isExecutionResult = (result: object): result is ExecutionResult => 'data' in result || 'errors' in result;

/** Gives Yoga the parameters that were read already, with the text of a document in the place of its ID. */
const useReadParams = (): Plugin<object, YogaContext> => ({
  onRequestParse: ({ serverContext: { graphqlRequest }, setRequestParser }) => {
    if (graphqlRequest === null) return;
    const { documentId, ...params } = graphqlRequest.params;
    const { requested } = graphqlRequest;
    setRequestParser(() => (requested === null ? params : { ...params, query: requested.text }));
  },
});
