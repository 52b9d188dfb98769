import type { RequestListener } from 'node:http';
import { ok, type Result } from '../core/base/result.ts';
import { type Config, maxResponseMsOf, misspeltSettings } from '../server/config.ts';
import { keepTemporaryToken } from '../server/process/access.ts';
import {
  createHttpServer,
  type GatewayServer,
  type ListenAddress,
  listen,
  sendUnavailable,
  stopServer,
} from '../server/process/http-server.ts';
import { type OpenGateway, openGateway } from '../server/process/open-gateway.ts';
import { logWarnings, openLog, type ProcessLog } from '../server/process/open-log.ts';
import { print, standardStreams } from '../server/process/terminal.ts';
import { type CommandLineSettings, loadConfig } from './load-config.ts';
import { withNewFiles } from './new-files.ts';
import { exitSoon, listenForStopSignals, type StopSignals } from './stop-signals.ts';
import { backendName, listeningLine, welcomeMessage } from './welcome.ts';

/**
 * Serves until the process receives a signal to stop. The error is the reason why it could not start. `checkCommand` is what
 * the welcome names as the first step in front of a service.
 */
export async function serve(commandLine: CommandLineSettings, checkCommand: string): Promise<Result<void, string>> {
  const config = loadConfig(commandLine);
  if (!config.ok) return config;
  const { log, writeLine } = openLog(config.value.log);
  logWarnings(config.value, misspeltSettings(), log);
  const signals = listenForStopSignals();
  return withNewFiles(config.value, (onServing) =>
    serveUntilStopped({ config: config.value, checkCommand, log, writeLine, signals, onServing }),
  );
}

interface ServeContext extends ProcessLog {
  readonly config: Config;
  readonly checkCommand: string;
  readonly signals: StopSignals;
  /** Called when the gateway serves. */
  readonly onServing: () => void;
}

/** The port is bound before any file is created. Requests are refused until the gateway is open. */
async function serveUntilStopped(context: ServeContext): Promise<Result<void, string>> {
  const { config, log } = context;
  const refuse: RequestListener = (request, response) => sendUnavailable(request, response, 'The gateway starts.');
  const server = createHttpServer(refuse, {
    ...config,
    maxResponseMs: maxResponseMsOf(config),
    log,
  });
  const address = await listen(server, { host: config.host, port: config.port });
  if (!address.ok) return address;
  try {
    const gateway = await openGateway({ ...context, basePath: '' });
    if (!gateway.ok) return gateway;
    server.off('request', refuse).on('request', gateway.value.handle);
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

async function serveRequests(serving: Serving): Promise<Result<void, string>> {
  const { config, log, signals, onServing, server, gateway } = serving;
  const opened = new AsyncDisposableStack();
  opened.defer(() => gateway.close());
  try {
    const signal = signals.next();
    gateway.metrics.observe('requestsInFlight', () => server.countInFlight());
    const announced = await announce(serving, opened);
    if (!announced.ok) return announced;
    onServing();
    log('info', 'stopping', { signal: await signal });
    await gateway.stop(() => stopServer(server, config.shutdownGraceMs));
    return ok(undefined);
  } finally {
    await opened.disposeAsync();
  }
}

/**
 * Prints the address. Only a terminal shows a generated token: elsewhere stdout is often stored, so that one line names
 * the file with the token, at every level of the log.
 */
async function announce(
  { config, checkCommand, log, writeLine, address, gateway: { access } }: Serving,
  opened: AsyncDisposableStack,
): Promise<Result<void, string>> {
  if (standardStreams().stdout.isTTY) {
    print(welcomeMessage({ address, config, checkCommand, access }));
    log('info', 'listening', { ...address, backend: backendName(config.backend) });
    return ok(undefined);
  }
  let { tokenFile } = access;
  const [token] = access.tokens;
  if (access.kind === 'generated' && tokenFile === null && token !== undefined) {
    const kept = await keepTemporaryToken(token);
    if (!kept.ok) return kept;
    opened.defer(kept.value.remove);
    tokenFile = kept.value.path;
  }
  writeLine(listeningLine({ address, config }, tokenFile));
  return ok(undefined);
}
