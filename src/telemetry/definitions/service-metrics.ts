import { DURATION_BOUNDARIES, type MetricDefinitions } from './metric-definition.ts';

/** The metrics of calls to the service and of jobs. */
export const SERVICE_METRICS = {
  callDuration: {
    name: 'http.client.request.duration',
    unit: 's',
    kind: 'histogram',
    description: 'Time of one call to the service, without its wait for the rate limit or a connection.',
    attributes: ['http.request.method', 'server.address', 'server.port', 'http.response.status_code', 'error.type'],
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
    attributes: ['queue'],
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
    attributes: ['wait'],
  },
  stateFailing: {
    name: 'kb_gateway.state_failing',
    unit: '{state}',
    kind: 'gauge',
    description: '1 while the state of jobs and idempotency keys cannot be used, else 0.',
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
  cachedReads: {
    name: 'kb_gateway.read_cache.reads',
    unit: '{read}',
    kind: 'counter',
    description: 'Reads of the service that queries needed, by how the read cache served them.',
    attributes: ['result'],
  },
  readCacheBytes: {
    name: 'kb_gateway.read_cache.size',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Bytes of the responses that the read cache keeps.',
  },
} as const satisfies MetricDefinitions;
