import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import type { UpstreamAddress } from '../../../src/server/telemetry/request-attributes.ts';
import { startTelemetry, type Telemetry } from '../../../src/server/telemetry/start-telemetry.ts';
import { parseMetricsPage, type Sample } from '../../support/scrape.ts';

const CONFIG = {
  page: { host: '127.0.0.1', port: 0, setting: 'METRICS_PORT' },
  metricExports: [],
  metricIntervalMs: 60_000,
  metricTimeoutMs: 30_000,
  traces: false,
} as const;

interface OpenedMetrics extends Telemetry {
  readonly samples: () => Promise<readonly Sample[]>;
}

/** Metrics of a process that serves them, without its listener. */
export async function openMetrics(upstream: UpstreamAddress | null = null): Promise<OpenedMetrics> {
  const telemetry = await startTelemetry({ config: CONFIG, version: '1.2.3', upstream, log: silentLog });
  onTestFinished(() => telemetry.shutdown(1_000));
  return { ...telemetry, samples: async () => parseMetricsPage(await telemetry.metricsPage()) };
}
