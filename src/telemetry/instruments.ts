import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Meter, ObservableCounter } from '@opentelemetry/api';
import type { CachedReadResult, OutcomeCounts, RefusalCause } from '../domain/callers/request-record.ts';
import type { Metrics } from '../domain/metrics.ts';
import { createObserver } from './gauges.ts';
import { createCallAttributes, createRequestAttributes, type UpstreamAddress } from './request-attributes.ts';

// All metrics together have at most 500 series: a histogram has three besides one for each boundary, and
// `createAttributeSets` bounds the sets of attributes.

/** The upper bounds of the buckets of durations, in seconds. */
const DURATION_BUCKETS = { explicitBucketBoundaries: [0.01, 0.05, 0.25, 1, 5] };

const OUTCOMES: Readonly<Record<keyof OutcomeCounts, string>> = {
  updated: 'updated',
  failed: 'failed',
  unknown: 'unknown',
  notAttempted: 'not_attempted',
};

const CAUSES: Readonly<Record<RefusalCause, string>> = {
  caller_rate_limit: 'caller_rate_limit',
  memory: 'memory',
  overload: 'overload',
};

const READ_RESULTS: Readonly<Record<CachedReadResult, string>> = {
  hit: 'hit',
  joined: 'joined',
  miss: 'miss',
  bypass: 'bypass',
};

/** Creates the instruments of the gateway. `upstream` is null over the embedded store. */
export function createInstruments(meter: Meter, upstream: UpstreamAddress | null): Metrics {
  const mergedCallItems = meter.createHistogram('kb_gateway.merged_call.items', {
    unit: '{item}',
    description: 'Items of a call that takes small bulk updates of one API token together.',
    advice: { explicitBucketBoundaries: [1, 5, 20, 50, 100] },
  });
  const items = meter.createObservableCounter('kb_gateway.items', {
    unit: '{item}',
    description: 'Articles and reader groups that writes were to change, by what became of them.',
  });
  const refusals = meter.createObservableCounter('kb_gateway.refused_requests', {
    unit: '{request}',
    description:
      'Requests refused because of CALLER_REQUESTS_PER_MINUTE, for lack of memory, or because too many waited.',
  });
  const countItems = keepCounts(items, 'outcome', OUTCOMES);
  return {
    recordRequest: createRequestRecorder(meter),
    recordMergedCall: (count) => mergedCallItems.record(count),
    countItems: (counts) => {
      countItems('updated', counts.updated);
      countItems('failed', counts.failed);
      countItems('unknown', counts.unknown);
      countItems('notAttempted', counts.notAttempted);
    },
    countRefusal: keepCounts(refusals, 'cause', CAUSES),
    observe: createObserver(meter),
    ...(upstream === null ? OVER_THE_STORE : createUpstreamInstruments(meter, upstream)),
  };
}

type UpstreamInstruments = Pick<Metrics, 'recordCall' | 'countCachedRead'>;

const OVER_THE_STORE: UpstreamInstruments = { recordCall: () => {}, countCachedRead: () => {} };

function createUpstreamInstruments(meter: Meter, upstream: UpstreamAddress): UpstreamInstruments {
  const duration = meter.createHistogram('http.client.request.duration', {
    unit: 's',
    description: 'Time of one call to the service, without its wait for the rate limit or a connection.',
    advice: DURATION_BUCKETS,
  });
  const cachedReads = meter.createObservableCounter('kb_gateway.read_cache.reads', {
    unit: '{read}',
    description: 'Reads of the service that queries needed, by how the read cache served them.',
  });
  const attributesOf = createCallAttributes(upstream);
  return {
    recordCall: (call) => duration.record(call.durationMs / 1_000, attributesOf(call)),
    countCachedRead: keepCounts(cachedReads, 'result', READ_RESULTS),
  };
}

function createRequestRecorder(meter: Meter): Metrics['recordRequest'] {
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Time from the arrival of a request until its response was sent.',
    advice: DURATION_BUCKETS,
  });
  const attributesOf = createRequestAttributes();
  return (request) => duration.record(request.durationMs / 1_000, attributesOf(request));
}

/** Keeps the counts of a counter here, which costs less than one that looks up its attributes each time. */
function keepCounts<Name extends string>(
  counter: ObservableCounter,
  label: string,
  values: Readonly<Record<Name, string>>,
): (name: Name, count?: number) => void {
  const counts = new Map<string, number>();
  counter.addCallback((result) => {
    for (const name in values) result.observe(counts.get(name) ?? 0, { [label]: values[name] });
  });
  return (name, count = 1) => {
    counts.set(name, (counts.get(name) ?? 0) + count);
  };
}

/** Measures the process itself. The result ends that. */
export function observeProcess(meter: Meter): () => void {
  const delays = new EventLoopDelays();
  const delayMax = meter.createObservableGauge('nodejs.eventloop.delay.max', {
    unit: 's',
    description: 'The longest delay of the event loop since 15 s or more.',
  });
  const delayP99 = meter.createObservableGauge('nodejs.eventloop.delay.p99', {
    unit: 's',
    description: 'The 99th percentile of the delay of the event loop since 15 s or more.',
  });
  const memory = meter.createObservableUpDownCounter('process.memory.usage', {
    unit: 'By',
    description: 'Physical memory of the process.',
  });
  const heapUsed = meter.createObservableUpDownCounter('kb_gateway.heap_used', {
    unit: 'By',
    description: 'Memory of live and dead JavaScript objects.',
  });
  const cpuTime = meter.createObservableCounter('process.cpu.time', {
    unit: 's',
    description: 'CPU time of the process.',
  });
  delayMax.addCallback((result) => result.observe(delays.worstSeconds((histogram) => histogram.max)));
  delayP99.addCallback((result) => result.observe(delays.worstSeconds((histogram) => histogram.percentile(99))));
  memory.addCallback((result) => result.observe(process.memoryUsage.rss()));
  heapUsed.addCallback((result) => result.observe(getHeapStatistics().used_heap_size));
  cpuTime.addCallback((result) => {
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

  worstSeconds(read: (histogram: ELDHistogram) => number): number {
    const now = performance.now();
    if (now - this.#startedAt >= WINDOW_MS) {
      this.close();
      this.#previous = this.#current;
      this.#current = startHistogram();
      this.#startedAt = now;
    }
    const nanoseconds = [this.#current, this.#previous].map((histogram) =>
      histogram === null || histogram.count === 0 ? 0 : read(histogram),
    );
    return Math.max(0, Math.max(...nanoseconds) / 1e9 - RESOLUTION_MS / 1_000);
  }

  close(): void {
    this.#current.disable();
  }
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}
