import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Attributes, Meter, ObservableCounter } from '@opentelemetry/api';
import type { CachedReadResult, OutcomeCounts, RefusalCause } from '../domain/callers/request-record.ts';
import type { Gauge, Metrics } from '../domain/metrics.ts';
import { METRICS, type MetricDefinition, type MetricKey } from './metrics.ts';
import {
  callAttributes,
  createCallSets,
  createRequestSets,
  requestAttributes,
  type UpstreamAddress,
} from './request-attributes.ts';

const POOL: Attributes = { 'db.client.connection.pool.name': 'store' };

/** The metric of each gauge, and the attributes that tell it from others of that metric. */
const GAUGES: Readonly<Record<Gauge, readonly [MetricKey, Attributes]>> = {
  requestsInFlight: ['requestsInFlight', {}],
  callsInFlight: ['callsInFlight', {}],
  callsWaitingForRateLimit: ['callsWaiting', { queue: 'rate_limit' }],
  callsWaitingForConnection: ['callsWaiting', { queue: 'connection' }],
  callsWaitingUntrusted: ['callsWaiting', { queue: 'untrusted' }],
  pendingUpdates: ['pendingUpdates', {}],
  jobsSending: ['jobs', { wait: 'none' }],
  jobsWaitingForRateLimit: ['jobs', { wait: 'rate_limit' }],
  jobsWaitingForService: ['jobs', { wait: 'service' }],
  stateFailing: ['stateFailing', {}],
  stateBytes: ['stateBytes', {}],
  breakerOpen: ['breakerOpen', {}],
  readCacheBytes: ['readCacheBytes', {}],
  budgetRemaining: ['budgetRemaining', {}],
  budgetResetSeconds: ['budgetReset', {}],
  sharedStateUp: ['sharedStateUp', {}],
  sharedStateErrors: ['sharedStateErrors', {}],
  poolUsed: ['poolConnections', { ...POOL, 'db.client.connection.state': 'used' }],
  poolIdle: ['poolConnections', { ...POOL, 'db.client.connection.state': 'idle' }],
  poolMax: ['poolMax', POOL],
  poolPending: ['poolPending', POOL],
};

const OUTCOMES: Readonly<Record<keyof OutcomeCounts, Attributes>> = {
  updated: { outcome: 'updated' },
  failed: { outcome: 'failed' },
  unknown: { outcome: 'unknown' },
  notAttempted: { outcome: 'not_attempted' },
};

const CAUSES: Readonly<Record<RefusalCause, Attributes>> = {
  caller_rate_limit: { cause: 'caller_rate_limit' },
  memory: { cause: 'memory' },
  overload: { cause: 'overload' },
};

const READ_RESULTS: Readonly<Record<CachedReadResult, Attributes>> = {
  hit: { result: 'hit' },
  joined: { result: 'joined' },
  miss: { result: 'miss' },
  bypass: { result: 'bypass' },
};

/** Creates the instruments of the gateway. `upstream` is null over the embedded store. */
export function createInstruments(meter: Meter, upstream: UpstreamAddress | null): Metrics {
  const requestDuration = createHistogram(meter, METRICS.requestDuration);
  const mergedCallItems = createHistogram(meter, METRICS.mergedCallItems);
  const items = { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
  const refusals = { caller_rate_limit: 0, memory: 0, overload: 0 };
  observeCounts(createObservable(meter, METRICS.items), items, OUTCOMES);
  observeCounts(createObservable(meter, METRICS.refusals), refusals, CAUSES);
  const cachedReads = { hit: 0, joined: 0, miss: 0, bypass: 0 };
  if (upstream !== null) observeCounts(createObservable(meter, METRICS.cachedReads), cachedReads, READ_RESULTS);
  const requestSets = createRequestSets();
  return {
    recordRequest: (request) =>
      requestDuration.record(request.durationMs / 1_000, requestAttributes(requestSets, request)),
    recordCall: upstream === null ? () => {} : createCallRecorder(meter, upstream),
    recordMergedCall: (count) => mergedCallItems.record(count),
    countItems: (counts) => {
      items.updated += counts.updated;
      items.failed += counts.failed;
      items.unknown += counts.unknown;
      items.notAttempted += counts.notAttempted;
    },
    countRefusal: (cause) => {
      refusals[cause] += 1;
    },
    countCachedRead: (result) => {
      cachedReads[result] += 1;
    },
    observe: createObserver(meter),
  };
}

/** Exports counts that are kept here, which costs less than a counter that looks up its attributes each time. */
function observeCounts<Name extends string>(
  counter: ObservableCounter,
  counts: Readonly<Record<Name, number>>,
  attributes: Readonly<Record<Name, Attributes>>,
): void {
  counter.addCallback((result) => {
    for (const name in counts) result.observe(counts[name], attributes[name]);
  });
}

const createHistogram = (meter: Meter, { name, boundaries, ...options }: MetricDefinition & { boundaries: number[] }) =>
  meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: boundaries } });

