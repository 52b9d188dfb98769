import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { createCallerLimit } from './auth/caller-limit.ts';
import type { Backend } from './backend/backend.ts';
import { type Caller, createCaller, createClientCaller } from './domain/caller.ts';
import type { ClientAuthentication } from './domain/clients.ts';
import type { JsonBounds } from './domain/json-bounds.ts';
import type { RequestLimits } from './domain/limits.ts';
import type { Log } from './domain/log.ts';
import { createExecution, type Execution } from './execution/execution.ts';
import { refused } from './facade/call.ts';
import { createFacade } from './facade/facade.ts';
import { refusalEnvelope } from './facade/response.ts';
import { createCallerGate } from './http/caller-gate.ts';
import { createFront } from './http/front.ts';
import { answerPlainPost, plainPostMediaType, type ServerContext } from './http/plain-post.ts';
import { isFacadeTarget } from './http/request-head.ts';
import { sendResponse, sendText } from './http/responses.ts';
import { useCsrfPrevention } from './plugins/csrf-prevention.ts';
import { useExecution } from './plugins/execution.ts';
import { useFacade } from './plugins/facade.ts';
import { useGraphiQL } from './plugins/graphiql.ts';
import { useGraphQLRoute } from './plugins/graphql-route.ts';
import { useHealth } from './plugins/health.ts';
import { useRequestParser } from './plugins/request-parser.ts';
import { useSchemaSdl } from './plugins/schema-sdl.ts';
import { readFailure } from './schema/failures.ts';
import { createSchema, printSchemaSdl } from './schema/schema.ts';

export interface AppLimits extends RequestLimits {
  readonly maxBodyBytes: number;
  readonly maxBulkItems: number;
  readonly requestTimeoutMs: number;
  /** Upstream reads that one query may cost; over the embedded store they cost nothing. */
  readonly maxUpstreamCalls: number;
  /** Requests that one caller may make in a minute; 0: as many as they like. */
  readonly callerRateLimit: number;
}

export interface AppOptions {
  readonly backend: Backend;
  /** Whether the backend is the embedded store, which is served as REST `/v2` too. */
  readonly local: boolean;
  /** Tells clients by their JWT; null where the API token alone decides. The façade knows API tokens only. */
  readonly clients: ClientAuthentication | null;
  readonly limits: AppLimits;
  /** Web origins whose pages may call. */
  readonly corsOrigins: readonly string[];
  readonly introspection: boolean;
  /** The token that GraphiQL fills in for a browser on this machine; null for none. */
  readonly graphiqlToken: string | null;
  readonly isStopping: () => boolean;
  readonly log: Log;
}

export interface App {
  /** A listener for node:http. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Puts the whole server together around a backend. Opens nothing and listens to nothing. */
export function createApp(options: AppOptions): App {
  const { limits } = options;
  const maskError = createMask(options.log);
  const schema = createSchema();
  const execution = createExecution({ ...options, schema, maskError });
  const yoga = createYoga<ServerContext>({
    schema,
    plugins: createPlugins(options, execution),
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    cors: false,
    maxRequestBodySize: limits.maxBodyBytes,
    // `useExecution` has its own.
    parserAndValidationCache: false,
    // No URL ends with a space: Yoga would answer 200 to every path that ends like the one named here.
    healthCheckEndpoint: ' ',
    maskedErrors: { isDev: false, maskError },
  });
  const isAnswered = createFrontOf(options);
  const isRefused = limits.callerRateLimit === 0 ? () => false : createGate(options);
  const plainPosts = { yoga, execution, maskError, bounds: boundsOf(limits) };
  return {
    handle: async (request, response) => {
      if (isAnswered(request, response)) return;
      const caller = callerOf(request, options);
      const context = { caller: caller instanceof Promise ? await caller : caller };
      if (isRefused(request, response, context.caller)) return;
      const mediaType = plainPostMediaType(request, limits.maxBodyBytes);
      try {
        if (mediaType !== null) await answerPlainPost(plainPosts, { request, response, context }, mediaType);
        else await sendResponse(response, await yoga.handleNodeRequestAndResponse(request, response, { ...context }));
      } catch (error) {
        options.log('error', 'a request could not be answered', { requestId: context.caller.requestId, error });
        if (response.headersSent) response.destroy();
        else sendText(response, { status: 500 });
      }
    },
  };
}

function callerOf(request: IncomingMessage, { clients, limits, local }: AppOptions): Caller | Promise<Caller> {
  const [headers, timeoutMs] = [headersOf(request), limits.requestTimeoutMs];
  const isForFacade = local && isFacadeTarget(request.url ?? '');
  const isGone = () => request.socket.destroyed;
  if (!clients || isForFacade) return createCaller(headers, timeoutMs, isGone);
  return createClientCaller(headers, timeoutMs, clients).then((caller) => ({ ...caller, isGone }));
}

const createGate = ({ backend, limits, local }: AppOptions) =>
  createCallerGate({
    limit: createCallerLimit({
      perMinute: limits.callerRateLimit,
      authenticate: (caller) => backend.authenticate(caller),
    }),
    graphqlBody: (failure) => JSON.stringify({ errors: [readFailure(failure)] }),
    facadeBody: local ? refusalEnvelope : null,
  });

/** Of a header that came twice, which none that is read here may, the values stand joined. */
const headersOf = ({ headers }: IncomingMessage) => ({ get: (name: string) => headers[name]?.toString() ?? null });

const createFrontOf = ({ corsOrigins, local }: AppOptions) =>
  createFront({
    corsOrigins,
    facadeRefusalBody: local ? ({ status, message }) => refusalEnvelope(refused(status, message)) : null,
  });

/** A bulk update that its own rule lets pass is not too long a list. */
const boundsOf = ({ maxValues, maxListItems, maxBulkItems }: AppLimits): JsonBounds => ({
  maxValues,
  maxListItems: Math.max(maxListItems, maxBulkItems),
});

function createPlugins(options: AppOptions, execution: Execution): (Plugin | Plugin<ServerContext>)[] {
  const { backend, limits, introspection, graphiqlToken, isStopping, local, log } = options;
  const bounds = boundsOf(limits);
  return [
    useExecution(execution),
    useHealth({ backend, isStopping }),
    useGraphiQL({ token: graphiqlToken, byJwt: options.clients !== null }),
    ...(introspection ? [useSchemaSdl(printSchemaSdl())] : []),
    ...(local ? [useFacade(createFacade({ backend, ...limits, jsonBounds: bounds, log }))] : []),
    useGraphQLRoute(),
    useCsrfPrevention(),
    useRequestParser(bounds),
  ];
}

/** What was not foreseen is logged whole and told to nobody: the answer carries only the name of the log line. */
function createMask(log: Log): (error: unknown) => GraphQLError {
  return (error) => {
    if (error instanceof GraphQLError && (!error.originalError || error.originalError instanceof GraphQLError))
      return error;
    const incident = crypto.randomUUID();
    log('error', 'unexpected error', { incident, error });
    const { nodes = null, path = null } = error instanceof GraphQLError ? error : {};
    return new GraphQLError('Unexpected error.', { nodes, path, extensions: { code: 'INTERNAL', incident } });
  };
}
