import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { createApp } from '../app.ts';
import type { Backend } from '../backend/backend.ts';
import { openBackend } from '../backend/open-backend.ts';
import { type Config, readConfig } from '../config.ts';
import type { Log } from '../domain/log.ts';
import { ok, type Result } from '../domain/result.ts';
import { createLogger } from '../logger.ts';
import { type Access, LENDING_TOKEN_FILE, openAccess } from './access/access.ts';
import { type AuditLog, openAuditLog } from './audit/audit-log.ts';
import { findDemoArticle } from './demo-article.ts';
import { createLineWriter } from './line-writer.ts';
import { type Candidates, noteNewFiles } from './new-files.ts';
import { createHttpServer, listen, stopServer } from './server/http-server.ts';
import { checkPort } from './server/port-check.ts';
import { hearStopSignals, type StopSignals } from './stop-signals.ts';
import { welcome } from './welcome.ts';
import { superviseWorkers, workerStop } from './workers/supervisor.ts';
import { portOfWorkers } from './workers/worker-port.ts';

/** What is still alive this long after the end of everything, in milliseconds, does not keep the process. */
const LINGER_MS = 1_000;

/** Serves until the process is told to stop. The error says why it could not begin. */
export async function serve(): Promise<Result<void, string>> {
  const config = readConfig();
  if (!config.ok) return config;
  const write = createLineWriter(
    (text) => process.stderr.write(text),
    () => process.stderr.writableLength,
  );
  const log = createLogger({ level: config.value.logLevel, write });
  const workers = config.value.workers === 'auto' ? availableParallelism() : config.value.workers;
  if (workers > 1 && cluster.isWorker) return serveAsWorker(config.value, log);
  const signals = hearStopSignals();
  const files = await noteNewFiles(filesOf(config.value));
  const setting = { config: config.value, log, signals, onServing: files.keep };
  try {
    return await (workers > 1 ? serveByWorkers(workers, setting) : serveAlone(setting));
  } finally {
    await files.remove();
  }
}

/** The files that a start may make. A store that somebody else may have begun to use stays. */
function filesOf({ backend, audit }: Config): Candidates {
  const logs = audit === null ? [] : [audit.path];
  if (backend.kind === 'rest') return { files: [LENDING_TOKEN_FILE], logs, kept: [] };
  const database = /^sqlite:(?!:memory:)(.+)$/su.exec(backend.databaseUrl)?.[1];
  return database === undefined
    ? { files: [], logs, kept: [] }
    : { files: [`${database}.api-token`], logs, kept: [database] };
}

async function serveAsWorker(config: Config, log: Log): Promise<Result<void, string>> {
  const named: Log = (level, message, fields) => log(level, message, { worker: process.pid, ...fields });
  try {
    return await serveAlone({ config, log: named, signals: null, onServing: () => {} });
  } finally {
    cluster.worker?.disconnect();
  }
}

interface Setting {
  readonly config: Config;
  readonly log: Log;
  /** Null in one of several that serve together: it leaves signals, and the talking, to its supervisor. */
  readonly signals: StopSignals | null;
  /** Called once calls are answered. */
  readonly onServing: () => void;
}

async function serveAlone(setting: Setting): Promise<Result<void, string>> {
  const { config, log, signals } = setting;
  const port = signals ? await checkPort(config) : ok(undefined);
  if (!port.ok) return port;
  const audit = await openAuditLog(config.audit, log);
  if (!audit.ok) return audit;
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const backend = await openBackendFor(config, { ...access.value, audit: audit.value, log });
  try {
    return await listenUntilStopped({ ...setting, access: access.value, backend });
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
async function serveByWorkers(workers: number, setting: Supervising): Promise<Result<void, string>> {
  const { config, log, signals, onServing } = setting;
  const free = await checkPort(config);
  if (!free.ok) return free;
  // The workers write to it, and would each say that it can't be written.
  const audit = await openAuditLog(config.audit, log);
  if (!audit.ok) return audit;
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const backend = await openBackendFor(config, { ...access.value, audit: null, log });
  const demoArticle = await findDemoArticle(config, backend, access.value).finally(() => backend.close());
  const { host, port } = config;
  return superviseWorkers({
    workers,
    address: { host, port },
    graceMs: config.shutdownGraceMs,
    onListening: (taken) => {
      onServing();
      process.stdout.write(welcome({ address: { host, port: taken }, access: access.value, demoArticle }));
    },
    signals,
    log,
  }).finally(exitSoon);
}

interface BackendParts extends Access {
  readonly audit: AuditLog | null;
  readonly log: Log;
}

const openBackendFor = (config: Config, { tokens, audit, log }: BackendParts): Promise<Backend> =>
  openBackend({
    config: config.backend,
    audit,
    coalesceWrites: config.coalesceWrites,
    apiTokens: tokens,
    log,
  });

interface Parts extends Setting {
  readonly access: Access;
  readonly backend: Backend;
}

async function listenUntilStopped(parts: Parts): Promise<Result<void, string>> {
  const { config, access, backend, log, signals, onServing } = parts;
  const signal = signals ? signals.next() : workerStop();
  const stop = new AbortController();
  const server = createHttpServer(createAppOf(parts, stop.signal).handle, longestAnswerMs(config));
  const port = signals ? config.port : await portOfWorkers();
  const address = await listen(server, { host: config.host, port });
  if (!address.ok) return address;
  onServing();
  if (signals) {
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

/** A write that has begun just before the deadline of its request has its whole time. */
const longestAnswerMs = ({ requestTimeoutMs, backend }: Config): number =>
  requestTimeoutMs + (backend.kind === 'rest' ? backend.timeoutMs : 0);

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
