import { createServer, type IncomingMessage } from 'node:http';
import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../../src/core/backend.ts';
import type { JsonBounds } from '../../src/core/base/json.ts';
import { type Log, silentLog } from '../../src/core/base/log.ts';
import type { ClientAuthentication } from '../../src/core/callers/caller.ts';
import { type KeyedBackend, keyedWrites } from '../../src/core/writes/pipeline.ts';
import { type PreparedDocumentsOptions, prepareDocuments } from '../../src/graphql/execution/prepared-documents.ts';
import { ANSWER_LIMITS, type ResponseLimits } from '../../src/graphql/schema/response-budget.ts';
import { createSubgraph } from '../../src/graphql/schema/schema.ts';
import { createJobs } from '../../src/jobs/create-jobs.ts';
import type { JobSettings } from '../../src/jobs/job-context.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import type { McpOptions } from '../../src/mcp/tools.ts';
import { createApp, jsonBoundsOf } from '../../src/server/app.ts';
import type { ConsoleIssuer } from '../../src/server/auth/console-issuer.ts';
import type { AddCredential } from '../../src/server/auth/identify-caller.ts';
import type { ConsoleFiles } from '../../src/server/http/handlers/console-page.ts';
import type { MemoryBudget } from '../../src/server/http/memory.ts';
import type { OnRequestEnd } from '../../src/server/http/request-end.ts';
import { portOf } from './ports.ts';

export interface GraphQLAnswer {
  readonly status: number;
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { message: string; path?: unknown; extensions?: Record<string, unknown> }[];
  };
}

/** Sends a document and gives back the whole body, as a client would see it. */
export type Send = Gateway['send'];

export interface Gateway {
  readonly url: string;
  /** Sends a document as POST application/json, with the token of the gateway unless `headers` are given. */
  send(query: string, variables?: object, headers?: Record<string, string>): Promise<GraphQLAnswer>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly backend: Backend;
  readonly local: boolean;
  readonly token: string;
  readonly maxBodyBytes?: number;
  readonly maxBulkItems?: number;
  readonly requestTimeoutMs?: number;
  readonly maxUpstreamCalls?: number;
  /** In place of constants that are too large for a test. */
  readonly limits?: Partial<JsonBounds & ResponseLimits & { readonly queryCacheBytes: number }>;
  readonly corsOrigins?: readonly string[];
  readonly introspection?: boolean;
  readonly trustedTexts?: ReadonlyMap<string, string>;
  readonly trustedOnly?: boolean;
  readonly clients?: ClientAuthentication;
  readonly addServiceCredential?: AddCredential;
  readonly callerRequestsPerMinute?: number;
  readonly memory?: MemoryBudget;
  readonly log?: Log;
  readonly onRequestEnd?: readonly OnRequestEnd[];
  readonly tracer?: Tracer | null;
  /** The tools for writes that `/mcp` offers; null where it is not served. */
  readonly mcpWrites?: McpOptions['writes'] | null;
  readonly mcpClock?: McpOptions['clock'];
  /** The place of jobs and idempotency keys; in memory when it is absent. Opened at the first use. */
  readonly stateUrl?: string;
  readonly jobSettings?: Partial<JobSettings>;
  /** Serves the console. */
  readonly readConsole?: () => Promise<ConsoleFiles>;
  /** The issuer at which the console signs people in. */
  readonly readConsoleIssuer?: () => Promise<ConsoleIssuer>;
  /** Called with every request before it is handled. */
  readonly onRequest?: (request: IncomingMessage) => void;
}

type DocumentOptions = Pick<PreparedDocumentsOptions, 'maxUpstreamCalls' | 'introspection'> &
  Pick<GatewayOptions, 'trustedTexts' | 'trustedOnly' | 'limits'>;

