import type { Attributes, Meter, ObservableCallback } from '@opentelemetry/api';
import type { Gauge, Metrics } from '../../core/metrics.ts';

/** A metric whose values are read when they are collected. */
interface ObservedMetric {
  readonly kind: 'ObservableCounter' | 'ObservableGauge' | 'ObservableUpDownCounter';
  readonly name: string;
  /** A unit in the code of UCUM, as in OpenTelemetry. */
  readonly unit: 's' | 'By' | `{${string}}`;
  readonly description: string;
  /** The attributes of this value, which distinguish it from other values of the metric. */
  readonly attributes?: Attributes;
}

const observed =
  (kind: ObservedMetric['kind']) =>
  (name: string, unit: ObservedMetric['unit'], description: string): ObservedMetric => ({
    kind,
    name,
    unit,
    description,
  });

export const counter = observed('ObservableCounter');
export const gauge = observed('ObservableGauge');
export const upDownCounter = observed('ObservableUpDownCounter');

/** Creates the instrument of a metric, whose values the callback returns. */
export const observeMetric = (
  meter: Meter,
  { kind, name, unit, description }: ObservedMetric,
  callback: ObservableCallback,
): void => meter[`create${kind}`](name, { unit, description }).addCallback(callback);

const CALLS_WAITING = upDownCounter(
  'kb_gateway.upstream.calls_waiting',
  '{call}',
  'Calls to the service that wait, by what for.',
);
const JOBS = upDownCounter('kb_gateway.jobs', '{job}', 'Jobs that this gateway runs, by what they wait for.');
const POOL = { 'db.client.connection.pool.name': 'store' };
const CONNECTIONS = upDownCounter(
  'db.client.connection.count',
  '{connection}',
  'Connections to PostgreSQL, by their state.',
);

const GAUGES: Readonly<Record<Gauge, ObservedMetric>> = {
  requestsInFlight: upDownCounter(
    'kb_gateway.requests_in_flight',
    '{request}',
    'Requests whose response is not sent yet.',
  ),
  callsInFlight: upDownCounter(
    'kb_gateway.upstream.calls_in_flight',
    '{call}',
    'Calls to the service that have no response yet.',
  ),
  callsWaitingForRateLimit: { ...CALLS_WAITING, attributes: { queue: 'rate_limit' } },
  callsWaitingForConnection: { ...CALLS_WAITING, attributes: { queue: 'connection' } },
  callsWaitingUnverified: { ...CALLS_WAITING, attributes: { queue: 'unverified' } },
  pendingUpdates: upDownCounter(
    'kb_gateway.pending_updates',
    '{item}',
    'Items of bulk updates that wait to be sent together.',
  ),
  jobsSending: { ...JOBS, attributes: { wait: 'none' } },
  jobsWaitingForRateLimit: { ...JOBS, attributes: { wait: 'rate_limit' } },
  jobsWaitingForService: { ...JOBS, attributes: { wait: 'service' } },
  stateFailing: gauge(
    'kb_gateway.state_failing',
    '{state}',
    '1 while the state of jobs and idempotency keys cannot be used, else 0.',
  ),
  stateBytes: upDownCounter(
    'kb_gateway.state.size',
    'By',
    'Bytes of all jobs and idempotency keys, roughly: MAX_STATE_BYTES bounds them.',
  ),
  breakerOpen: gauge(
    'kb_gateway.upstream.breaker_open',
    '{breaker}',
    '1 while the service fails and one call at a time tries it, else 0.',
  ),
  readCacheBytes: upDownCounter(
    'kb_gateway.read_cache.size',
    'By',
    'Bytes of the responses that the read cache keeps.',
  ),
  budgetRemaining: gauge(
    'kb_gateway.upstream.budget_remaining',
    '{call}',
    'Calls that the rate limit of the service still allows, of the API token with the fewest.',
  ),
  budgetResetSeconds: gauge(
    'kb_gateway.upstream.budget_reset',
    's',
    'Time until the rate limit of that API token is reset.',
  ),
  sharedStateUp: gauge(
    'kb_gateway.shared_state_up',
    '{state}',
    '1 while the state that several gateways share can be used, else 0.',
  ),
  sharedStateErrors: counter(
    'kb_gateway.shared_state.errors',
    '{call}',
    'Calls of the shared state that failed unexpectedly, and no other with them.',
  ),
  poolUsed: { ...CONNECTIONS, attributes: { ...POOL, 'db.client.connection.state': 'used' } },
  poolIdle: { ...CONNECTIONS, attributes: { ...POOL, 'db.client.connection.state': 'idle' } },
  poolMax: {
    ...upDownCounter(
      'db.client.connection.max',
      '{connection}',
      'The most connections to PostgreSQL that may be open.',
    ),
    attributes: POOL,
  },
  poolPending: {
    ...upDownCounter(
      'db.client.connection.pending_requests',
      '{request}',
      'Calls and statements that wait for a connection to the database.',
    ),
    attributes: POOL,
  },
};

const NO_ATTRIBUTES: Attributes = {};

/** A metric has one instrument and one callback, whatever the number of its readers. */
export function createObserver(meter: Meter): Metrics['observe'] {
  const readersByMetric = new Map<string, GaugeReader[]>();
  return (gauge, read) => {
    const metric = GAUGES[gauge];
    const { name, attributes = NO_ATTRIBUTES } = metric;
    const readers = readersByMetric.get(name) ?? [];
    readers.push({ attributes, read });
    if (readersByMetric.has(name)) return;
    readersByMetric.set(name, readers);
    observeMetric(meter, metric, (result) => {
      for (const [set, value] of sumByAttributes(readers)) result.observe(value, set);
    });
  };
}

interface GaugeReader {
  readonly attributes: Attributes;
  readonly read: () => number | null;
}

function sumByAttributes(readers: readonly GaugeReader[]): ReadonlyMap<Attributes, number> {
  const sums = new Map<Attributes, number>();
  for (const { attributes, read } of readers) {
    const value = read();
    if (value !== null) sums.set(attributes, (sums.get(attributes) ?? 0) + value);
  }
  return sums;
}
