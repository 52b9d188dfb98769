import type { SettingReader } from './setting-reader.ts';
import type { SettingValues } from './settings.ts';

/** How metrics are exported: by a protocol of OTLP, or to stdout. */
export type MetricExport = SettingValues['OTEL_EXPORTER_OTLP_PROTOCOL'] | 'console';

export interface TelemetryConfig {
  /** Where `/metrics` is served, and the name of its port in messages. Null where it is not. */
  readonly page: { readonly host: string; readonly port: number; readonly setting: string } | null;
  readonly metricExports: readonly MetricExport[];
  /** Milliseconds from one export of metrics to the next, and the longest time of one. */
  readonly metricIntervalMs: number;
  readonly metricTimeoutMs: number;
  /** True where traces are exported. The SDK reads the variables that say how. */
  readonly traces: boolean;
}

/** Nothing is exported unless the variables name an exporter or an endpoint. Export to `localhost` is not assumed. */
export function readTelemetry(settings: SettingReader): TelemetryConfig {
  const isEnabled = settings.get('OTEL_SDK_DISABLED').toLowerCase() !== 'true';
  const endpoint = settings.get('OTEL_EXPORTER_OTLP_ENDPOINT');
  const byEndpoint = (own: string | undefined) => ((own ?? endpoint) === undefined ? [] : (['otlp'] as const));
  const tracesByEndpoint = byEndpoint(settings.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'));
  const metricsByEndpoint = byEndpoint(settings.get('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'));
  const traces = settings.get('OTEL_TRACES_EXPORTER') ?? tracesByEndpoint;
  const metrics = settings.get('OTEL_METRICS_EXPORTER') ?? metricsByEndpoint;
  const protocol = settings.get('OTEL_EXPORTER_OTLP_PROTOCOL');
  const otlp = settings.get('OTEL_EXPORTER_OTLP_METRICS_PROTOCOL') ?? protocol;
  for (const name of READ_BY_THE_SDK) settings.get(name);
  return Object.freeze({
    page: readPage(settings),
    metricExports: isEnabled ? [...new Set(metrics)].map((name) => (name === 'otlp' ? otlp : name)) : [],
    metricIntervalMs: settings.get('OTEL_METRIC_EXPORT_INTERVAL'),
    metricTimeoutMs: settings.get('OTEL_METRIC_EXPORT_TIMEOUT'),
    traces: isEnabled && traces.length > 0,
  });
}

/** They are read here so that wrong values are reported. */
const READ_BY_THE_SDK = [
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_PROPAGATORS',
] as const;

function readPage(settings: SettingReader): TelemetryConfig['page'] {
  const [host, port] = [settings.get('METRICS_HOST'), settings.get('METRICS_PORT')];
  if (port === undefined) return null;
  // One port cannot be listened on twice.
  if (port !== 0 && port === settings.get('PORT')) settings.reject('METRICS_PORT', 'another port than PORT');
  return Object.freeze({ host, port, setting: settings.nameOf('METRICS_PORT') });
}
