import { DURATION_BOUNDARIES, type MetricDefinitions } from './metric-definition.ts';

/** The metrics of requests and their writes. */
export const REQUEST_METRICS = {
  requestDuration: {
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
  items: {
    name: 'kb_gateway.items',
    unit: '{item}',
    kind: 'counter',
    description: 'Articles and reader groups that writes were to change, by what became of them.',
    attributes: ['outcome'],
  },
  refusals: {
    name: 'kb_gateway.refused_requests',
    unit: '{request}',
    kind: 'counter',
    description:
      'Requests refused because of CALLER_REQUESTS_PER_MINUTE, for lack of memory, or because too many waited.',
    attributes: ['cause'],
  },
  requestsInFlight: {
    name: 'kb_gateway.requests_in_flight',
    unit: '{request}',
    kind: 'upDownCounter',
    description: 'Requests whose response is not sent yet.',
  },
} as const satisfies MetricDefinitions;
