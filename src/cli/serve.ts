import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { createApp } from '../app.ts';
import type { Backend } from '../backend/backend.ts';
import { openBackend } from '../backend/open-backend.ts';
import { isLoopback } from '../config/fields.ts';
import { type Config, readConfig } from '../config.ts';
import type { Log } from '../domain/log.ts';
import { ok, type Result } from '../domain/result.ts';
import { createLogger } from '../logger.ts';
import { type Access, openAccess } from './access.ts';
import { openAuditLog } from './audit-log.ts';
import { findDemoArticle } from './demo-article.ts';
import { createHttpServer, listen, stopServer } from './http-server.ts';
import { createLineWriter } from './line-writer.ts';
import { hearStopSignals, type StopSignals } from './stop-signals.ts';
import { welcome } from './welcome.ts';
import { portOfWorkers } from './worker-port.ts';
import { superviseWorkers, workerStop } from './workers.ts';

/** What is still alive this long after the end of everything, in milliseconds, does not keep the process. */
const LINGER_MS = 1_000;

/** Serves until the process is told to stop. The error says why it could not begin. */
export async function serve(): Promise<Result<void, string>> {
  const config = readConfig();
  if (!config.ok) return config;
  const write = createLineWriter((text) => process.stderr.write(text));
  const log = createLogger({ level: config.value.logLevel, write });
  const workers = config.value.workers === 'auto' ? availableParallelism() : config.value.workers;
  if (workers > 1 && cluster.isWorker) return serveAsWorker(config.value, log);
  const signals = hearStopSignals();
  if (workers > 1) return serveByWorkers(workers, { config: config.value, log, signals });
  return serveAlone({ config: config.value, log, signals });
}

async function serveAsWorker(config: Config, log: Log): Promise<Result<void, string>> {
  const named: Log = (level, message, fields) => log(level, message, { worker: process.pid, ...fields });
  try {
    return await serveAlone({ config, log: named, signals: null });
  } finally {
    cluster.worker?.disconnect();
  }
}

interface Setting {
  readonly config: Config;
  readonly log: Log;
  /** Null in one of several that serve together: it leaves signals, and the talking, to its supervisor. */
  readonly signals: StopSignals | null;
}

async function serveAlone({ config, log, signals }: Setting): Promise<Result<void, string>> {
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const backend = await openBackendFor(config, access.value, log);
  try {
    return await listenUntilStopped({ config, access: access.value, backend, log, signals });
  } finally {
    await backend.close();
    exitSoon();
  }
}

const exitSoon = () => setTimeout(() => process.exit(), LINGER_MS).unref();

interface Supervising extends Setting {
  readonly signals: StopSignals;
}

/** What there is one of is made before there are several: the token, the schema of the store, the demo, the welcome. */
async function serveByWorkers(workers: number, { config, log, signals }: Supervising): Promise<Result<void, string>> {
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const backend = await openBackendFor({ ...config, audit: null }, access.value, log);
  const demoArticle = await findDemoArticle(backend, access.value.tokens[0]).finally(() => backend.close());
  const { host, port } = config;
  return superviseWorkers({
    workers,
    address: { host, port },
    graceMs: config.shutdownGraceMs,
    onListening: (taken) => {
      process.stdout.write(welcome({ address: { host, port: taken }, access: access.value, demoArticle }));
    },
    signals,
    log,
  }).finally(exitSoon);
}

const openBackendFor = async (config: Config, { clients, tokens }: Access, log: Log): Promise<Backend> =>
  openBackend({
    config: clients ? withoutToken(config.backend) : config.backend,
    audit: await openAuditLog(config.audit, log),
    coalesceWrites: config.coalesceWrites,
    apiTokens: tokens,
    log,
  });

/** The token is for clients who are known: it must not stand in for the one of a caller who brings none. */
const withoutToken = (backend: Config['backend']): Config['backend'] =>
  backend.kind === 'rest' ? { ...backend, apiToken: null } : backend;

interface Parts extends Setting {
  readonly access: Access;
  readonly backend: Backend;
}

async function listenUntilStopped(parts: Parts): Promise<Result<void, string>> {
  const { config, access, backend, log, signals } = parts;
  const signal = signals ? signals.next() : workerStop();
  const stop = new AbortController();
  const server = createHttpServer(createAppOf(parts, stop.signal).handle, config.requestTimeoutMs);
  const port = signals ? config.port : await portOfWorkers();
  const address = await listen(server, { host: config.host, port });
  if (!address.ok) return address;
  if (signals) {
    const demoArticle = await findDemoArticle(backend, access.tokens[0]);
    process.stdout.write(welcome({ address: address.value, access, demoArticle }));
  }
  log('info', 'listening', { ...address.value, backend: config.backend.kind });
  log('info', 'stopping', { signal: await signal });
  stop.abort();
  const isDone = await stopServer(server, config.shutdownGraceMs);
  log(isDone ? 'info' : 'warn', isDone ? 'stopped' : 'stopped, and cut calls that were still in flight');
  return ok(undefined);
}

function createAppOf({ config, access, backend, log }: Parts, stopping: AbortSignal) {
  const { introspection, host, corsOrigins, maxBodyBytes, maxBulkItems, requestTimeoutMs, callerRateLimit } = config;
  // Behind the embedded store there is nothing that a query could cost calls to.
  const maxUpstreamCalls = config.backend.kind === 'rest' ? config.backend.maxReadCalls : Number.POSITIVE_INFINITY;
  return createApp({
    backend,
    local: config.backend.kind === 'local',
    clients: access.clients,
    limits: { ...config.limits, maxBodyBytes, maxBulkItems, requestTimeoutMs, maxUpstreamCalls, callerRateLimit },
    corsOrigins,
    introspection,
    // With client authentication it would open nothing there.
    graphiqlToken: isLoopback(host) && !access.clients ? (access.tokens[0] ?? null) : null,
    isStopping: () => stopping.aborted,
    log,
  });
}
