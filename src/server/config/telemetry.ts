import type { SettingReader } from './setting-reader.ts';

export type TelemetryConfig = ReturnType<typeof readTelemetry>;

/**
 * Reads the settings of telemetry. Nothing is exported unless the variables name an exporter or an endpoint. Export to
 * `localhost` is not assumed.
 */
export function readTelemetry(settings: SettingReader) {
  const isEnabled = settings.get('OTEL_SDK_DISABLED').toLowerCase() !== 'true';
  const endpoint = settings.get('OTEL_EXPORTER_OTLP_ENDPOINT');
  const byEndpoint = (own: string | undefined) => ((own ?? endpoint) === undefined ? [] : (['otlp'] as const));
  const tracesByEndpoint = byEndpoint(settings.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'));
  const metricsByEndpoint = byEndpoint(settings.get('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'));
  const traces = settings.get('OTEL_TRACES_EXPORTER') ?? tracesByEndpoint;
  const metrics = settings.get('OTEL_METRICS_EXPORTER') ?? metricsByEndpoint;
  const protocol = settings.get('OTEL_EXPORTER_OTLP_PROTOCOL');
  const otlp = settings.get('OTEL_EXPORTER_OTLP_METRICS_PROTOCOL') ?? protocol;
  return Object.freeze({
    page: readPage(settings),
    metricExports: Object.freeze(isEnabled ? [...new Set(metrics)].map((name) => (name === 'otlp' ? otlp : name)) : []),
    /** Milliseconds between two exports of metrics, and the longest time of one. */
    metricIntervalMs: settings.get('OTEL_METRIC_EXPORT_INTERVAL'),
    metricTimeoutMs: settings.get('OTEL_METRIC_EXPORT_TIMEOUT'),
    /** True where traces are exported. The SDK itself reads the variables that configure this. */
    traces: isEnabled && traces.length > 0,
  });
}

/** The address of `/metrics`, with the name of its port's setting in messages; null where it is not served. */
function readPage(settings: SettingReader) {
  const [host, port] = [settings.get('METRICS_HOST'), settings.get('METRICS_PORT')];
  if (port === undefined) return null;
  // Two listeners can't have the same port.
  if (port !== 0 && port === settings.get('PORT')) settings.reject('METRICS_PORT', 'another port than PORT');
  return Object.freeze({ host, port, setting: settings.nameOf('METRICS_PORT') });
}
