import { describe, expect, it } from 'vitest';
import { misspeltSettings, readConfig } from '../../../src/server/config.ts';

const ENDPOINT = 'http://collector.example:4318';

function telemetryOf(environment: Record<string, string>) {
  const config = readConfig(environment);
  if (!config.ok) throw new Error(config.error);
  const { page, metricExports, traces } = config.value.telemetry;
  return { page, metricExports, traces };
}

const NOTHING = { page: null, metricExports: [], traces: false };

describe('the settings of telemetry', () => {
  it.each<[string, Record<string, string>, object]>([
    ['nothing by default', {}, NOTHING],
    ['nothing for what names no exporter', { OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'always_on' }, NOTHING],
    [
      'the page',
      { METRICS_PORT: '9464' },
      { ...NOTHING, page: { host: '127.0.0.1', port: 9464, setting: 'METRICS_PORT' } },
    ],
    [
      'both by an endpoint',
      { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT },
      { ...NOTHING, metricExports: ['http/protobuf'], traces: true },
    ],
    ['traces by their endpoint', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }, { ...NOTHING, traces: true }],
    [
      'metrics by their endpoint and protocol',
      {
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ENDPOINT,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
      },
      { ...NOTHING, metricExports: ['http/json'] },
    ],
    [
      'exporters by their names',
      { OTEL_METRICS_EXPORTER: 'otlp, console', OTEL_TRACES_EXPORTER: 'zipkin' },
      { ...NOTHING, metricExports: ['http/protobuf', 'console'], traces: true },
    ],
    [
      'none in spite of an endpoint',
      { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
      NOTHING,
    ],
    [
      'the page alone where the SDK is disabled',
      { OTEL_SDK_DISABLED: 'TRUE', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, METRICS_PORT: '1', METRICS_HOST: '::' },
      { ...NOTHING, page: { host: '::', port: 1, setting: 'METRICS_PORT' } },
    ],
  ])('ask for %s', (_, environment, expected) => {
    expect(telemetryOf(environment)).toEqual(expected);
  });

  it('that are wrong are listed with what is allowed', () => {
    const config = readConfig({
      PORT: '4000',
      METRICS_PORT: '4000',
      METRICS_HOST: 'a b',
      OTEL_SDK_DISABLED: 'yes',
      OTEL_METRICS_EXPORTER: 'prometheus',
      OTEL_TRACES_EXPORTER: 'none,otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https//user:secret@a',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http',
      OTEL_METRIC_EXPORT_INTERVAL: '0',
    });
    if (config.ok) throw new Error('the settings are taken');
    expect(config.error.split('\n').slice(1).sort()).toEqual([
      '  METRICS_HOST is "a b"; allowed: a host name or an IP address',
      '  METRICS_PORT is "4000"; allowed: another port than PORT',
      '  OTEL_EXPORTER_OTLP_ENDPOINT is "…@a"; allowed: an http or https URL',
      '  OTEL_EXPORTER_OTLP_PROTOCOL is "http"; allowed: grpc, http/protobuf or http/json',
      '  OTEL_METRICS_EXPORTER is "prometheus"; allowed: otlp, console, separated by commas, or none; METRICS_PORT serves metrics for Prometheus',
      '  OTEL_METRIC_EXPORT_INTERVAL is "0"; allowed: a whole number from 1 to 86400000',
      '  OTEL_SDK_DISABLED is "yes"; allowed: true or false',
      '  OTEL_TRACES_EXPORTER is "none,otlp"; allowed: otlp, zipkin, console, separated by commas, or none; entry 1 ("none") is none of these',
    ]);
  });

  it('are not taken for others where they are standard', () => {
    const names = [
      'OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES OTEL_PROPAGATORS OTEL_LOG_LEVEL OTEL_LOGS_EXPORTER OTEL_ENTITIES',
      'OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_INSECURE',
      'OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_CLIENT_KEY OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS OTEL_EXPORTER_OTLP_METRICS_HEADERS OTEL_EXPORTER_OTLP_METRICS_TIMEOUT',
      'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE OTEL_METRICS_EXEMPLAR_FILTER OTEL_BSP_SCHEDULE_DELAY',
      'OTEL_BSP_EXPORT_TIMEOUT OTEL_BSP_MAX_QUEUE_SIZE OTEL_SPAN_LINK_COUNT_LIMIT OTEL_ATTRIBUTE_COUNT_LIMIT',
      'OTEL_EXPORTER_ZIPKIN_ENDPOINT OTEL_EXPORTER_PROMETHEUS_PORT OTEL_NODE_RESOURCE_DETECTORS',
    ].flatMap((line) => line.split(' '));
    expect(misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
    expect(misspeltSettings({ OTEL_TRACE_EXPORTER: 'otlp' })).toHaveLength(1);
  });
});
