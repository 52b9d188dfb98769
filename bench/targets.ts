import { join } from 'node:path';
import type { Dialect } from './documents.ts';
import { BENCH_FOLDER, REPOSITORY } from './harness/processes.ts';

/** A server that is measured. */
export interface Target {
  readonly name: string;
  readonly kind: 'ours' | 'peer' | 'baseline';
  readonly dialect: Dialect;
  /** The workloads that it is measured under; all where it is absent. */
  readonly use?: 'reads' | 'writes' | 'W5';
  /** The arguments of Node. The environment has the upstream as `UPSTREAM_URL` and the port as `PORT`. */
  readonly args: (port: number) => readonly string[];
  /** Further environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** The gateway as the image starts it, compiled or from its sources. */
const gatewayOf = (main: string) => () => [join(REPOSITORY, main), 'serve'];
const inBench = (file: string) => () => [join(BENCH_FOLDER, file)];
const peer = { kind: 'peer', dialect: 'graphql', env: {} } as const;
const baseline = { kind: 'baseline', dialect: 'rest', use: 'writes', env: {} } as const;

export const OURS: Target = {
  name: 'kb-gateway',
  kind: 'ours',
  dialect: 'graphql',
  args: gatewayOf('dist/main.js'),
  env: {},
};

/** Its profile has the names of modules, which the compiled gateway has in few files. Node only strips the types. */
export const OURS_FROM_SOURCES: Target = { ...OURS, args: gatewayOf('src/main.ts') };

/** kb-gateway without merged bulk updates, to show what coalescing gains. */
export const OURS_ALONE: Target = {
  ...OURS,
  name: 'kb-gateway, COALESCE_WRITES=off',
  use: 'writes',
  env: { COALESCE_WRITES: 'off' },
};

/** kb-gateway without the line of the log that it writes for each request. The peers write none. */
const OURS_SILENT: Target = { ...OURS, name: 'kb-gateway, LOG_LEVEL=warn', env: { LOG_LEVEL: 'warn' } };

/** kb-gateway as it is by default, where the workloads of reads turn its read cache off. */
const OURS_CACHING: Target = {
  ...OURS,
  name: 'kb-gateway, READ_CACHE_SECONDS=30',
  use: 'reads',
  env: { READ_CACHE_SECONDS: '30' },
};

export const MERCURIUS: Target = { ...peer, name: 'Mercurius', args: inBench('peers/mercurius.ts') };

/** The output of `mesh-compose` for the OpenAPI document. */
export const HIVE_SUPERGRAPH = join(BENCH_FOLDER, 'results/supergraph.graphql');

export const HIVE: Target = {
  ...peer,
  name: 'Hive Gateway',
  dialect: 'hive',
  args: (port) => [
    join(BENCH_FOLDER, 'node_modules/@graphql-hive/gateway/dist/bin.js'),
    ...['supergraph', HIVE_SUPERGRAPH, '--host', '127.0.0.1', '--port', String(port), '--fork', '1'],
  ],
};

/** The upstream itself under load: the limit of the harness. */
export const UPSTREAM_ALONE: Target = { ...baseline, name: 'nothing between', args: () => [] };

export const TARGETS: readonly Target[] = [
  OURS,
  OURS_SILENT,
  OURS_ALONE,
  OURS_CACHING,
  MERCURIUS,
  { ...peer, name: 'graphql-http', use: 'writes', args: inBench('peers/graphql-http.ts') },
  { ...peer, name: 'Apollo Server', args: inBench('peers/apollo.ts') },
  HIVE,
  { ...baseline, name: 'node:http proxy', args: inBench('baselines/proxy.ts') },
  { ...baseline, name: 'node:http proxy, parses and writes both bodies', args: inBench('baselines/parsing-proxy.ts') },
  { ...baseline, name: 'got PUT, bodies unread', args: inBench('baselines/got-put.ts') },
  {
    ...baseline,
    name: 'got PUT, parses and writes both bodies',
    args: inBench('baselines/got-put.ts'),
    env: { REWRITE_BODIES: 'true' },
  },
  {
    ...baseline,
    name: 'node:http, a constant response',
    dialect: 'graphql',
    use: 'W5',
    args: inBench('baselines/constant-response.ts'),
  },
];
