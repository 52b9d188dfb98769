import { randomUUID } from 'node:crypto';
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  ConsoleMetricExporter,
  MeterProvider,
  type MetricData,
  MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import { withinTime } from '../../core/base/clock.ts';
import { jsonIn } from '../../core/base/json.ts';
import type { Log } from '../../core/base/log.ts';
import { RateWindows } from '../../core/base/rate-windows.ts';
import { type Metrics, noMetrics } from '../../core/metrics.ts';
import type { TelemetryConfig } from '../config/telemetry.ts';
import { createInstruments, observeProcess } from './instruments.ts';
import type { UpstreamAddress } from './request-attributes.ts';

interface TelemetryOptions {
  readonly config: TelemetryConfig;
  readonly version: string;
  /** The address of the service; null over the embedded store. */
  readonly upstream: UpstreamAddress | null;
  readonly log: Log;
}

export interface Telemetry {
  readonly metrics: Metrics;
  /** All metrics as they are now, in the text format of Prometheus; '' where none are served. */
  metricsPage(): Promise<string>;
  /** Exports the rest within the time, and ends. */
  shutdown(timeoutMs: number): Promise<void>;
}

/** The longest time of the last export, in milliseconds. A reachable collector takes it at once. */
const MAX_LAST_EXPORT_MS = 3_000;

/** Starts the telemetry of the settings. Later failures have no effect on requests. */
export async function startTelemetry({ config, version, upstream, log }: TelemetryOptions): Promise<Telemetry> {
  const service = createServiceResource(version);
  const resource = createExportResource(service);
  logDiagnostics(log);
  const endTraces = config.traces ? (await import('./traces.ts')).startTraces(resource) : null;
  // Where OTEL_LOG_LEVEL is set, starting the traces has replaced this log by the console.
  if (config.traces) logDiagnostics(log);
  const hasMetrics = config.page !== null || config.metricExports.length > 0;
  const opening = hasMetrics ? openMetricProvider(config, resource, upstream) : null;
  const provider = await opening?.catch(async (error: unknown) => {
    await endTraces?.();
    throw error;
  });
  return {
    metrics: provider?.metrics ?? noMetrics,
    metricsPage: async () => encodeMetricsPage(service, (await provider?.collect()) ?? []),
    shutdown: async (timeoutMs) => {
      const ended = Promise.allSettled([provider?.shutdown(), endTraces?.()]);
      if ((await withinTime(ended, Math.min(timeoutMs, MAX_LAST_EXPORT_MS))) === null)
        log('warn', 'the last telemetry could not be exported in time');
    },
  };
}

/** Sends the SDK's own reports to the log, at most one in a minute. */
function logDiagnostics(log: Log): void {
  const lines = new RateWindows(1);
  const report = (text: string) => {
    // A failing export reports itself every few seconds.
    if (lines.tryCount('').isCounted) log('warn', 'telemetry has a problem', { problem: messageOf(text) });
  };
  const ignore = () => {};
  const logger: DiagLogger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The message of a report. An exception is reported as the JSON of its properties, with its stack. */
function messageOf(text: string): string {
  const { message } = Object(jsonIn(text));
  return typeof message === 'string' ? message : text;
}

/** The origin that all telemetry has. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
const createServiceResource = (version: string): Resource =>
  resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'kb-gateway', [ATTR_SERVICE_VERSION]: version }).merge(
    detectResources({ detectors: [envDetector] }),
  );

/**
 * Adds the attributes of exports: an ID that distinguishes several gateways, and the name of the SDK. Scraped metrics
 * have the address of their origin instead.
 */
const createExportResource = (service: Resource): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_INSTANCE_ID]: randomUUID() }))
    .merge(service);

/** Opens the metrics of this process. They are not registered globally, so that a process may have several. */
async function openMetricProvider(
  { metricExports, metricIntervalMs, metricTimeoutMs }: TelemetryConfig,
  resource: Resource,
  upstream: UpstreamAddress | null,
) {
  // The exporters themselves read the variables for endpoints and headers.
  const exporters = await Promise.all(metricExports.map((kind) => EXPORTERS[kind]()));
  const exports = exporters.map(
    (exporter) =>
      new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: metricIntervalMs,
        exportTimeoutMillis: Math.min(metricTimeoutMs, metricIntervalMs),
        cardinalityLimits: { default: MAX_SETS },
      }),
  );
  const reader = new OnDemandReader();
  const provider = new MeterProvider({ resource, readers: [...exports, reader] });
  const meter = provider.getMeter('kb-gateway');
  const endProcessMetrics = observeProcess(meter);
  return {
    metrics: createInstruments(meter, upstream),
    /** Reads all metrics as they are now. */
    collect: async () => (await reader.collect()).resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics),
    /** Exports the rest and ends. */
    shutdown: async () => {
      endProcessMetrics();
      await provider.shutdown();
    },
  };
}

const EXPORTERS: Readonly<Record<TelemetryConfig['metricExports'][number], () => Promise<PushMetricExporter>>> = {
  console: async () => new ConsoleMetricExporter(),
  grpc: async () => new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter(),
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter(),
};

class OnDemandReader extends MetricReader {
  constructor() {
    super({ cardinalitySelector: () => MAX_SETS });
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {}
}

/** The most sets of attributes of one metric, in case a limit of the gateway's own fails. */
const MAX_SETS = 36;

const UNIT_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['s', '_seconds'],
  ['By', '_bytes'],
]);

function encodeMetricsPage(resource: Resource, metrics: readonly MetricData[]): string {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const scopeMetrics = [{ scope: { name: 'kb-gateway' }, metrics: metrics.map(withUnitInName) }];
  return serializer.serialize({ resource, scopeMetrics });
}

/** Adds the unit to the name, as all other exporters of OpenTelemetry do. */
function withUnitInName<T extends MetricData>(metric: T): T {
  const { name, unit } = metric.descriptor;
  const descriptor = { ...metric.descriptor, name: `${name}${UNIT_SUFFIXES.get(unit) ?? ''}`, unit: '' };
  return { ...metric, descriptor };
}
