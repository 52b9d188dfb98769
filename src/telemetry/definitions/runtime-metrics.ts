import type { MetricDefinitions } from './metric-definition.ts';

/** The metrics of connections to the database and of the process. */
export const RUNTIME_METRICS = {
  poolConnections: {
    name: 'db.client.connection.count',
    unit: '{connection}',
    kind: 'upDownCounter',
    description: 'Connections to PostgreSQL, by their state.',
    attributes: ['db.client.connection.pool.name', 'db.client.connection.state'],
  },
  poolMax: {
    name: 'db.client.connection.max',
    unit: '{connection}',
    kind: 'upDownCounter',
    description: 'The most connections to PostgreSQL that may be open.',
    attributes: ['db.client.connection.pool.name'],
  },
  poolPending: {
    name: 'db.client.connection.pending_requests',
    unit: '{request}',
    kind: 'upDownCounter',
    description: 'Calls and statements that wait for a connection to the database.',
    attributes: ['db.client.connection.pool.name'],
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
    attributes: ['cpu.mode'],
  },
} as const satisfies MetricDefinitions;
