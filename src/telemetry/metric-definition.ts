/** A metric, by its name in OpenTelemetry. */
export interface MetricDefinition {
  readonly name: string;
  /** As in UCUM, the code of units that OpenTelemetry uses. */
  readonly unit: 's' | 'By' | `{${string}}`;
  readonly kind: 'histogram' | 'counter' | 'upDownCounter' | 'gauge';
  readonly description: string;
  /** The names of its attributes. */
  readonly attributes: readonly string[];
  /** How the values of several workers become one. */
  readonly acrossWorkers: 'sum' | 'largest' | 'smallest';
  /** The upper bounds of a histogram's buckets. */
  readonly boundaries?: number[];
}
