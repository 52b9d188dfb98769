import type { Attributes } from '@opentelemetry/api';
import { type DataPoint, DataPointType, type Histogram, type MetricData } from '@opentelemetry/sdk-metrics';
import { OVERFLOW } from './attribute-sets.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { findMetric, METRICS } from './metric-definitions.ts';
import { encodeMetricsPage } from './metrics-page.ts';
import { createCallSets, createRequestSets, mergedRequestAttributes } from './request-attributes.ts';
import { createServiceResource } from './resource.ts';

type Metrics = readonly MetricData[];

export interface MergedMetricsPage {
  /** Encodes the metrics of the workers as those of one process. Null stands for a worker that does not answer. */
  mergeWorkers(answers: ReadonlyMap<number, readonly MetricData[] | null>): string;
  onWorkerEnd(worker: number): void;
}

/** Creates the page of several workers in the text format of Prometheus. `version` is that of the gateway. */
export function createMergedPage(version: string): MergedMetricsPage {
  const resource = createServiceResource(version);
  const merged = new MergedMetrics();
  return {
    mergeWorkers: (answers) => encodeMetricsPage(resource, merged.merge(answers)),
    onWorkerEnd: (worker) => merged.onWorkerEnd(worker),
  };
}

/**
 * The metrics of several workers as those of one process. Counts never decrease: those of ended workers are kept, and of
 * a worker that does not answer, the last ones are used.
 */
class MergedMetrics {
  /** The counts of all workers that have ended. */
  #ended: Metrics = [];
  readonly #lastByWorker = new Map<number, Metrics>();
  /** The sets of attributes by the names of their metrics. Merged, the workers have no more of them than each alone. */
  readonly #sets = new Map<string, MergedSets>();

  onWorkerEnd(worker: number): void {
    this.#ended = this.#mergeAll([this.#ended, countsOf(this.#lastByWorker.get(worker) ?? [])]);
    this.#lastByWorker.delete(worker);
  }

  merge(answers: ReadonlyMap<number, Metrics | null>): Metrics {
    const latest = [...answers].map(([worker, metrics]) => {
      if (metrics === null) return countsOf(this.#lastByWorker.get(worker) ?? []);
      this.#lastByWorker.set(worker, metrics);
      return metrics;
    });
    return this.#mergeAll([this.#ended, ...latest]);
  }

  #mergeAll(all: readonly Metrics[]): Metrics {
    const byName = new Map<string, MetricData>();
    for (const metric of all.flat()) {
      const { name } = metric.descriptor;
      const definition = findMetric(name);
      if (definition !== undefined) byName.set(name, this.#addTo(byName.get(name), metric, definition));
    }
    return [...byName.values()];
  }

  #addTo(merged: MetricData | undefined, metric: MetricData, { name, acrossWorkers }: MetricDefinition): MetricData {
    const sets = this.#sets.get(name) ?? createSets(name);
    this.#sets.set(name, sets);
    if (metric.dataPointType === DataPointType.EXPONENTIAL_HISTOGRAM) return metric;
    if (metric.dataPointType === DataPointType.HISTOGRAM) {
      const before = merged?.dataPointType === DataPointType.HISTOGRAM ? merged.dataPoints : [];
      return { ...metric, dataPoints: mergePoints([...before, ...metric.dataPoints], sets, addHistograms) };
    }
    const isNumeric = merged?.dataPointType === DataPointType.SUM || merged?.dataPointType === DataPointType.GAUGE;
    const before = isNumeric ? merged.dataPoints : [];
    return { ...metric, dataPoints: mergePoints([...before, ...metric.dataPoints], sets, COMBINE[acrossWorkers]) };
  }
}

/** Finds the set of attributes that stands for another worker's. */
type MergedSets = (attributes: Attributes) => Attributes;

function createSets(name: string): MergedSets {
  const find = name === METRICS.requestDuration.name ? findRequestSet() : findSet();
  return (attributes) => ('otel.metric.overflow' in attributes ? OVERFLOW : find(attributes));
}

function findRequestSet(): MergedSets {
  const sets = createRequestSets();
  return (attributes) => mergedRequestAttributes(sets, attributes);
}

function findSet(): MergedSets {
  const sets = createCallSets();
  return (attributes) => sets.get(JSON.stringify(attributes), () => attributes);
}

/** What was counted since the start, as opposed to what is at this moment. */
const countsOf = (metrics: Metrics): Metrics =>
  metrics.filter(
    (metric) =>
      metric.dataPointType === DataPointType.HISTOGRAM ||
      (metric.dataPointType === DataPointType.SUM && metric.isMonotonic),
  );

const COMBINE: Readonly<Record<MetricDefinition['acrossWorkers'], (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  largest: Math.max,
  smallest: Math.min,
};

function mergePoints<T>(
  points: readonly DataPoint<T>[],
  sets: MergedSets,
  combine: (one: T, other: T) => T,
): DataPoint<T>[] {
  const byAttributes = new Map<Attributes, DataPoint<T>>();
  for (const point of points) {
    const attributes = sets(point.attributes);
    const before = byAttributes.get(attributes);
    const value = before === undefined ? point.value : combine(before.value, point.value);
    byAttributes.set(attributes, { ...point, attributes, value });
  }
  return [...byAttributes.values()];
}

function addHistograms(one: Histogram, other: Histogram): Histogram {
  const { boundaries, counts } = one.buckets;
  return {
    buckets: { boundaries, counts: counts.map((count, index) => count + (other.buckets.counts[index] ?? 0)) },
    sum: (one.sum ?? 0) + (other.sum ?? 0),
    count: one.count + other.count,
  };
}
