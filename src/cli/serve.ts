import type { RequestListener } from 'node:http';
import type { Log } from '../core/base/log.ts';
import { ok, type Result } from '../core/base/result.ts';
import { type Config, maxResponseMsOf, misspeltSettings } from '../server/config.ts';
import {
  createHttpServer,
  type GatewayServer,
  type ListenAddress,
  listen,
  sendUnavailable,
  stopServer,
} from '../server/process/http-server.ts';
import { type OpenGateway, openGateway } from '../server/process/open-gateway.ts';
import { logWarnings, openLog } from '../server/process/open-log.ts';
import { print } from '../server/process/terminal.ts';
import { type CommandLineSettings, loadConfig } from './load-config.ts';
import { withNewFiles } from './new-files.ts';
import { exitSoon, listenForStopSignals, type StopSignals } from './stop-signals.ts';
import { backendName, welcomeMessage } from './welcome.ts';

/**
 * Serves until the process receives a signal to stop. The error is the reason why it could not start. `checkCommand` is what
 * the welcome names as the first step in front of a service.
 */
export async function serve(commandLine: CommandLineSettings, checkCommand: string): Promise<Result<void, string>> {
  const config = loadConfig(commandLine);
  if (!config.ok) return config;
  const log = openLog(config.value.log);
  logWarnings(config.value, misspeltSettings(), log);
  const signals = listenForStopSignals();
  return withNewFiles(config.value, (onServing) =>
    serveUntilStopped({ config: config.value, checkCommand, log, signals, onServing }),
  );
}

interface ServeContext {
  readonly config: Config;
  readonly checkCommand: string;
  readonly log: Log;
  readonly signals: StopSignals;
  /** Called when the gateway serves. */
  readonly onServing: () => void;
}

/** The port is bound before any file is created. Requests are refused until the gateway is open. */
async function serveUntilStopped(context: ServeContext): Promise<Result<void, string>> {
  const { config, log } = context;
  let handle: RequestListener = (request, response) => sendUnavailable(request, response, 'The gateway starts.');
  const server = createHttpServer((request, response) => handle(request, response), {
    ...config,
    maxResponseMs: maxResponseMsOf(config),
    log,
  });
  const address = await listen(server, { host: config.host, port: config.port });
  if (!address.ok) return address;
  try {
    const gateway = await openGateway({ ...context, basePath: '' });
    if (!gateway.ok) return gateway;
    handle = gateway.value.handle;
    return await serveRequests({ ...context, server, address: address.value, gateway: gateway.value });
  } finally {
    server.close();
    server.closeAllConnections();
    exitSoon();
  }
}

interface Serving extends ServeContext {
  readonly server: GatewayServer;
  readonly address: ListenAddress;
  readonly gateway: OpenGateway;
}

async function serveRequests({ config, checkCommand, log, signals, onServing, server, address, gateway }: Serving) {
  try {
    const signal = signals.next();
    gateway.metrics.observe('requestsInFlight', () => server.countInFlight());
    onServing();
    print(welcomeMessage({ address, config, checkCommand, access: gateway.access }));
    log('info', 'listening', { ...address, backend: backendName(config.backend) });
    log('info', 'stopping', { signal: await signal });
    await gateway.stop(() => stopServer(server, config.shutdownGraceMs));
    return ok(undefined);
  } finally {
    await gateway.close();
  }
}
