import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import {
  MAX_METRICS_CONNECTIONS,
  MAX_METRICS_HEADER_BYTES,
  METRICS_IDLE_TIMEOUT_MS,
  METRICS_REQUEST_TIMEOUT_MS,
} from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { portOf } from '../../core/base/network.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { noMetrics } from '../../core/metrics.ts';
import type { Config } from '../config.ts';
import { optionalPackage, packageVersion } from '../package-version.ts';
import type { Telemetry } from '../telemetry/start-telemetry.ts';
import { listen } from './http-server.ts';

interface ProcessTelemetry extends Pick<Telemetry, 'metrics' | 'shutdown'> {
  /** Stops serving metrics. */
  close(): void;
}

const NO_TELEMETRY: ProcessTelemetry = { metrics: noMetrics, shutdown: async () => {}, close: () => {} };

/** Starts the telemetry that the settings ask for. OpenTelemetry's SDK is loaded only then: it takes 25 MB and more. */
export async function openTelemetry(
  { telemetry: config, backend }: Pick<Config, 'telemetry' | 'backend'>,
  log: Log,
): Promise<Result<ProcessTelemetry, string>> {
  const { page, metricExports, traces } = config;
  if (page === null && metricExports.length === 0 && !traces) return ok(NO_TELEMETRY);
  const missing = exporterPackages(config).filter((name) => !isInstalled(name));
  if (missing.length > 0) return err(missingMessage(missing));
  const { startTelemetry } = await import('../telemetry/start-telemetry.ts');
  const upstream = backend.kind === 'rest' ? addressOf(backend.baseUrl) : null;
  const telemetry = await startTelemetry({ config, version: packageVersion(), upstream, log });
  const served = page === null ? ok(() => {}) : await serveMetrics(page, telemetry.metricsPage, log);
  if (served.ok) return ok({ ...telemetry, close: served.value });
  await telemetry.shutdown(0);
  return served;
}

const METRIC_EXPORTERS = {
  console: null,
  grpc: '@opentelemetry/exporter-metrics-otlp-grpc',
  'http/json': '@opentelemetry/exporter-metrics-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-metrics-otlp-proto',
} as const satisfies Record<Config['telemetry']['metricExports'][number], string | null>;

/** The packages that export what the settings ask for, which few gateways use and npm does not install with the others. */
const exporterPackages = ({ traces, metricExports }: Config['telemetry']): readonly string[] => [
  ...(traces ? ['@opentelemetry/sdk-node'] : []),
  ...metricExports.flatMap((kind) => METRIC_EXPORTERS[kind] ?? []),
];

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

const missingMessage = (missing: readonly string[]): string =>
  `The settings OTEL_* ask for an export that needs packages which are not installed: npm install ${missing.map((name) => `'${optionalPackage(name)}'`).join(' ')}`;

function addressOf(baseUrl: string): { host: string; port: number } {
  const url = new URL(baseUrl);
  return { host: url.hostname, port: portOf(url) };
}

const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Milliseconds between two checks for slow scrapers. */
const CONNECTION_CHECK_MS = 1_000;

type MetricsPage = Telemetry['metricsPage'];

/** Serves only `GET /metrics`, on a listener of its own. Returns a function that closes it. */
async function serveMetrics(
  { host, port, setting }: NonNullable<Config['telemetry']['page']>,
  metricsPage: MetricsPage,
  log: Log,
): Promise<Result<() => void, string>> {
  const server = createMetricsServer(metricsPage, log);
  const listening = await listen(server, { host, port }, setting);
  if (!listening.ok) return listening;
  log('info', 'metrics are served', { ...listening.value });
  return ok(() => {
    server.close();
    server.closeAllConnections();
  });
}

function createMetricsServer(metricsPage: MetricsPage, log: Log): Server {
  // An import would load more (http-server.ts).
  const server = process.getBuiltinModule('node:http').createServer(
    {
      maxHeaderSize: MAX_METRICS_HEADER_BYTES,
      headersTimeout: METRICS_REQUEST_TIMEOUT_MS,
      requestTimeout: METRICS_REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    },
    (request, response) => {
      if (!isScrape(request)) return send(response, 404, 'There is only GET /metrics here.\n');
      void sendPage(response, metricsPage, log);
    },
  );
  server.timeout = METRICS_IDLE_TIMEOUT_MS;
  server.maxConnections = MAX_METRICS_CONNECTIONS;
  return server;
}

const isScrape = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && /^\/metrics(?:\?|$)/u.test(url);

async function sendPage(response: ServerResponse, metricsPage: MetricsPage, log: Log): Promise<void> {
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
