import {
  ConsoleMetricExporter,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { MetricExport, TelemetryConfig } from '../config/telemetry.ts';

/** The most sets of attributes of one metric, should a limit of the gateway's own fail. */
export const MAX_SETS = 36;

/** Opens what exports metrics regularly. The exporters read the variables for endpoints and headers themselves. */
export function openMetricExports({
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
