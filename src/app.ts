import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Backend } from './backend/backend.ts';
import { createCaller } from './domain/caller.ts';
import type { Log } from './domain/log.ts';
import { createFacade } from './facade/facade.ts';
import { useCsrfPrevention } from './plugins/csrf-prevention.ts';
import { useFacade } from './plugins/facade.ts';
import { useGraphiQL } from './plugins/graphiql.ts';
import { useHealth } from './plugins/health.ts';
import { useNoIntrospection } from './plugins/introspection.ts';
import { useQueryCost } from './plugins/query-cost.ts';
import { useSchemaSdl } from './plugins/schema-sdl.ts';
import { createContext } from './schema/context.ts';
import { createSchema, printSchemaSdl } from './schema/schema.ts';

export interface AppLimits {
  readonly maxBodyBytes: number;
  readonly maxBulkItems: number;
  readonly requestTimeoutMs: number;
  /** Upstream reads that one query may cost; over the embedded store they cost nothing. */
  readonly maxUpstreamCalls: number;
}

export interface AppOptions {
  readonly backend: Backend;
  /** Whether the backend is the embedded store, which is served as REST `/v2` too. */
  readonly local: boolean;
  readonly limits: AppLimits;
  readonly introspection: boolean;
  /** The token that GraphiQL fills in for a browser on this machine; null for none. */
  readonly graphiqlToken: string | null;
  readonly isStopping: () => boolean;
  readonly log: Log;
}

export interface App {
  /** A listener for node:http. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Puts the whole server together around a backend. Opens nothing and listens to nothing. */
export function createApp(options: AppOptions): App {
  const { backend, limits } = options;
  const yoga = createYoga({
    schema: createSchema(),
    context: ({ request }) =>
      createContext({ backend, limits, caller: createCaller(request.headers, limits.requestTimeoutMs) }),
    plugins: createPlugins(options),
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    cors: false,
    maxRequestBodySize: limits.maxBodyBytes,
    maskedErrors: { isDev: false, maskError: createMask(options.log) },
  });
  return {
    handle: (request, response) => {
      void yoga(request, response);
    },
  };
}

function createPlugins(options: AppOptions): Plugin[] {
  const { backend, limits, introspection, graphiqlToken, isStopping } = options;
  return [
    useHealth({ backend, isStopping }),
    useGraphiQL({ token: graphiqlToken }),
    introspection ? useSchemaSdl(printSchemaSdl()) : useNoIntrospection(),
    options.local
      ? useFacade(createFacade({ backend, ...limits, log: options.log }))
      : useQueryCost(limits.maxUpstreamCalls),
    useCsrfPrevention(),
  ];
}

/** What was not foreseen is logged whole and told to nobody: the answer carries only the name of the log line. */
function createMask(log: Log): (error: unknown) => Error {
  return (error) => {
    if (error instanceof GraphQLError && (!error.originalError || error.originalError instanceof GraphQLError))
      return error;
    const incident = crypto.randomUUID();
    log('error', 'unexpected error', { incident, error });
    const { nodes = null, path = null } = error instanceof GraphQLError ? error : {};
    return new GraphQLError('Unexpected error.', { nodes, path, extensions: { code: 'INTERNAL', incident } });
  };
}
