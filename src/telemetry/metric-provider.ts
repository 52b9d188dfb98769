import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import {
  ConsoleMetricExporter,
  MeterProvider,
  type MetricData,
  MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { MetricExport, TelemetryConfig } from '../config/telemetry.ts';
import type { Metrics } from '../domain/metrics.ts';
import { createInstruments } from './instruments.ts';
import { observeProcess } from './process-metrics.ts';
import type { UpstreamAddress } from './request-attributes.ts';

interface MetricProviderOptions {
  readonly config: TelemetryConfig;
  readonly resource: Resource;
  readonly upstream: UpstreamAddress | null;
}

interface MetricProvider {
  readonly metrics: Metrics;
  /** Reads all metrics as they are now, or as they were at the end. */
  collect(): Promise<readonly MetricData[]>;
  /** Exports the rest and ends. */
  shutdown(): Promise<void>;
}

/** Opens the metrics of this process. They are registered nowhere, so that a process may have several. */
export async function openMetricProvider({
  config,
  resource,
  upstream,
}: MetricProviderOptions): Promise<MetricProvider> {
  const reader = new OnDemandReader();
  const readers = [...(await openMetricExports(config)), reader];
  const provider = new MeterProvider({ resource, readers });
  const meter = provider.getMeter('kb-gateway');
  const endProcessMetrics = observeProcess(meter);
  const read = async () => (await reader.collect()).resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
  let last: Promise<readonly MetricData[]> | null = null;
  return {
    metrics: createInstruments(meter, upstream),
    collect: () => last ?? read(),
    shutdown: async () => {
      last ??= read();
      await last;
      endProcessMetrics();
      await provider.shutdown();
    },
  };
}

/** Reads metrics when it is asked to. */
class OnDemandReader extends MetricReader {
  constructor() {
    super({ cardinalitySelector: () => MAX_SETS });
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {}
}

/** The most sets of attributes of one metric, should a limit of the gateway's own fail. */
const MAX_SETS = 36;

/** Opens what exports metrics regularly. The exporters read the variables for endpoints and headers themselves. */
function openMetricExports({
  metricExports,
  metricIntervalMs,
  metricTimeoutMs,
}: TelemetryConfig): Promise<readonly MetricReader[]> {
  return Promise.all(
    metricExports.map(
      async (kind) =>
        new PeriodicExportingMetricReader({
          exporter: await createExporter(kind),
          exportIntervalMillis: metricIntervalMs,
          exportTimeoutMillis: Math.min(metricTimeoutMs, metricIntervalMs),
          cardinalityLimits: { default: MAX_SETS },
        }),
    ),
  );
}

async function createExporter(kind: MetricExport): Promise<PushMetricExporter> {
  switch (kind) {
    case 'console':
      return new ConsoleMetricExporter();
    case 'grpc':
      return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
    case 'http/json':
      return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
    case 'http/protobuf':
      return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
  }
}

/** The suffixes of names in Prometheus, by the units of UCUM. */
const UNIT_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['s', '_seconds'],
  ['By', '_bytes'],
]);

/** Encodes metrics in the text format of Prometheus. */
export function encodeMetricsPage(resource: Resource, metrics: readonly MetricData[]): string {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const scopeMetrics = [{ scope: { name: 'kb-gateway' }, metrics: metrics.map(withUnitInName) }];
  return serializer.serialize({ resource, scopeMetrics });
}

/** The serializer leaves the unit out of the name, where all other exporters of OpenTelemetry put it. */
function withUnitInName<T extends MetricData>(metric: T): T {
  const { name, unit } = metric.descriptor;
  const descriptor = { ...metric.descriptor, name: `${name}${UNIT_SUFFIXES.get(unit) ?? ''}`, unit: '' };
  return { ...metric, descriptor };
}
