import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  MAX_METRICS_CONNECTIONS,
  MAX_METRICS_HEADER_BYTES,
  METRICS_IDLE_TIMEOUT_MS,
  METRICS_REQUEST_TIMEOUT_MS,
} from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Config } from '../../config.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import type { Telemetry } from '../../telemetry/start-telemetry.ts';
import { packageVersion } from '../package-version.ts';
import { type ListenAddress, listen } from './http-server.ts';

/** The telemetry of this process, as long as it serves. */
interface ProcessTelemetry {
  readonly metrics: Metrics;
  /** Exports what was not exported yet within the time, and ends. */
  shutdown(timeoutMs: number): Promise<void>;
  /** Stops serving metrics. */
  close(): void;
}

interface ProcessTelemetryOptions {
  readonly config: Config;
  readonly log: Log;
}

/** Starts the telemetry that the settings ask for. OpenTelemetry's SDK is loaded only then: it takes 25 MB and more. */
export async function openTelemetry(options: ProcessTelemetryOptions): Promise<Result<ProcessTelemetry, string>> {
  const { config, log } = options;
  const { page, metricExports, traces } = config.telemetry;
  if (page === null && metricExports.length === 0 && !traces) return ok(NO_TELEMETRY);
  const telemetry = await startFor(config, log);
  const served = page === null ? ok(() => {}) : await serveMetrics({ page, metricsPage: telemetry.metricsPage, log });
  if (served.ok) return ok({ ...telemetry, close: served.value });
  await telemetry.shutdown(0);
  return served;
}

const NO_TELEMETRY: ProcessTelemetry = { metrics: noMetrics, shutdown: async () => {}, close: () => {} };

async function startFor({ telemetry: config, backend }: Config, log: Log): Promise<Telemetry> {
  const { startTelemetry } = await import('../../telemetry/start-telemetry.ts');
  const upstream = backend.kind === 'rest' ? addressOf(backend.baseUrl) : null;
  return startTelemetry({ config, version: packageVersion(), upstream, log });
}

function addressOf(baseUrl: string): { host: string; port: number } {
  const { hostname: host, port, protocol } = new URL(baseUrl);
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Milliseconds between two checks for slow scrapers. */
const CONNECTION_CHECK_MS = 1_000;

interface MetricsServerOptions {
  /** Where they are served, with the name of the port in messages. */
  readonly page: ListenAddress & { readonly setting: string };
  readonly metricsPage: () => Promise<string>;
  readonly log: Log;
}

/** Serves `GET /metrics` and nothing else, on a listener of its own. The result closes it. */
async function serveMetrics(options: MetricsServerOptions): Promise<Result<() => void, string>> {
  const { page, log } = options;
  const server = createMetricsServer(options);
  const listening = await listen(server, page, page.setting);
  if (!listening.ok) return listening;
  log('info', 'metrics are served', { ...listening.value });
  return ok(() => {
    server.close();
    server.closeAllConnections();
  });
}

function createMetricsServer({ metricsPage, log }: MetricsServerOptions): Server {
  const sharedPage = shareConcurrent(metricsPage);
  const server = createServer(
    {
      maxHeaderSize: MAX_METRICS_HEADER_BYTES,
      headersTimeout: METRICS_REQUEST_TIMEOUT_MS,
      requestTimeout: METRICS_REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    },
    (request, response) => {
      if (!isScrape(request)) return send(response, 404, 'There is only GET /metrics here.\n');
      connections.begin(request.socket);
      void sendPage(response, sharedPage, log).finally(() => connections.end(request.socket));
    },
  );
  const connections = new ScrapeConnections(server);
  server.timeout = METRICS_IDLE_TIMEOUT_MS;
  return server;
}

/** The connections of a server, of which nobody can hold all by doing nothing. */
class ScrapeConnections {
  /** Those for which no page is made, in the order in which they began to be idle. */
  readonly #idle = new Set<Socket>();
  /** The pages that are made for each of the others. */
  readonly #pages = new Map<Socket, number>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  begin(socket: Socket): void {
    // A request can come of a connection that was just closed.
    if (!this.#idle.delete(socket) && !this.#pages.has(socket)) return;
    this.#pages.set(socket, (this.#pages.get(socket) ?? 0) + 1);
  }

  end(socket: Socket): void {
    const pages = (this.#pages.get(socket) ?? 0) - 1;
    if (pages > 0) this.#pages.set(socket, pages);
    else if (this.#pages.delete(socket)) this.#idle.add(socket);
  }

  #accept(socket: Socket): void {
    if (this.#idle.size + this.#pages.size >= MAX_METRICS_CONNECTIONS) {
      const [oldest = socket] = this.#idle;
      this.#forget(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#idle.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    this.#idle.delete(socket);
    this.#pages.delete(socket);
  }
}

const isScrape = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && /^\/metrics(?:\?|$)/u.test(url);

async function sendPage(response: ServerResponse, metricsPage: () => Promise<string>, log: Log): Promise<void> {
  try {
    send(response, 200, await metricsPage());
  } catch (error) {
    log('error', 'the metrics could not be collected', { error });
    send(response, 500, 'The metrics could not be collected.\n');
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  const headers = {
    'content-type': MEDIA_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  };
  // The body of the request is not read.
  response.writeHead(status, status === 200 ? headers : { ...headers, connection: 'close' }).end(body);
}

/** Calls that are made while one is pending get its result. */
function shareConcurrent<T>(call: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return () => {
    pending ??= call().finally(() => {
      pending = null;
    });
    return pending;
  };
}