function createCallRecorder(meter: Meter, upstream: UpstreamAddress): Metrics['recordCall'] {
  const callDuration = createHistogram(meter, METRICS.callDuration);
  const callSets = createCallSets();
  return (call) => callDuration.record(call.durationMs / 1_000, callAttributes(callSets, call, upstream));
}

/** A metric has one instrument and one callback, whatever the number of its readers. */
function createObserver(meter: Meter): Metrics['observe'] {
  const readersByMetric = new Map<MetricKey, GaugeReader[]>();
  return (gauge, read) => {
    const [metric, attributes] = GAUGES[gauge];
    const readers = readersByMetric.get(metric) ?? [];
    readers.push({ attributes, read });
    if (readersByMetric.has(metric)) return;
    readersByMetric.set(metric, readers);
    createObservable(meter, METRICS[metric]).addCallback((result) => {
      for (const [set, value] of sumByAttributes(readers)) result.observe(value, set);
    });
  };
}

interface GaugeReader {
  readonly attributes: Attributes;
  readonly read: () => number | null;
}

/** Leaves out values that are not known. */
function sumByAttributes(readers: readonly GaugeReader[]): ReadonlyMap<Attributes, number> {
  const sums = new Map<Attributes, number>();
  for (const { attributes, read } of readers) {
    const value = read();
    if (value !== null) sums.set(attributes, (sums.get(attributes) ?? 0) + value);
  }
  return sums;
}

/** Creates the instrument of a metric whose values are read when they are collected. */
function createObservable(meter: Meter, definition: MetricDefinition) {
  const { name, kind } = definition;
  if (kind === 'counter') return meter.createObservableCounter(name, definition);
  if (kind === 'gauge') return meter.createObservableGauge(name, definition);
  return meter.createObservableUpDownCounter(name, definition);
}

/** Measures the process itself. The result ends that. */
export function observeProcess(meter: Meter): () => void {
  const delays = new EventLoopDelays();
  const observe = (definition: (typeof METRICS)[keyof typeof METRICS], read: () => number) =>
    createObservable(meter, definition).addCallback((result) => result.observe(read()));
  observe(METRICS.eventLoopDelayMax, () => delays.maxSeconds());
  observe(METRICS.eventLoopDelayP99, () => delays.p99Seconds());
  observe(METRICS.memory, () => process.memoryUsage.rss());
  observe(METRICS.heapUsed, () => getHeapStatistics().used_heap_size);
  createObservable(meter, METRICS.cpuTime).addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1_000_000, { 'cpu.mode': 'user' });
    result.observe(system / 1_000_000, { 'cpu.mode': 'system' });
  });
  return () => delays.close();
}

/** Milliseconds between two measurements, which the measured delays contain. */
const RESOLUTION_MS = 10;

/** A window that is so old is followed by another one when it is read. */
const WINDOW_MS = 15_000;

/**
 * The delays of the event loop in this window and the one before. So everybody who reads once in a window, or less
 * often, sees each delay, however many read.
 */
class EventLoopDelays {
  #current = startHistogram();
  #previous: ELDHistogram | null = null;
  #startedAt = performance.now();

  maxSeconds(): number {
    return this.#worst((histogram) => histogram.max);
  }

  p99Seconds(): number {
    return this.#worst((histogram) => histogram.percentile(99));
  }

  close(): void {
    this.#current.disable();
  }

  #worst(read: (histogram: ELDHistogram) => number): number {
    this.#advance();
    const nanoseconds = [this.#current, this.#previous].map((histogram) =>
      histogram === null || histogram.count === 0 ? 0 : read(histogram),
    );
    return Math.max(0, Math.max(...nanoseconds) / 1e9 - RESOLUTION_MS / 1_000);
  }

  #advance(): void {
    const now = performance.now();
    if (now - this.#startedAt < WINDOW_MS) return;
    this.#current.disable();
    this.#previous = this.#current;
    this.#current = startHistogram();
    this.#startedAt = now;
  }
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}
