import type { SettingReader } from './setting-reader.ts';

export type TelemetryConfig = ReturnType<typeof readTelemetry>;

/** Nothing is exported unless the variables name an exporter or an endpoint. Export to `localhost` is not assumed. */
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
    /** By a protocol of OTLP, or to stdout. */
    metricExports: Object.freeze(isEnabled ? [...new Set(metrics)].map((name) => (name === 'otlp' ? otlp : name)) : []),
    /** Milliseconds from one export of metrics to the next, and the longest time of one. */
    metricIntervalMs: settings.get('OTEL_METRIC_EXPORT_INTERVAL'),
    metricTimeoutMs: settings.get('OTEL_METRIC_EXPORT_TIMEOUT'),
    /** True where traces are exported. The SDK reads the variables that say how. */
    traces: isEnabled && traces.length > 0,
  });
}

/** Where `/metrics` is served, and the name of its port in messages. Null where it is not. */
function readPage(settings: SettingReader) {
  const [host, port] = [settings.get('METRICS_HOST'), settings.get('METRICS_PORT')];
  if (port === undefined) return null;
  // One port cannot be listened on twice.
  if (port !== 0 && port === settings.get('PORT')) settings.reject('METRICS_PORT', 'another port than PORT');
  return Object.freeze({ host, port, setting: settings.nameOf('METRICS_PORT') });
}
