import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSpanContextValid, type Tracer, trace } from '@opentelemetry/api';
import type { Backend } from '../../core/backend.ts';
import type { Log } from '../../core/base/log.ts';
import { isLogged } from '../../core/base/logger.ts';
import { type LoopMonitor, openLoopMonitor } from '../../core/base/loop-monitor.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type Metrics, noMetrics } from '../../core/metrics.ts';
import { createApp } from '../app.ts';
import { createConsoleIssuer } from '../auth/console-issuer.ts';
import type { Authenticate } from '../auth/host-auth.ts';
import type { Config } from '../config.ts';
import { readConsoleFiles } from '../console-files.ts';
import { createRequestLog, recordRequestEnds } from '../http/request-end.ts';
import { packageVersion, userAgent } from '../package-version.ts';
import type { Access } from './access.ts';
import { readPersistedDocuments } from './persisted-documents.ts';
import { openProcessInputs, openProcessParts, type ProcessInputs, type ProcessParts } from './process-parts.ts';
import { openTelemetry } from './process-telemetry.ts';

export interface OpenGatewayOptions {
  readonly config: Config;
  readonly log: Log;
  /** The path prefix of requests; '' means none. */
  readonly basePath: string;
  /** The function of a host that identifies its callers. */
  readonly authenticate?: Authenticate | undefined;
}

/** An open gateway, without a listener. */
export interface OpenGateway {
  /** A listener for node:http. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  readonly access: Access;
  readonly backend: Backend;
  readonly metrics: Metrics;
  /** Makes the gateway unready, and ends jobs and telemetry while `drain` lets in-flight requests finish. */
  stop(drain: () => Promise<boolean>): Promise<void>;
  /** Closes everything that the gateway has opened. */
  close(): Promise<void>;
}

/** Opens the gateway of the settings. The error, or the message of a thrown Error, is a reason for people. */
export async function openGateway(options: OpenGatewayOptions): Promise<Result<OpenGateway, string>> {
  const inputs = await openProcessInputs(options.config, readPersistedDocuments(options.config), options);
  if (!inputs.ok) return inputs;
  const opened = new AsyncDisposableStack();
  try {
    const gateway = await openWithInputs(options, inputs.value, opened);
    if (!gateway.ok) await opened.disposeAsync();
    return gateway;
  } catch (error) {
    // The first error is reported, so later ones are ignored.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

async function openWithInputs(
  options: OpenGatewayOptions,
  inputs: ProcessInputs,
  opened: AsyncDisposableStack,
): Promise<Result<OpenGateway, string>> {
  const { config, log } = options;
  const telemetry = await openTelemetry(config, log);
  if (!telemetry.ok) return telemetry;
  const { metrics, shutdown, close } = telemetry.value;
  const stopping = new AbortController();
  opened.defer(close);
  // A gateway that never listened is not stopped before.
  opened.defer(async () => {
    if (!stopping.signal.aborted) await shutdown(0);
  });
  // The lock is taken after the port of the metrics is bound: it creates a file, and a failed start must leave none.
  const { StateFileLock } = await import('../../jobs/state/state-file.ts');
  const stateLock = new StateFileLock(config.state.url);
  if (!stateLock.tryTake()) return err(stateInUse(config));
  opened.defer(() => stateLock.release());
  const tracer = openTracer();
  const beforeOpeningState = () => stateLock.take();
  const loop = openLoopMonitor();
  opened.defer(() => loop.close());
  const parts = await openProcessParts(config, { ...inputs, tracer, log, metrics, beforeOpeningState }, opened);
  const { handle } = createConfiguredApp(options, { ...inputs, ...parts, loop, tracer, metrics }, stopping.signal);
  const { backend, jobs } = parts;
  return ok({
    handle,
    access: inputs.access,
    backend,
    metrics,
    stop: async (drain) => {
      stopping.abort();
      const stopsAt = performance.now() + config.shutdownGraceMs;
      const jobsClosed = jobs.articleUpdateJobs.close();
      // The promise is awaited later, and may reject before.
      jobsClosed.catch(() => {});
      const stoppedCleanly = await drain();
      await jobsClosed.finally(() => shutdown(Math.max(0, stopsAt - performance.now())));
      if (stoppedCleanly) log('info', 'stopped');
      else log('warn', 'stopped, and closed connections with calls in flight');
    },
    close: () => opened.disposeAsync(),
  });
}

const stateInUse = ({ state }: Config): string =>
  `another gateway runs with the state in ${state.url} (${state.setting}): stop that one first, or give this one another file; gateways that run together share a state in PostgreSQL`;

/** The tracer of the registered SDK; null where none is registered, so that no spans are made in vain. */
function openTracer(): Tracer | null {
  const tracer = trace.getTracer('kb-gateway');
  // The span is never ended, and so not exported. Without an SDK it has no ID.
  return isSpanContextValid(tracer.startSpan('start', { root: true }).spanContext()) ? tracer : null;
}

interface AppParts extends ProcessInputs, ProcessParts {
  readonly loop: LoopMonitor;
  readonly tracer: Tracer | null;
  readonly metrics: Metrics;
}

/** Creates the app of the settings. It is unready once `stopping` is aborted. */
function createConfiguredApp({ config, log, basePath }: OpenGatewayOptions, parts: AppParts, stopping: AbortSignal) {
  const { access, backend, jobs, documents, ticks, loop, tracer, metrics } = parts;
  const { introspection, corsOrigins, maxBodyBytes, maxBulkItems, requestTimeoutMs, callerRequestsPerMinute } = config;
  return createApp({
    jobs: jobs.articleUpdateJobs,
    keys: jobs.idempotencyKeys,
    backend,
    local: config.backend.kind === 'local',
    clients: access.clients,
    addServiceCredential: access.addServiceCredential,
    limits: { maxBodyBytes, maxBulkItems, requestTimeoutMs, callerRequestsPerMinute },
    corsOrigins,
    introspection,
    documents,
    readConsole: config.console ? readConsoleFiles : null,
    readConsoleIssuer:
      config.consoleSignIn && createConsoleIssuer({ signIn: config.consoleSignIn, userAgent: userAgent(), log }),
    mcp: config.mcp.http ? { writes: config.mcp.writes, version: packageVersion() } : null,
    basePath,
    isStopping: () => stopping.aborted,
    ticks,
    loop,
    tracer,
    log,
    // Lines below the level of the log are not put together.
    onRequestEnd: [
      ...(isLogged('info', config.log.level) ? [createRequestLog(log)] : []),
      ...(metrics === noMetrics ? [] : [recordRequestEnds(metrics)]),
    ],
  });
}