function prepareOrThrow({ limits = {}, trustedTexts = new Map(), trustedOnly = false, ...options }: DocumentOptions) {
  const { maxUpstreamCalls, introspection } = options;
  const { queryCacheBytes: cacheBytes, ...others } = limits;
  const documents = prepareDocuments({
    schema: createSubgraph(),
    maxQueryDepth: 16,
    maxUpstreamCalls,
    answerLimits: { ...ANSWER_LIMITS, ...others },
    ...(cacheBytes !== undefined && { cacheBytes }),
    introspection,
    trustedTexts,
    trustedOnly,
  });
  if (!documents.ok) throw new Error(documents.error.join('\n'));
  return documents.value;
}

const createGatewayJobs = ({ backend, local, token, stateUrl = 'sqlite::memory:', jobSettings, log }: GatewayOptions) =>
  createJobs({
    backend,
    openLedger: (serviceUrl) => openLedger({ url: stateUrl, setting: 'STATE_URL', serviceUrl, log: log ?? silentLog }),
    settings: {
      maxItems: 1_000_000,
      maxBytes: 1024 ** 3,
      openMs: 3_600_000,
      keepMs: 86_400_000,
      bulkSize: 100,
      keepsHidden: !local,
      callTimeoutMs: local ? 0 : 10_000,
      readLagMs: 0,
      ...jobSettings,
    },
    credentials: { serviceUrl: local ? null : 'http://kb.example', ownToken: local ? token : null },
    log: log ?? silentLog,
  });

type McpSettings = Pick<GatewayOptions, 'mcpWrites' | 'mcpClock'>;

const mcpOptionsOf = ({ mcpWrites = 'off', mcpClock }: McpSettings): McpOptions | null =>
  mcpWrites === null ? null : { writes: mcpWrites, version: '0.0.0', ...(mcpClock && { clock: mcpClock }) };

/** Starts a gateway on a free port. Closing it closes its backend too. */
export async function startGateway({ backend, local, token, ...settings }: GatewayOptions): Promise<Gateway> {
  const introspection = settings.introspection ?? true;
  const maxUpstreamCalls = settings.maxUpstreamCalls ?? (local ? Number.POSITIVE_INFINITY : 60);
  const documents = prepareOrThrow({ ...settings, maxUpstreamCalls, introspection });
  const maxBulkItems = settings.maxBulkItems ?? 10_000;
  const jobs = createGatewayJobs({ backend, local, token, ...settings });
  // The backend of a test may be a proxy, or have methods in its prototype.
  const keyed: KeyedBackend = Object.assign(
    Object.create(backend),
    keyedWrites(backend, () => jobs.idempotencyKeys),
  );
  const app = createApp({
    jobs: jobs.articleUpdateJobs,
    keys: jobs.idempotencyKeys,
    backend: keyed,
    local,
    clients: settings.clients ?? null,
    addServiceCredential: settings.addServiceCredential ?? null,
    limits: {
      maxBodyBytes: settings.maxBodyBytes ?? 10_485_760,
      maxBulkItems,
      requestTimeoutMs: settings.requestTimeoutMs ?? 10_000,
      callerRequestsPerMinute: settings.callerRequestsPerMinute ?? 0,
    },
    jsonBounds: { ...jsonBoundsOf(maxBulkItems), ...settings.limits },
    corsOrigins: settings.corsOrigins ?? [],
    introspection,
    documents,
    readConsole: settings.readConsole ?? null,
    readConsoleIssuer: settings.readConsoleIssuer,
    mcp: mcpOptionsOf(settings),
    isStopping: () => false,
    log: settings.log ?? silentLog,
    ...(settings.onRequestEnd && { onRequestEnd: settings.onRequestEnd }),
    tracer: settings.tracer ?? null,
    ...(settings.memory && { memory: settings.memory }),
  });
  // As `createHttpServer` does it, so that the guards of the gateway answer.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    settings.onRequest?.(request);
    void app.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  return {
    url,
    send: async (query, variables = {}, headers = { api_token: token }) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, body: await response.json() };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await jobs.close();
      await backend.close();
    },
  };
}
