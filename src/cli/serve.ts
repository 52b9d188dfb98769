import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Log } from '../base/log.ts';
import { ok, type Result } from '../base/result.ts';
import { type Config, maxResponseMsOf, misspeltSettings } from '../config.ts';
import { type CommandLineSettings, loadConfig } from './load-config.ts';
import { withNewFiles } from './new-files.ts';
import { openLog } from './open-log.ts';
import { createHttpServer, type ListenAddress, listen, stopServer } from './server/http-server.ts';
import { type OpenGateway, openGateway } from './server/open-gateway.ts';
import { exitSoon, listenForStopSignals, type StopSignals } from './stop-signals.ts';
import { print } from './terminal.ts';
import { backendName, findDemoArticle, welcomeMessage } from './welcome.ts';

/** Serves until the process receives a signal to stop. The error is the reason why it could not start. */
export async function serve(commandLine: CommandLineSettings): Promise<Result<void, string>> {
  const config = loadConfig(commandLine);
  if (!config.ok) return config;
  const log = openLog(config.value.log);
  for (const setting of misspeltSettings()) log('warn', 'a variable looks like a setting and is none', { ...setting });
  const signals = listenForStopSignals();
  return withNewFiles(config.value, (onServing) =>
    serveUntilStopped({ config: config.value, log, signals, onServing }),
  );
}

interface ServeContext {
  readonly config: Config;
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

/** An address of this machine accepts or refuses a connection at once. */
const CONNECT_TIMEOUT_MS = 1_000;

/** Checks the ports of the gateway and of its metrics. */
async function checkPorts({ host, port, telemetry }: Config): Promise<Result<void, string>> {
  const checked = await checkPort({ host, port }, 'PORT');
  return checked.ok && telemetry.page !== null ? checkPort(telemetry.page, telemetry.page.setting) : checked;
}

/**
 * Checks that the gateway can listen, before the start creates any file. It does not listen on a free port: a client
 * that connects meanwhile would lose its connection, and could not know whether its request had arrived.
 */
async function checkPort(address: ListenAddress, setting: string): Promise<Result<void, string>> {
  const free = await tryListening({ ...address, port: 0 }, setting);
  return free.ok && !(await isPortTaken(address)) ? free : tryListening(address, setting);
}

async function tryListening(address: ListenAddress, setting: string): Promise<Result<void, string>> {
  const server = createServer();
  const listening = await listen(server, address, setting);
  server.close();
  return listening.ok ? ok(undefined) : listening;
}

/** True when a server listens at the address already. */
async function isPortTaken({ host, port }: ListenAddress): Promise<boolean> {
  if (port === 0) return false;
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
