import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type Config, misspeltSettings } from '../config.ts';
import { TickQueue } from '../domain/json/tick-queue.ts';
import type { Log } from '../domain/log.ts';
import { noMetrics } from '../domain/metrics.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { type CommandLineSettings, loadConfig, readSecretFile } from './load-config.ts';
import { startFilesOf, trackNewFiles } from './new-files.ts';
import { openLog } from './open-log.ts';
import { readManifest } from './persisted-documents.ts';
import { maxResponseMsOf } from './server/configured-app.ts';
import { openUnsharedBackend } from './server/configured-backend.ts';
import { openGatewayInputs } from './server/gateway-inputs.ts';
import { createHttpServer, listen, stopServer } from './server/http-server.ts';
import { type OpenGateway, openGateway } from './server/open-gateway.ts';
import { checkPorts } from './server/port-check.ts';
import { serveWorkerMetrics } from './server/process-telemetry.ts';
import { exitSoon, listenForStopSignals, type StopSignals } from './stop-signals.ts';
import { print } from './terminal.ts';
import { backendName, findDemoArticle, welcomeMessage } from './welcome.ts';
import { superviseWorkers, waitForStop } from './workers/supervisor.ts';
import { requestInputs } from './workers/worker-inputs.ts';
import { requestPort } from './workers/worker-port.ts';
import { isSupervised } from './workers/worker-process.ts';

/** Serves until the process receives a signal to stop. The error is the reason why it could not start. */
export async function serve(commandLine: CommandLineSettings): Promise<Result<void, string>> {
  if (isSupervised()) return serveAsWorker(commandLine);
  const secretFiles: Record<string, string> = {};
  const config = loadConfig(commandLine, (path) => {
    const content = readSecretFile(path);
    if (content.ok) secretFiles[path] = content.value;
    return content;
  });
  if (!config.ok) return config;
  const manifest = await readManifest(config.value);
  if (!manifest.ok) return manifest;
  const log = openLog(config.value.log);
  const workers = config.value.workers === 'auto' ? availableParallelism() : config.value.workers;
  for (const setting of misspeltSettings()) log('warn', 'a variable looks like a setting and is none', { ...setting });
  const signals = listenForStopSignals();
  const files = await trackNewFiles(startFilesOf(config.value));
  const context = { config: config.value, manifest: manifest.value, log, signals, onServing: files.keep };
  try {
    return await (workers > 1 ? serveWithWorkers(workers, { ...context, secretFiles }) : serveInProcess(context));
  } finally {
    await files.remove();
  }
}

async function serveAsWorker(commandLine: CommandLineSettings): Promise<Result<void, string>> {
  const { secretFiles, manifest } = await requestInputs();
  const config = loadConfig(commandLine, (path) => {
    const content = secretFiles[path];
    return content === undefined ? err('the supervisor has not read it') : ok(content);
  });
  if (!config.ok) return config;
  const log = openLog(config.value.log);
  const workerLog: Log = (level, message, fields) => log(level, message, { worker: process.pid, ...fields });
  try {
    return await serveInProcess({ config: config.value, manifest, log: workerLog, signals: null, onServing: () => {} });
  } finally {
    cluster.worker?.disconnect();
  }
}

interface ServeContext {
  readonly config: Config;
  /** The text of the trusted documents; null when there are none. */
  readonly manifest: string | null;
  readonly log: Log;
  /** Null in a worker, which leaves signals and the welcome message to the supervisor. */
  readonly signals: StopSignals | null;
  /** Called when the server listens. */
  readonly onServing: () => void;
}

async function serveInProcess(context: ServeContext): Promise<Result<void, string>> {
  const { config, signals } = context;
  const portCheck = signals ? await checkPorts(config) : ok(undefined);
  if (!portCheck.ok) return portCheck;
  const gateway = await openGateway({ ...context, isWorker: signals === null, basePath: '' });
  if (!gateway.ok) return gateway;
  try {
    return await listenUntilStopped(gateway.value, context);
  } finally {
    await gateway.value.close();
    exitSoon();
  }
}

interface SupervisorContext extends ServeContext {
  /** The contents of the files of secrets by their paths. */
  readonly secretFiles: Readonly<Record<string, string>>;
  readonly signals: StopSignals;
}

/** Creates what the workers share before they start: the token, the tables of the store, the demo, the audit log. */
async function serveWithWorkers(workers: number, context: SupervisorContext): Promise<Result<void, string>> {
  const { config, manifest, secretFiles, log, signals, onServing } = context;
  const portCheck = await checkPorts(config);
  if (!portCheck.ok) return portCheck;
  // The log and the documents are checked here once, so that not every worker reports what is wrong with them.
  const inputs = await openGatewayInputs(context);
  if (!inputs.ok) return inputs;
  const { access } = inputs.value;
  const backend = await openUnsharedBackend(config, {
    ...access,
    audit: null,
    ticks: new TickQueue(),
    tracer: null,
    log,
    metrics: noMetrics,
  });
  const demoArticle = await findDemoArticle(config, backend, access).finally(() => backend.close());
  const metricsServer = await serveWorkerMetrics(config, log);
  if (!metricsServer.ok) return metricsServer;
  const { host, port } = config;
  return superviseWorkers({
    workers,
    address: { host, port },
    inputs: { secretFiles, manifest },
    graceMs: config.shutdownGraceMs,
    onListening: (actualPort) => {
      onServing();
      const address = { host, port: actualPort };
      print(welcomeMessage({ address, config, access, demoArticle }));
    },
    signals,
    log,
  })
    .finally(metricsServer.value)
    .finally(exitSoon);
}

async function listenUntilStopped(
  { handle, access, backend, metrics, stop }: OpenGateway,
  { config, log, signals, onServing }: ServeContext,
): Promise<Result<void, string>> {
  const signal = signals ? signals.next() : waitForStop();
  const server = createHttpServer(handle, { maxResponseMs: maxResponseMsOf(config), log });
  metrics.observe('requestsInFlight', () => server.inFlightResponses.count());
  const port = signals ? config.port : await requestPort();
  const address = await listen(server, { host: config.host, port });
  if (!address.ok) return address;
  onServing();
  if (signals) {
    const demoArticle = await findDemoArticle(config, backend, access);
    print(welcomeMessage({ address: address.value, config, access, demoArticle }));
  }
  log('info', 'listening', { ...address.value, backend: backendName(config.backend) });
  log('info', 'stopping', { signal: await signal });
  await stop(() => stopServer(server, config.shutdownGraceMs));
  return ok(undefined);
}
