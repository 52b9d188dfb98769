import type { GraphQLError, GraphQLSchema } from 'graphql';
import { createYoga, processRegularResult } from 'graphql-yoga';
import type { JsonBounds } from '../../base/json.ts';
import type { Execution } from '../../execution/execution.ts';
import { useExecution } from './yoga-execution.ts';
import type { LoadedYoga, YogaContext } from './yoga-handler.ts';
import { useRequestParser } from './yoga-request-parser.ts';

export interface YogaServerOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Execution;
  readonly jsonBounds: JsonBounds;
  /** Hides the details of unexpected errors. */
  readonly maskError: (error: unknown) => GraphQLError;
}

/** Yoga without all that the request handler and the execution do. */
export const createYogaServer = ({ schema, execution, jsonBounds, maskError }: YogaServerOptions): LoadedYoga => {
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
    maskedErrors: { isDev: false, maskError },
  });
  return {
    server,
    responseOf: (result, mediaType) => processRegularResult(result, server.fetchAPI, mediaType),
  };
};
