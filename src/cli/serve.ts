import cluster from 'node:cluster';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createApp } from '../app.ts';
import type { Backend } from '../backend/backend.ts';
import { openBackend } from '../backend/open-backend.ts';
import { type Config, readConfig } from '../config.ts';
import type { Log } from '../domain/log.ts';
import { ok, type Result } from '../domain/result.ts';
import { createLogger } from '../logger.ts';
import { type Access, openAccess } from './access.ts';
import { openAuditLog } from './audit-log.ts';
import { findDemoArticle } from './demo-article.ts';
import { createHttpServer, listen, stopServer } from './http-server.ts';
import { createLineWriter } from './line-writer.ts';
import { welcome } from './welcome.ts';
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
  if (workers === 1) return serveAlone({ config: config.value, log, isWorker: false });
  if (cluster.isPrimary) return serveByWorkers(workers, config.value, log);
  const named: Log = (level, message, fields) => log(level, message, { worker: process.pid, ...fields });
  try {
    return await serveAlone({ config: config.value, log: named, isWorker: true });
  } finally {
    cluster.worker?.disconnect();
  }
}

interface Setting {
  readonly config: Config;
  readonly log: Log;
  /** One of several that serve together: it leaves the talking to its supervisor. */
  readonly isWorker: boolean;
}

async function serveAlone({ config, log, isWorker }: Setting): Promise<Result<void, string>> {
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const backend = await openBackendFor(config, access.value, log);
  try {
    return await listenUntilStopped({ config, access: access.value, backend, log, isWorker });
  } finally {
    await backend.close();
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

/** What there is one of is made before there are several: the token, the schema of the store, the demo, the welcome. */
async function serveByWorkers(workers: number, config: Config, log: Log): Promise<Result<void, string>> {
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const backend = await openBackendFor({ ...config, audit: null }, access.value, log);
  const demoArticle = await findDemoArticle(config, backend, access.value).finally(() => backend.close());
  return superviseWorkers({
    workers,
    graceMs: config.shutdownGraceMs,
    onListening: (port) => {
      process.stdout.write(welcome({ address: { host: config.host, port }, access: access.value, demoArticle }));
    },
    stopSignal: stopSignal(),
    log,
  });
}

const openBackendFor = async (config: Config, { tokens }: Access, log: Log): Promise<Backend> =>
  openBackend({
    config: config.backend,
    audit: await openAuditLog(config.audit, log),
    coalesceWrites: config.coalesceWrites,
    apiTokens: tokens,
    log,
  });

interface Parts extends Setting {
  readonly access: Access;
  readonly backend: Backend;
}

async function listenUntilStopped(parts: Parts): Promise<Result<void, string>> {
  const { config, access, backend, log, isWorker } = parts;
  const signal = isWorker ? workerStop() : stopSignal();
  const stop = new AbortController();
  const server = createHttpServer(createAppOf(parts, stop.signal).handle, config.requestTimeoutMs);
  const address = await listen(server, config);
  if (!address.ok) return address;
  if (!isWorker) {
    const demoArticle = await findDemoArticle(config, backend, access);
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
  const { introspection, corsOrigins, maxBodyBytes, maxBulkItems, requestTimeoutMs, callerRateLimit } = config;
  // Behind the embedded store there is nothing that a query could cost calls to.
  const maxUpstreamCalls = config.backend.kind === 'rest' ? config.backend.maxReadCalls : Number.POSITIVE_INFINITY;
  return createApp({
    backend,
    local: config.backend.kind === 'local',
    clients: access.clients,
    lend: access.lend,
    limits: { ...config.limits, maxBodyBytes, maxBulkItems, requestTimeoutMs, maxUpstreamCalls, callerRateLimit },
    corsOrigins,
    introspection,
    isStopping: () => stopping.aborted,
    log,
  });
}

/** The first signal asks for an orderly stop; a second one ends the process at once, as it would any other. */
async function stopSignal(): Promise<string> {
  const heard = new AbortController();
  const signals = ['SIGTERM', 'SIGINT'].map(async (name) => {
    await once(process, name, { signal: heard.signal });
    return name;
  });
  const name = await Promise.race(signals);
  heard.abort();
  return name;
}
