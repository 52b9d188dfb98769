import type { Log } from '../base/log.ts';
import { ok, type Result } from '../base/result.ts';
import { type Config, misspeltSettings } from '../config.ts';
import { type CommandLineSettings, loadConfig } from './load-config.ts';
import { startFilesOf, trackNewFiles } from './new-files.ts';
import { openLog } from './open-log.ts';
import { readManifest } from './persisted-documents.ts';
import { maxResponseMsOf } from './server/configured-app.ts';
import { createHttpServer, listen, stopServer } from './server/http-server.ts';
import { type OpenGateway, openGateway } from './server/open-gateway.ts';
import { checkPorts } from './server/port-check.ts';
import { exitSoon, listenForStopSignals, type StopSignals } from './stop-signals.ts';
import { print } from './terminal.ts';
import { backendName, findDemoArticle, welcomeMessage } from './welcome.ts';

/** Serves until the process receives a signal to stop. The error is the reason why it could not start. */
export async function serve(commandLine: CommandLineSettings): Promise<Result<void, string>> {
  const config = loadConfig(commandLine);
  if (!config.ok) return config;
  const manifest = await readManifest(config.value);
  if (!manifest.ok) return manifest;
  const log = openLog(config.value.log);
  for (const setting of misspeltSettings()) log('warn', 'a variable looks like a setting and is none', { ...setting });
  const signals = listenForStopSignals();
  const files = await trackNewFiles(startFilesOf(config.value));
  try {
    return await serveUntilStopped({
      config: config.value,
      manifest: manifest.value,
      log,
      signals,
      onServing: files.keep,
    });
  } finally {
    await files.remove();
  }
}

interface ServeContext {
  readonly config: Config;
  /** The text of the trusted documents; null when there are none. */
  readonly manifest: string | null;
  readonly log: Log;
  readonly signals: StopSignals;
  /** Called when the server listens. */
  readonly onServing: () => void;
}

async function serveUntilStopped(context: ServeContext): Promise<Result<void, string>> {
  const portCheck = await checkPorts(context.config);
  if (!portCheck.ok) return portCheck;
  const gateway = await openGateway({ ...context, basePath: '' });
  if (!gateway.ok) return gateway;
  try {
    return await listenUntilStopped(gateway.value, context);
  } finally {
    await gateway.value.close();
    exitSoon();
  }
}

async function listenUntilStopped(
  { handle, access, backend, metrics, stop }: OpenGateway,
  { config, log, signals, onServing }: ServeContext,
): Promise<Result<void, string>> {
  const signal = signals.next();
  const server = createHttpServer(handle, { maxResponseMs: maxResponseMsOf(config), log });
  metrics.observe('requestsInFlight', () => server.inFlightResponses.count());
  const address = await listen(server, { host: config.host, port: config.port });
  if (!address.ok) return address;
  onServing();
  const demoArticle = await findDemoArticle(config, backend, access);
  print(welcomeMessage({ address: address.value, config, access, demoArticle }));
  log('info', 'listening', { ...address.value, backend: backendName(config.backend) });
  log('info', 'stopping', { signal: await signal });
  await stop(() => stopServer(server, config.shutdownGraceMs));
  return ok(undefined);
}
