/** A metric, by its name in OpenTelemetry. */
export interface MetricDefinition {
  readonly name: string;
  /** As in UCUM, the code of units that OpenTelemetry uses. */
  readonly unit: 's' | 'By' | `{${string}}`;
  readonly kind: 'histogram' | 'counter' | 'upDownCounter' | 'gauge';
  readonly description: string;
  /** The names of its attributes, where it has some. */
  readonly attributes?: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly boundaries?: number[];
}

/** The bounds of durations, in seconds. */
export const DURATION_BOUNDARIES = [0.01, 0.05, 0.25, 1, 5];

export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;
