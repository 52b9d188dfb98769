import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import type { MetricData } from '@opentelemetry/sdk-metrics';

/** The suffixes of names in Prometheus, by the units of UCUM. */
const UNIT_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['s', '_seconds'],
  ['By', '_bytes'],
]);

/** Encodes metrics in the text format of Prometheus. */
export function encodeMetricsPage(resource: Resource, metrics: readonly MetricData[]): string {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const scopeMetrics = [{ scope: { name: 'kb-gateway' }, metrics: metrics.map(withUnitInName) }];
  return serializer.serialize({ resource, scopeMetrics });
}

/** The serializer leaves the unit out of the name, where all other exporters of OpenTelemetry put it. */
function withUnitInName<T extends MetricData>(metric: T): T {
  const { name, unit } = metric.descriptor;
  const descriptor = { ...metric.descriptor, name: `${name}${UNIT_SUFFIXES.get(unit) ?? ''}`, unit: '' };
  return { ...metric, descriptor };
}
