import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, type MetricData, MetricReader } from '@opentelemetry/sdk-metrics';
import type { TelemetryConfig } from '../config/telemetry.ts';
import type { Metrics } from '../domain/metrics.ts';
import { createInstruments } from './instruments.ts';
import { MAX_SETS, openMetricExports } from './metric-exports.ts';
import { observeProcess } from './process-metrics.ts';
import type { UpstreamAddress } from './request-attributes.ts';

interface MetricProviderOptions {
  readonly config: TelemetryConfig;
  readonly resource: Resource;
  readonly upstream: UpstreamAddress | null;
}

export interface MetricProvider {
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
