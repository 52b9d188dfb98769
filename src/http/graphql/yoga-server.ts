import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Execution } from '../../execution/execution.ts';
import { recordRateLimitedErrors, toGraphQLError } from '../../execution/operation-errors.ts';
import { assignErrorStatuses } from './errors.ts';
import type { LoadedYoga, YogaContext } from './yoga-handler.ts';

interface YogaServerOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Execution;
}

/** Yoga without all that the request handler and the execution do. */
export const createYogaServer = ({ schema, execution }: YogaServerOptions): LoadedYoga => {
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
    server,
    responseOf: (result, mediaType) => processRegularResult(result, server.fetchAPI, mediaType),
  };
};

/** Makes Yoga use the gateway's parse, validate and execute, and bounds the errors that Yoga reports. */
const useExecution = (execution: Execution): Plugin<YogaContext, YogaContext> => ({
  onParse: ({ context: { graphqlRequest, caller }, setParsedDocument }) => {
    const requested = graphqlRequest?.requested;
    if (!requested) throw new Error('The document was not requested.');
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

/** Gives Yoga the parameters that were read already, with the text of a document in the place of its ID. */
const useReadParams = (): Plugin<object, YogaContext> => ({
  onRequestParse: ({ serverContext: { graphqlRequest }, setRequestParser }) => {
    if (graphqlRequest === null) return;
    const { documentId, ...params } = graphqlRequest.params;
    const { requested } = graphqlRequest;
    setRequestParser(() => (requested === null ? params : { ...params, query: requested.text }));
  },
});
