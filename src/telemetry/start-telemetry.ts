import { setTimeout } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import type { TelemetryConfig } from '../config/telemetry.ts';
import { type Metrics, noMetrics } from '../domain/metrics.ts';
import { logDiagnostics } from './diagnostics.ts';
import { openMetricProvider } from './metric-provider.ts';
import { encodeMetricsPage } from './metrics-page.ts';
import type { UpstreamAddress } from './request-attributes.ts';
import { createExportResource, createServiceResource } from './resource.ts';

export interface TelemetryOptions {
  readonly config: TelemetryConfig;
  /** Of the gateway. */
  readonly version: string;
  /** Null over the embedded store. */
  readonly upstream: UpstreamAddress | null;
  readonly log: Log;
}

/** The telemetry of one serving process. */
export interface Telemetry {
  readonly metrics: Metrics;
  /** All metrics as they are now, in the text format of Prometheus; none where none are served. */
  metricsPage(): Promise<string>;
  /** Exports the rest within the time, and ends. */
  shutdown(timeoutMs: number): Promise<void>;
}

/** The longest time of the last export, in milliseconds. A collector that is there takes it at once. */
const MAX_LAST_EXPORT_MS = 3_000;

/** Starts what the settings ask for. Nothing that fails here later has an effect on requests. */
export async function startTelemetry({ config, version, upstream, log }: TelemetryOptions): Promise<Telemetry> {
  const service = createServiceResource(version);
  const resource = createExportResource(service);
  const endTraces = config.traces ? (await import('./traces.ts')).startTraces(resource) : null;
  // Later than the start of the traces, which sets a logger to the console where OTEL_LOG_LEVEL is set.
  logDiagnostics(log);
  const hasMetrics = config.page !== null || config.metricExports.length > 0;
  const opening = hasMetrics ? openMetricProvider({ config, resource, upstream }) : null;
  const provider = await opening?.catch(async (error: unknown) => {
    await endTraces?.();
    throw error;
  });
  return {
    metrics: provider?.metrics ?? noMetrics,
    metricsPage: async () => encodeMetricsPage(service, (await provider?.collect()) ?? []),
    shutdown: async (timeoutMs) => {
      const ended = Promise.allSettled([provider?.shutdown(), endTraces?.()]).then(() => true);
      const timer = new AbortController();
      const timeout = setTimeout(Math.min(timeoutMs, MAX_LAST_EXPORT_MS), false, { signal: timer.signal });
      const isInTime = await Promise.race([ended, timeout.catch(() => false)]);
      timer.abort();
      if (!isInTime) log('warn', 'the last telemetry could not be exported in time');
    },
  };
}
