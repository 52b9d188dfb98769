import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { createCallerLimit } from './auth/caller-rate-limit.ts';
import type { Lend } from './auth/token-lending.ts';
import type { Backend } from './backend/backend.ts';
import { type Caller, createCaller, createClientCaller } from './domain/callers/caller.ts';
import type { ClientAuthentication } from './domain/callers/clients.ts';
import type { JsonBounds } from './domain/json/json-scanner.ts';
import type { RequestLimits } from './domain/limits.ts';
import type { Log } from './domain/log.ts';
import { createExecution, type Execution } from './execution/execution.ts';
import { refusalEnvelope } from './facade/errors.ts';
import { createFacade } from './facade/facade.ts';
import { refused } from './facade/route-handler.ts';
import type { ServerContext } from './http/graphql/fast-path.ts';
import { createFront } from './http/graphql/graphql-handler.ts';
import { useExecution } from './http/graphql/yoga-execution.ts';
import { useGraphQLRoute } from './http/graphql/yoga-handler.ts';
import { useRequestParser } from './http/graphql/yoga-request-parser.ts';
import { useCsrfPrevention } from './http/guards/csrf-prevention.ts';
import { createCallerGate } from './http/guards/request-guards.ts';
import { useFacade } from './http/handlers/facade.ts';
import { useGraphiQL } from './http/handlers/graphiql.ts';
import { useHealth } from './http/handlers/health.ts';
import { useSchemaSdl } from './http/handlers/schema-sdl.ts';
import type { MemoryBudget } from './http/memory/memory-budget.ts';
import { createRequestHandler } from './http/request-handler.ts';
import { createRefusals, type Refusals } from './http/responses/error-responder.ts';
import type { Route } from './http/route.ts';
import { readFailure } from './schema/errors/graphql-errors.ts';
import { createSchema, printSchemaSdl } from './schema/schema.ts';
import { httpStatusOf } from './v2/errors.ts';

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
  /** Lends the service's token to callers who send one of the gateway's own; null where the gateway holds none. */
  readonly lend: Lend | null;
  readonly limits: AppLimits;
  /** Web origins whose pages may call. */
  readonly corsOrigins: readonly string[];
  readonly introspection: boolean;
  readonly isStopping: () => boolean;
  /** The account of all memory that strangers can fill, where it is not to be one of the usual size. */
  readonly memory?: MemoryBudget;
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
    // Bodies are read before Yoga is asked.
    maxRequestBodySize: false,
    // `useExecution` has its own.
    parserAndValidationCache: false,
    // No URL ends with a space: Yoga would answer 200 to every path that ends like the one named here.
    healthCheckEndpoint: ' ',
    maskedErrors: { isDev: false, maskError },
  });
  const refusals = createRefusalsOf(options);
  const handle = createRequestHandler({
    yoga,
    execution,
    maskError,
    refusals,
    bounds: boundsOf(limits),
    isAnswered: createFront({ corsOrigins: options.corsOrigins, refusals }),
    callerOf: (request, route) => callerOf({ request, route }, options),
    isRefused: limits.callerRateLimit === 0 ? () => false : createGate(options, refusals),
    tokens: options.backend,
    maxBodyBytes: limits.maxBodyBytes,
    memory: options.memory,
    log: options.log,
  });
  return { handle };
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly route: Route;
}

function callerOf({ request, route }: Arrived, options: AppOptions): Caller | Promise<Caller> {
  const { clients, lend, limits, local } = options;
  const [headers, timeoutMs] = [headersOf(request), limits.requestTimeoutMs];
  const connection = { address: request.socket.remoteAddress ?? '', isGone: () => request.socket.destroyed };
  const isForFacade = local && route === 'facade';
  if (clients && !isForFacade) {
    const caller = createClientCaller(headers, timeoutMs, clients).then((client) => ({ ...client, ...connection }));
    return lend ? caller.then(lend) : caller;
  }
  const caller = createCaller(headers, timeoutMs, connection);
  return lend ? lend(caller) : caller;
}

const createGate = ({ backend, limits }: AppOptions, refusals: Refusals) =>
  createCallerGate({
    limit: createCallerLimit({
      perMinute: limits.callerRateLimit,
      isKnown: (caller) => backend.isAccepted(caller),
    }),
    refusals,
  });

/** Without a façade nothing is said in its words. */
const createRefusalsOf = ({ local }: AppOptions): Refusals =>
  createRefusals({
    graphqlBody: (failure) => JSON.stringify({ errors: [readFailure(failure)] }),
    facadeBody: local
      ? (refusal) => refusalEnvelope('status' in refusal ? refused(refusal.status, refusal.message) : refusal)
      : null,
    httpStatusOf,
  });

/** Of a header that came twice, which none that is read here may, the values stand joined. */
const headersOf = ({ headers }: IncomingMessage) => ({ get: (name: string) => headers[name]?.toString() ?? null });

/** A bulk update that its own rule lets pass is not too long a list. */
const boundsOf = ({ maxValues, maxListItems, maxBulkItems }: AppLimits): JsonBounds => ({
  maxValues,
  maxListItems: Math.max(maxListItems, maxBulkItems),
});

function createPlugins(
  options: AppOptions,
  execution: Execution,
): (Plugin | Plugin<ServerContext> | Plugin<object, ServerContext>)[] {
  const { backend, limits, introspection, isStopping, local, log } = options;
  const bounds = boundsOf(limits);
  return [
    useExecution(execution),
    useHealth({ backend, isStopping }),
    useGraphiQL({ byJwt: options.clients !== null }),
    ...(introspection ? [useSchemaSdl(printSchemaSdl())] : []),
    ...(local
      ? [useFacade(createFacade({ backend, maxBulkItems: limits.maxBulkItems, jsonBounds: bounds, log }))]
      : []),
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
