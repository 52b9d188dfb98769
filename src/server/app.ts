import type { Tracer } from '@opentelemetry/api';
import type { JsonBounds } from '../core/base/json.ts';
import { MAX_INPUT_VALUES, MAX_LIST_ITEMS } from '../core/base/limits.ts';
import type { Log } from '../core/base/log.ts';
import type { LoopMonitor } from '../core/base/loop-monitor.ts';
import type { TickQueue } from '../core/base/tick-queue.ts';
import type { Caller, ClientAuthentication } from '../core/callers/caller.ts';
import type { BackendError } from '../core/errors.ts';
import type { IdempotencyKeys } from '../core/writes/idempotency-keys.ts';
import type { KeyedBackend } from '../core/writes/pipeline.ts';
import { createExecution } from '../graphql/execution/execution.ts';
import type { PreparedDocuments } from '../graphql/execution/prepared-documents.ts';
import { ERROR_TRAITS, extensionsOf } from '../graphql/schema/graphql-errors.ts';
import { printPossibleTypes, printSchemaSdl, printSubgraphSdl } from '../graphql/schema/schema.ts';
import type { ArticleUpdateJobs } from '../jobs/article-update-jobs.ts';
import type { McpOptions } from '../mcp/tools.ts';
import { httpStatusOf } from '../service/v2/errors.ts';
import type { ConsoleIssuer } from './auth/console-issuer.ts';
import { type AddCredential, identifyCaller } from './auth/identify-caller.ts';
import { createDoor } from './http/door.ts';
import { createGraphQLHandler } from './http/graphql/graphql-handler.ts';
import { type ConsoleFiles, createConsoleHandler } from './http/handlers/console-page.ts';
import { createFacadeHandler, errorEnvelope, facadePathOf } from './http/handlers/facade.ts';
import { createGraphiQLHandler } from './http/handlers/graphiql.ts';
import { createMcpRouteHandler } from './http/handlers/mcp.ts';
import { createHealthHandlers, createTextHandler } from './http/handlers/other-routes.ts';
import { MemoryBudget } from './http/memory.ts';
import { endRequestSpan, type OnRequestEnd } from './http/request-end.ts';
import { toFetchRequest } from './http/requests/fetch-request.ts';
import { createRequestGuards } from './http/requests/guards.ts';
import type { RouteHandler } from './http/requests/request-body.ts';
import { headersOf } from './http/requests/request-facts.ts';
import { type HttpError, notFound, type SendError } from './http/responses/errors.ts';
import { sendBody, sendText } from './http/responses/send-response.ts';
import { graphqlBeside, type Route, type RoutedRequest } from './http/route.ts';

interface AppLimits {
  readonly maxBodyBytes: number;
  readonly maxBulkItems: number;
  readonly requestTimeoutMs: number;
  /** Requests of one caller in a minute. 0 means no limit. */
  readonly callerRequestsPerMinute: number;
}

interface AppOptions {
  readonly backend: KeyedBackend;
  readonly jobs: ArticleUpdateJobs;
  /** For the tokens of previews over MCP. */
  readonly keys: IdempotencyKeys;
  /** True for the embedded store, which is also served as REST `/v2`. */
  readonly local: boolean;
  /** Authenticates clients by JWT or host. Null when API tokens alone decide. The façade accepts only API tokens. */
  readonly clients: ClientAuthentication | null;
  /** Replaces a token of the gateway by the service's token. Null when the gateway has no tokens of its own. */
  readonly addServiceCredential: AddCredential | null;
  readonly limits: AppLimits;
  /** The bounds of JSON bodies instead of the default ones. */
  readonly jsonBounds?: JsonBounds;
  /** Web origins whose pages may call. */
  readonly corsOrigins: readonly string[];
  readonly introspection: boolean;
  readonly documents: PreparedDocuments;
  /** Reads the files of the console. Null or absent where `/console` is not served. */
  readonly readConsole?: (() => Promise<ConsoleFiles>) | null;
  /** Reads where the console signs people in; null or absent where they type a token. */
  readonly readConsoleIssuer?: (() => Promise<ConsoleIssuer>) | null | undefined;
  readonly mcp?: McpOptions | null;
  /** The path prefix of all requests, such as `/kb`; '' or absent means none. */
  readonly basePath?: string;
  readonly isStopping: () => boolean;
  readonly memory?: MemoryBudget;
  /** The queue of the process for large bodies. By default, the app has a queue of its own. */
  readonly ticks?: TickQueue;
  /** The monitor by which requests are refused while the event loop is behind. Without it, none is. */
  readonly loop?: LoopMonitor;
  readonly log: Log;
  readonly onRequestEnd?: readonly OnRequestEnd[];
  /** The tracer; null where nothing is traced. */
  readonly tracer?: Tracer | null;
}

