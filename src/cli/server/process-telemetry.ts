import type { Config } from '../../config.ts';
import type { Log } from '../../domain/log.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Telemetry } from '../../telemetry/start-telemetry.ts';
import { packageVersion } from '../package-version.ts';
import { answerMetricsRequests, collectWorkerMetrics } from '../workers/worker-metrics.ts';
import { serveMetrics } from './metrics-server.ts';

/** The telemetry of this process, as long as it serves. */
export interface ProcessTelemetry {
  readonly metrics: Metrics;
  /** Exports what was not exported yet within the time, and ends. */
  shutdown(timeoutMs: number): Promise<void>;
  /** Stops serving metrics. */
  close(): void;
}

interface ProcessTelemetryOptions {
  readonly config: Config;
  readonly log: Log;
  /** True where the supervisor serves the metrics of this process. */
  readonly isWorker: boolean;
}

/** Starts the telemetry that the settings ask for. OpenTelemetry's SDK is loaded only then: it takes 25 MB and more. */
export async function openTelemetry(options: ProcessTelemetryOptions): Promise<Result<ProcessTelemetry, string>> {
  const { config, log, isWorker } = options;
  const { page, metricExports, traces } = config.telemetry;
  if (page === null && metricExports.length === 0 && !traces) return ok(NO_TELEMETRY);
  const telemetry = await startFor(config, log);
  if (isWorker) answerMetricsRequests(telemetry);
  const served = await serveMetrics({ address: isWorker ? null : page, metricsPage: telemetry.metricsPage, log });
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

/** Serves the metrics of all workers. The result stops that. Must be called in the supervisor. */
export async function serveWorkerMetrics({ telemetry }: Config, log: Log): Promise<Result<() => void, string>> {
  if (telemetry.page === null) return ok(() => {});
  const { createMergedPage } = await import('../../telemetry/merged-metrics.ts');
  const metricsPage = collectWorkerMetrics(createMergedPage(packageVersion()));
  return serveMetrics({ address: telemetry.page, metricsPage, log });
}
