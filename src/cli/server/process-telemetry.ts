import type { Log } from '../../base/log.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Config } from '../../config.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import type { Telemetry } from '../../telemetry/start-telemetry.ts';
import { packageVersion } from '../package-version.ts';
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
}

/** Starts the telemetry that the settings ask for. OpenTelemetry's SDK is loaded only then: it takes 25 MB and more. */
export async function openTelemetry(options: ProcessTelemetryOptions): Promise<Result<ProcessTelemetry, string>> {
  const { config, log } = options;
  const { page, metricExports, traces } = config.telemetry;
  if (page === null && metricExports.length === 0 && !traces) return ok(NO_TELEMETRY);
  const telemetry = await startFor(config, log);
  const served = await serveMetrics({ address: page, metricsPage: telemetry.metricsPage, log });
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
