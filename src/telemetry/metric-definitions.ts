import type { MetricDefinition } from './metric-definition.ts';
import { PROCESS_METRICS } from './process-metric-definitions.ts';

const DURATION_BOUNDARIES = [0.01, 0.05, 0.25, 1, 5];

const SUM = { acrossWorkers: 'sum', attributes: [] } as const;
const LARGEST = { acrossWorkers: 'largest', attributes: [] } as const;

/**
 * All metrics. Together they have at most 500 series: a histogram has three series besides one for each boundary, and
 * `AttributeSets` bounds the sets of attributes.
 */
export const METRICS = {
  requestDuration: {
    ...SUM,
    name: 'http.server.request.duration',
    unit: 's',
    kind: 'histogram',
    description: 'Time from the arrival of a request until its response was sent.',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'url.scheme',
      'error.type',
      'graphql.operation.name',
    ],
    boundaries: DURATION_BOUNDARIES,
  },
  callDuration: {
    ...SUM,
    name: 'http.client.request.duration',
    unit: 's',
    kind: 'histogram',
    description: 'Time of one call to the service, without its wait for the rate limit or a connection.',
    attributes: ['http.request.method', 'server.address', 'server.port', 'http.response.status_code', 'error.type'],
    boundaries: DURATION_BOUNDARIES,
  },
  mergedCallItems: {
    ...SUM,
    name: 'kb_gateway.merged_call.items',
    unit: '{item}',
    kind: 'histogram',
    description: 'Items of a call that takes small bulk updates of one API token together.',
    boundaries: [1, 5, 20, 50, 100],
  },
  items: {
    ...SUM,
    name: 'kb_gateway.items',
    unit: '{item}',
    kind: 'counter',
    description: 'Articles and reader groups that writes were to change, by what became of them.',
    attributes: ['outcome'],
  },
  refusals: {
    ...SUM,
    name: 'kb_gateway.refused_requests',
    unit: '{request}',
    kind: 'counter',
    description: 'Requests refused because of CALLER_REQUESTS_PER_MINUTE or for lack of memory.',
    attributes: ['cause'],
  },
  requestsInFlight: {
    ...SUM,
    name: 'kb_gateway.requests_in_flight',
    unit: '{request}',
    kind: 'upDownCounter',
    description: 'Requests whose response is not sent yet.',
  },
  callsInFlight: {
    ...SUM,
    name: 'kb_gateway.upstream.calls_in_flight',
    unit: '{call}',
    kind: 'upDownCounter',
    description: 'Calls to the service that have no response yet.',
  },
  callsWaiting: {
    ...SUM,
    name: 'kb_gateway.upstream.calls_waiting',
    unit: '{call}',
    kind: 'upDownCounter',
    description: 'Calls to the service that wait, by what for.',
    attributes: ['queue'],
  },
  pendingUpdates: {
    ...SUM,
    name: 'kb_gateway.pending_updates',
    unit: '{item}',
    kind: 'upDownCounter',
    description: 'Items of bulk updates that wait to be sent together.',
  },
  breakerOpen: {
    ...LARGEST,
    name: 'kb_gateway.upstream.breaker_open',
    unit: '{breaker}',
    kind: 'gauge',
    description: '1 while the service fails and one call at a time tries it, else 0.',
  },
  cachedReads: {
    ...SUM,
    name: 'kb_gateway.read_cache.reads',
    unit: '{read}',
    kind: 'counter',
    description: 'Reads of the service that queries needed, by how the read cache served them.',
    attributes: ['result'],
  },
  readCacheBytes: {
    ...SUM,
    name: 'kb_gateway.read_cache.size',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Bytes of the responses that the read cache keeps.',
  },
  budgetRemaining: {
    acrossWorkers: 'smallest',
    attributes: [],
    name: 'kb_gateway.upstream.budget_remaining',
    unit: '{call}',
    kind: 'gauge',
    description: 'Calls that the rate limit of the service still allows, of the API token with the fewest.',
  },
  budgetReset: {
    ...LARGEST,
    name: 'kb_gateway.upstream.budget_reset',
    unit: 's',
    kind: 'gauge',
    description: 'Time until the rate limit of that API token is reset.',
  },
  poolConnections: {
    ...SUM,
    name: 'db.client.connection.count',
    unit: '{connection}',
    kind: 'upDownCounter',
    description: 'Connections to PostgreSQL, by their state.',
    attributes: ['db.client.connection.pool.name', 'db.client.connection.state'],
  },
  poolMax: {
    ...SUM,
    name: 'db.client.connection.max',
    unit: '{connection}',
    kind: 'upDownCounter',
    description: 'The most connections to PostgreSQL that may be open.',
    attributes: ['db.client.connection.pool.name'],
  },
  poolPending: {
    ...SUM,
    name: 'db.client.connection.pending_requests',
    unit: '{request}',
    kind: 'upDownCounter',
    description: 'Calls and statements that wait for a connection to the database.',
    attributes: ['db.client.connection.pool.name'],
  },
  ...PROCESS_METRICS,
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricKey = keyof typeof METRICS;

const BY_NAME: ReadonlyMap<string, MetricDefinition> = new Map(
  Object.values(METRICS).map((definition) => [definition.name, definition]),
);

export const findMetric = (name: string): MetricDefinition | undefined => BY_NAME.get(name);
