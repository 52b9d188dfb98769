/** A metric, by its name in OpenTelemetry. */
export interface MetricDefinition {
  readonly name: string;
  /** As in UCUM, the code of units that OpenTelemetry uses. */
  readonly unit: 's' | 'By' | `{${string}}`;
  readonly kind: 'histogram' | 'counter' | 'upDownCounter' | 'gauge';
  readonly description: string;
  /** The upper bounds of a histogram's buckets. */
  readonly boundaries?: number[];
}

/** The bounds of durations, in seconds. */
const DURATION_BOUNDARIES = [0.01, 0.05, 0.25, 1, 5];

/**
 * All metrics. Together they have at most 500 series: a histogram has three series besides one for each boundary, and
 * `AttributeSets` bounds the sets of attributes.
 */
export const METRICS = {
  requestDuration: {
    name: 'http.server.request.duration',
    unit: 's',
    kind: 'histogram',
    description: 'Time from the arrival of a request until its response was sent.',
    boundaries: DURATION_BOUNDARIES,
  },
  items: {
    name: 'kb_gateway.items',
    unit: '{item}',
    kind: 'counter',
    description: 'Articles and reader groups that writes were to change, by what became of them.',
  },
  refusals: {
    name: 'kb_gateway.refused_requests',
    unit: '{request}',
    kind: 'counter',
    description:
      'Requests refused because of CALLER_REQUESTS_PER_MINUTE, for lack of memory, or because too many waited.',
  },
  requestsInFlight: {
    name: 'kb_gateway.requests_in_flight',
    unit: '{request}',
    kind: 'upDownCounter',
    description: 'Requests whose response is not sent yet.',
  },
  callDuration: {
    name: 'http.client.request.duration',
    unit: 's',
    kind: 'histogram',
    description: 'Time of one call to the service, without its wait for the rate limit or a connection.',
    boundaries: DURATION_BOUNDARIES,
  },
  mergedCallItems: {
    name: 'kb_gateway.merged_call.items',
    unit: '{item}',
    kind: 'histogram',
    description: 'Items of a call that takes small bulk updates of one API token together.',
    boundaries: [1, 5, 20, 50, 100],
  },
  callsInFlight: {
    name: 'kb_gateway.upstream.calls_in_flight',
    unit: '{call}',
    kind: 'upDownCounter',
    description: 'Calls to the service that have no response yet.',
  },
  callsWaiting: {
    name: 'kb_gateway.upstream.calls_waiting',
    unit: '{call}',
    kind: 'upDownCounter',
    description: 'Calls to the service that wait, by what for.',
  },
  pendingUpdates: {
    name: 'kb_gateway.pending_updates',
    unit: '{item}',
    kind: 'upDownCounter',
    description: 'Items of bulk updates that wait to be sent together.',
  },
  jobs: {
    name: 'kb_gateway.jobs',
    unit: '{job}',
    kind: 'upDownCounter',
    description: 'Jobs that this gateway runs, by what they wait for.',
  },
  stateFailing: {
    name: 'kb_gateway.state_failing',
    unit: '{state}',
    kind: 'gauge',
    description: '1 while the state of jobs and idempotency keys cannot be used, else 0.',
  },
  stateBytes: {
    name: 'kb_gateway.state.size',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Bytes of all jobs and idempotency keys, roughly: MAX_STATE_BYTES bounds them.',
  },
  breakerOpen: {
    name: 'kb_gateway.upstream.breaker_open',
    unit: '{breaker}',
    kind: 'gauge',
    description: '1 while the service fails and one call at a time tries it, else 0.',
  },
  budgetRemaining: {
    name: 'kb_gateway.upstream.budget_remaining',
    unit: '{call}',
    kind: 'gauge',
    description: 'Calls that the rate limit of the service still allows, of the API token with the fewest.',
  },
  budgetReset: {
    name: 'kb_gateway.upstream.budget_reset',
    unit: 's',
    kind: 'gauge',
    description: 'Time until the rate limit of that API token is reset.',
  },
  sharedStateUp: {
    name: 'kb_gateway.shared_state_up',
    unit: '{state}',
    kind: 'gauge',
    description: '1 while the state that several gateways share can be used, else 0.',
  },
  sharedStateErrors: {
    name: 'kb_gateway.shared_state.errors',
    unit: '{call}',
    kind: 'counter',
    description: 'Calls of the shared state that failed unexpectedly, and no other with them.',
  },
  cachedReads: {
    name: 'kb_gateway.read_cache.reads',
    unit: '{read}',
    kind: 'counter',
    description: 'Reads of the service that queries needed, by how the read cache served them.',
  },
  readCacheBytes: {
    name: 'kb_gateway.read_cache.size',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Bytes of the responses that the read cache keeps.',
  },
  poolConnections: {
    name: 'db.client.connection.count',
    unit: '{connection}',
    kind: 'upDownCounter',
    description: 'Connections to PostgreSQL, by their state.',
  },
  poolMax: {
    name: 'db.client.connection.max',
    unit: '{connection}',
    kind: 'upDownCounter',
    description: 'The most connections to PostgreSQL that may be open.',
  },
  poolPending: {
    name: 'db.client.connection.pending_requests',
    unit: '{request}',
    kind: 'upDownCounter',
    description: 'Calls and statements that wait for a connection to the database.',
  },
  eventLoopDelayMax: {
    name: 'nodejs.eventloop.delay.max',
    unit: 's',
    kind: 'gauge',
    description: 'The longest delay of the event loop since 15 s or more.',
  },
  eventLoopDelayP99: {
    name: 'nodejs.eventloop.delay.p99',
    unit: 's',
    kind: 'gauge',
    description: 'The 99th percentile of the delay of the event loop since 15 s or more.',
  },
  memory: {
    name: 'process.memory.usage',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Physical memory of the process.',
  },
  heapUsed: {
    name: 'kb_gateway.heap_used',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Memory of live and dead JavaScript objects.',
  },
  cpuTime: {
    name: 'process.cpu.time',
    unit: 's',
    kind: 'counter',
    description: 'CPU time of the process.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricKey = keyof typeof METRICS;