/** Composes the gateway around a backend: a listener for node:http. It opens nothing and listens to nothing. */
export function createApp(options: AppOptions) {
  const { backend, limits, corsOrigins, basePath = '', onRequestEnd = [], tracer = null } = options;
  const sendError = createSendError(options);
  const handle = createDoor({
    guards: createRequestGuards(corsOrigins, sendError, options.log),
    handlers: createRouteHandlers(options, sendError),
    identify: createIdentify(options),
    verify: options.introspection
      ? null
      : async (caller) => (caller.client?.ok === false ? caller.client : backend.requireKnown(caller)),
    callerRequestsPerMinute: limits.callerRequestsPerMinute,
    sendError,
    basePath,
    maxBodyBytes: limits.maxBodyBytes,
    memory: options.memory ?? new MemoryBudget({ ticks: options.ticks, maxBodyBytes: limits.maxBodyBytes }),
    loop: options.loop,
    log: options.log,
    onRequestEnd: tracer === null ? onRequestEnd : [...onRequestEnd, endRequestSpan],
    tracer,
  });
  return { handle };
}

function createRouteHandlers(options: AppOptions, sendError: SendError): Record<Route, RouteHandler> {
  const { backend, keys, introspection, local, limits, log } = options;
  const { schema } = options.documents;
  const { jsonBounds = jsonBoundsOf(limits.maxBulkItems) } = options;
  const execution = createExecution(options);
  const sendNotFound: RouteHandler = async ({ outgoing }) => sendError(outgoing, notFound);
  return {
    graphql: createGraphQLHandler({ schema, execution, jsonBounds }),
    graphiql: createGraphiQLHandler({ byJwt: options.clients !== null, showsSchema: introspection }),
    console: options.readConsole
      ? createConsoleHandler({
          readFiles: options.readConsole,
          readIssuer: options.readConsoleIssuer ?? null,
          sendError,
        })
      : sendNotFound,
    mcp: options.mcp
      ? createMcpRouteHandler({ mcp: options.mcp, backend, keys, schema, execution, jsonBounds, sendError, log })
      : sendNotFound,
    facade: local
      ? createFacadeHandler({ backend, maxBulkItems: limits.maxBulkItems, jsonBounds, sendError })
      : sendNotFound,
    schema: introspection ? createTextHandler('application/graphql', printSchemaSdl, printSubgraphSdl) : sendNotFound,
    possibleTypes: introspection ? createTextHandler('application/json', printPossibleTypes) : sendNotFound,
    ...createHealthHandlers({ checkReady: () => backend.checkReady(), isStopping: options.isStopping }),
    start: async ({ request, outgoing }) =>
      sendBody(outgoing, { status: 302, headers: { location: graphqlBeside(request) }, body: '' }),
    none: sendNotFound,
  };
}

function createIdentify({ clients, addServiceCredential, limits, local, basePath = '' }: AppOptions) {
  return (routed: RoutedRequest): Promise<Caller> => {
    const { request, route, facts, trace } = routed;
    const callerOptions = {
      headers: headersOf(request),
      requestTimeoutMs: limits.requestTimeoutMs,
      address: request.socket.remoteAddress ?? '',
      isGone: () => request.socket.destroyed,
      request: facts,
      trace,
      toRequest: clients && ((ending: AbortController) => toFetchRequest(routed, basePath, ending)),
    };
    const asking = local && route === 'facade' ? null : clients;
    return identifyCaller(callerOptions, { clients: asking, addServiceCredential });
  };
}

/** The bounds of bodies, in which a bulk update within `MAX_BULK_ITEMS` fits. */
export const jsonBoundsOf = (maxBulkItems: number): JsonBounds => ({
  maxValues: MAX_INPUT_VALUES,
  maxListItems: Math.max(MAX_LIST_ITEMS, maxBulkItems),
});

/** The error code of JSON-RPC for errors of the server. */
const SERVER_ERROR = -32_000;

/** Sends errors in the form of the route: GraphQL, JSON-RPC, or the envelope of the service where the store is `local`. */
const createSendError =
  (options: AppOptions): SendError =>
  (target, error) => {
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
    if ('kind' in error && error.kind === 'rate-limited' && error.retryAfterSeconds !== null)
      headers['retry-after'] = `${error.retryAfterSeconds}`;
    if ('kind' in error && error.kind === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
    const status = 'status' in error ? error.status : httpStatusOf(error);
    sendText(target, { status, headers, body: errorBodyOf(options, target, error) });
  };

/** Written without an error object, whose creation would take a thirtieth of the time under overload. */
function errorBodyOf(
  { local, introspection }: AppOptions,
  { route, facts, summary, response }: Parameters<SendError>[0],
  error: BackendError | HttpError,
): string {
  if (route === 'facade' && local) {
    if (summary.facadePath === null) summary.add({ kind: 'facade-path', path: facadePathOf(response.req.url) });
    return errorEnvelope(error, summary.facadePath);
  }
  const { message } = error;
  const requestId = facts.id;
  const traits = 'status' in error ? { code: error.code } : ERROR_TRAITS[error.kind];
  if (route === 'graphql') summary.add({ kind: 'error', code: traits.code });
  if (route === 'mcp') {
    const code = ('rpcCode' in error && error.rpcCode) || SERVER_ERROR;
    const data = { code: traits.code, requestId };
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data } });
  }
  // Other members may have names of the schema, which is hidden without introspection.
  const extensions = { ...('status' in error || !introspection ? traits : extensionsOf(error)), requestId };
  return JSON.stringify({ errors: [{ message, extensions }] });
}
