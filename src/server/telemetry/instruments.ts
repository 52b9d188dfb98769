import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Meter } from '@opentelemetry/api';
import type { CachedReadResult, Metrics, RefusalCause } from '../../core/metrics.ts';
import { ERROR_CODES, REQUEST_ERRORS } from '../../core/request-errors.ts';
import { counter, createObserver, gauge, observeMetric, upDownCounter } from './gauges.ts';
import { createCallAttributes, createRequestAttributes, type UpstreamAddress } from './request-attributes.ts';

// All metrics together have at most 500 series. A histogram has three series in addition to one for each boundary, and
// `createAttributeSets` bounds the sets of attributes.

/** The upper bounds of the buckets of durations, in seconds. */
const DURATION_BUCKETS = { explicitBucketBoundaries: [0.01, 0.05, 0.25, 1, 5] };

/** Creates the instruments of the gateway. `upstream` is null over the embedded store. */
export function createInstruments(meter: Meter, upstream: UpstreamAddress | null): Metrics {
  const mergedCallItems = meter.createHistogram('kb_gateway.merged_call.items', {
    unit: '{item}',
    description: 'Items of a call that takes small bulk updates of one API token together.',
    advice: { explicitBucketBoundaries: [1, 5, 20, 50, 100] },
  });
  const countItems = createCounter(meter, {
    name: 'kb_gateway.items',
    unit: '{item}',
    description: 'Articles and reader groups that writes were to change, by what became of them.',
    label: 'outcome',
    values: ['updated', 'failed', 'unknown', 'not_attempted'],
  });
  return {
    recordRequest: createRequestRecorder(meter),
    recordMergedCall: (count) => mergedCallItems.record(count),
    countItems: (counts) => {
      countItems('updated', counts.updated);
      countItems('failed', counts.failed);
      countItems('unknown', counts.unknown);
      countItems('not_attempted', counts.notAttempted);
    },
    countRefusal: createCounter<RefusalCause>(meter, {
      name: 'kb_gateway.refused_requests',
      unit: '{request}',
      description:
        'Requests refused because of CALLER_REQUESTS_PER_MINUTE, for lack of memory, or because too many waited.',
      label: 'cause',
      values: ['caller_rate_limit', 'memory', 'overload'],
    }),
    countErrors: createCounter<string>(meter, {
      name: 'kb_gateway.graphql.errors',
      unit: '{error}',
      description: 'Errors that queries and mutations answered, in `errors` and as types of unions, by their code.',
      label: 'code',
      values: Object.keys({ ...ERROR_CODES, ...REQUEST_ERRORS }),
    }),
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
  const attributesOf = createCallAttributes(upstream);
  return {
    recordCall: (call) => duration.record(call.durationMs / 1_000, attributesOf(call)),
    countCachedRead: createCounter<CachedReadResult>(meter, {
      name: 'kb_gateway.read_cache.reads',
      unit: '{read}',
      description: 'Reads of the service that queries needed, by how the read cache served them.',
      label: 'result',
      values: ['hit', 'joined', 'miss', 'bypass'],
    }),
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

interface CountedValues<Value> {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly label: string;
  /** All possible values. Each has a series from the start. */
  readonly values: readonly Value[];
}

function createCounter<Value extends string>(
  meter: Meter,
  { name, unit, description, label, values }: CountedValues<Value>,
): (value: Value, count?: number) => void {
  const instrument = meter.createCounter(name, { unit, description });
  const add = (value: Value, count = 1) => instrument.add(count, { [label]: value });
  for (const value of values) add(value, 0);
  return add;
}

const LOOP_DELAY_MAX = gauge('nodejs.eventloop.delay.max', 's', 'The longest delay of the event loop in 15 s.');
const LOOP_DELAY_P99 = gauge(
  'nodejs.eventloop.delay.p99',
  's',
  'The 99th percentile of the delay of the event loop in 15 s.',
);
const MEMORY = upDownCounter('process.memory.usage', 'By', 'Physical memory of the process.');
const HEAP_USED = upDownCounter('kb_gateway.heap_used', 'By', 'Memory of live and dead JavaScript objects.');
const CPU_TIME = counter('process.cpu.time', 's', 'CPU time of the process.');

/** Measures the process itself. Returns a function that ends the measurement. */
export function observeProcess(meter: Meter): () => void {
  const loop = measureEventLoop();
  observeMetric(meter, LOOP_DELAY_MAX, (result) => result.observe(loop.delays.max));
  observeMetric(meter, LOOP_DELAY_P99, (result) => result.observe(loop.delays.p99));
  observeMetric(meter, MEMORY, (result) => result.observe(process.memoryUsage.rss()));
  observeMetric(meter, HEAP_USED, (result) => result.observe(getHeapStatistics().used_heap_size));
  observeMetric(meter, CPU_TIME, (result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1_000_000, { 'cpu.mode': 'user' });
    result.observe(system / 1_000_000, { 'cpu.mode': 'system' });
  });
  return loop.end;
}

/** Milliseconds between two samples, which the measured delays contain. */
const RESOLUTION_MS = 10;

/** The time over which delays are measured. Prometheus usually waits as long between two scrapes. */
const WINDOW_MS = 15_000;

/** Measures the delays of the event loop in seconds. The result is that of the last complete window. */
function measureEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const secondsOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000);
  const loop = {
    delays: { max: 0, p99: 0 },
    end: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
  const timer = setInterval(() => {
    loop.delays = { max: secondsOf(histogram.max), p99: secondsOf(histogram.percentile(99)) };
    histogram.reset();
  }, WINDOW_MS).unref();
  return loop;
}
