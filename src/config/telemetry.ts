import { z } from 'zod';
import { hostName, oneOf, wholeNumberSetting } from './setting-types.ts';

const PROTOCOLS = ['grpc', 'http/protobuf', 'http/json'] as const;

const PARENT_SAMPLERS = ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const;
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

const PROPAGATORS = ['tracecontext', 'baggage', 'b3', 'b3multi', 'jaeger'] as const;

const DAY_MS = 24 * 60 * 60_000;

/** How metrics are exported: by a protocol of OTLP, or to stdout. */
export type MetricExport = (typeof PROTOCOLS)[number] | 'console';

export interface TelemetryConfig {
  /** Where `/metrics` is served. Null where it is not. */
  readonly page: { readonly host: string; readonly port: number } | null;
  readonly metricExports: readonly MetricExport[];
  /** Milliseconds from one export of metrics to the next, and the longest time of one. */
  readonly metricIntervalMs: number;
  readonly metricTimeoutMs: number;
  /** True where traces are exported. The SDK reads the variables that say how. */
  readonly traces: boolean;
}

/** One or more names, or `none`, which stands for an empty list. */
const nameList = <const T extends readonly string[]>(names: T, hint = '') => {
  const allowed = `${names.join(', ')}, separated by commas, or none${hint}`;
  const list = z.string().transform((text) => text.split(',').map((name) => name.trim()));
  const none = z.tuple([z.literal('none', allowed)], allowed).transform((): T[number][] => []);
  return list.pipe(z.union([none, z.array(z.enum(names, allowed), allowed)], allowed)).optional();
};

const endpointUrl = z
  .string()
  .refine((text) => /^https?:\/\//iu.test(text) && URL.canParse(text), 'an http or https URL');

const protocol = oneOf(PROTOCOLS, 'http/protobuf');

/** The standard variables of OpenTelemetry that have an effect here, so that wrong values are reported. */
export const telemetrySettings = z.object({
  METRICS_PORT: wholeNumberSetting(0, 0, 65_535).removeDefault().optional(),
  METRICS_HOST: hostName,
  OTEL_SDK_DISABLED: z
    .string()
    .regex(/^(?:true|false)$/iu, 'true or false')
    .default('false'),
  OTEL_TRACES_EXPORTER: nameList(['otlp', 'zipkin', 'console']),
  OTEL_METRICS_EXPORTER: nameList(['otlp', 'console'], '; METRICS_PORT serves metrics for Prometheus'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpointUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpointUrl.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpointUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol.removeDefault().optional(),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumberSetting(60_000, 1, DAY_MS),
  OTEL_METRIC_EXPORT_TIMEOUT: wholeNumberSetting(30_000, 1, DAY_MS),
  OTEL_TRACES_SAMPLER: oneOf([...SAMPLERS, ...PARENT_SAMPLERS], 'parentbased_always_on'),
  OTEL_PROPAGATORS: nameList(PROPAGATORS),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/u, 'a number from 0 to 1')
    .optional(),
});

type TelemetrySettings = z.infer<typeof telemetrySettings>;

/** Nothing is exported unless the variables name an exporter or an endpoint. Export to `localhost` is not assumed. */
export function telemetryConfig(settings: TelemetrySettings): TelemetryConfig {
  const isEnabled = settings.OTEL_SDK_DISABLED.toLowerCase() !== 'true';
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, METRICS_PORT: port, METRICS_HOST: host } = settings;
  const byEndpoint = (own: string | undefined) => ((own ?? endpoint) === undefined ? [] : (['otlp'] as const));
  const traces = settings.OTEL_TRACES_EXPORTER ?? byEndpoint(settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  const metrics = settings.OTEL_METRICS_EXPORTER ?? byEndpoint(settings.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT);
  const otlp = settings.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? settings.OTEL_EXPORTER_OTLP_PROTOCOL;
  return Object.freeze({
    page: port === undefined ? null : Object.freeze({ host, port }),
    metricExports: isEnabled ? [...new Set(metrics)].map((name) => (name === 'otlp' ? otlp : name)) : [],
    metricIntervalMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
    metricTimeoutMs: settings.OTEL_METRIC_EXPORT_TIMEOUT,
    traces: isEnabled && traces.length > 0,
  });
}

/** One port cannot be listened on twice. */
export const withMetricsPortRule = <T extends z.ZodType<{ PORT: number; METRICS_PORT?: number | undefined }>>(
  schema: T,
): T =>
  schema.refine(({ PORT, METRICS_PORT }) => PORT === 0 || PORT !== METRICS_PORT, {
    path: ['METRICS_PORT'],
    error: 'another port than PORT',
    when: () => true,
  });
