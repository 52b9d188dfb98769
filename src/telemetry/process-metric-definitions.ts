import type { MetricDefinition } from './metric-definition.ts';

const SUM = { acrossWorkers: 'sum', attributes: [] } as const;
const LARGEST = { acrossWorkers: 'largest', attributes: [] } as const;

/** The metrics of a process of any kind. */
export const PROCESS_METRICS = {
  eventLoopDelayMax: {
    ...LARGEST,
    name: 'nodejs.eventloop.delay.max',
    unit: 's',
    kind: 'gauge',
    description: 'The longest delay of the event loop since 15 s or more.',
  },
  eventLoopDelayP99: {
    ...LARGEST,
    name: 'nodejs.eventloop.delay.p99',
    unit: 's',
    kind: 'gauge',
    description: 'The 99th percentile of the delay of the event loop since 15 s or more.',
  },
  memory: {
    ...SUM,
    name: 'process.memory.usage',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Physical memory of the process.',
  },
  heapUsed: {
    ...SUM,
    name: 'kb_gateway.heap_used',
    unit: 'By',
    kind: 'upDownCounter',
    description: 'Memory of live and dead JavaScript objects.',
  },
  cpuTime: {
    ...SUM,
    name: 'process.cpu.time',
    unit: 's',
    kind: 'counter',
    description: 'CPU time of the process.',
    attributes: ['cpu.mode'],
  },
  processes: {
    ...SUM,
    name: 'kb_gateway.processes',
    unit: '{process}',
    kind: 'upDownCounter',
    description: 'Serving processes whose values these are: with WORKERS, those that answered in time.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
