import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Log } from '../base/log.ts';
import type { TelemetryConfig } from '../config/telemetry.ts';
import { type Metrics, noMetrics } from '../domain/metrics.ts';
import { encodeMetricsPage, openMetricProvider } from './metric-provider.ts';
import type { UpstreamAddress } from './request-attributes.ts';

interface TelemetryOptions {
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

/** The shortest time between two lines of the log. A failing export reports itself every few seconds. */
const MIN_INTERVAL_MS = 60_000;

/** The SDK's own reports go to the log, at most one in a minute: nothing about telemetry is worth more. */
function logDiagnostics(log: Log): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  let omitted = 0;
  const report = (text: string) => {
    const now = performance.now();
    if (now - lastAt < MIN_INTERVAL_MS) {
      omitted += 1;
      return;
    }
    log('warn', 'telemetry has a problem', { problem: messageOf(text), omitted });
    [lastAt, omitted] = [now, 0];
  };
  const ignore = () => {};
  const logger: DiagLogger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** An exception is reported as the JSON of its properties, with its stack. */
function messageOf(text: string): string {
  try {
    const { message } = Object(JSON.parse(text));
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

/** What all telemetry says of its origin. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win. */
const createServiceResource = (version: string): Resource =>
  resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'kb-gateway', [ATTR_SERVICE_VERSION]: version }).merge(
    detectResources({ detectors: [envDetector] }),
  );

/**
 * Adds what exports must have: an ID that tells several gateways apart, and the name of the SDK. Scraped
 * metrics have the address of their origin instead.
 */
const createExportResource = (service: Resource): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_INSTANCE_ID]: randomUUID() }))
    .merge(service);
