import { join } from 'node:path';
import { BENCH_FOLDER, REPOSITORY } from './harness/processes.ts';
import type { Dialect } from './workloads.ts';

/** Something that is measured. */
export interface Subject {
  readonly name: string;
  readonly kind: 'ours' | 'peer' | 'floor';
  readonly dialect: Dialect;
  /** What Node is given, where the upstream is `UPSTREAM_URL` and the port is `PORT` in the environment. */
  readonly args: (port: number) => readonly string[];
  /** Settings beside the two. */
  readonly env: Readonly<Record<string, string>>;
}

/** Compiled and started as the image does it. */
const GATEWAY = ['--max-semi-space-size=16', join(REPOSITORY, 'dist/main.js'), 'serve'];
const inBench = (file: string) => () => [join(BENCH_FOLDER, file)];
const peer = { kind: 'peer', dialect: 'graphql', env: {} } as const;
const floor = { kind: 'floor', dialect: 'rest', env: {} } as const;

export const OURS: Subject = {
  name: 'kb-gateway',
  kind: 'ours',
  dialect: 'graphql',
  args: () => GATEWAY,
  env: {},
};

/** Ours where every bulk update goes out alone: what coalescing gains, and what is left without it. */
export const OURS_ALONE: Subject = {
  ...OURS,
  name: 'kb-gateway, COALESCE_WRITES=off',
  env: { COALESCE_WRITES: 'off' },
};

export const MERCURIUS: Subject = { ...peer, name: 'Mercurius', args: inBench('peers/mercurius.ts') };

/** Where `mesh-compose` puts what it makes of the OpenAPI document. */
export const HIVE_SUPERGRAPH = join(BENCH_FOLDER, 'results/supergraph.graphql');

const HIVE: Subject = {
  ...peer,
  name: 'Hive Gateway',
  dialect: 'hive',
  args: (port) => [
    join(BENCH_FOLDER, 'node_modules/@graphql-hive/gateway/dist/bin.js'),
    ...['supergraph', HIVE_SUPERGRAPH, '--host', '127.0.0.1', '--port', String(port), '--fork', '1'],
  ],
};

/** The upstream itself under the load, to know what the rig can do. */
export const NOTHING_BETWEEN: Subject = { ...floor, name: 'nothing between', args: () => [] };

export const SUBJECTS: readonly Subject[] = [
  OURS,
  OURS_ALONE,
  MERCURIUS,
  { ...peer, name: 'graphql-http', args: inBench('peers/graphql-http.ts') },
  { ...peer, name: 'Apollo Server', args: inBench('peers/apollo.ts') },
  HIVE,
  { ...floor, name: 'node:http proxy', args: inBench('floors/proxy.ts') },
  { ...floor, name: 'node:http proxy, parses and writes both bodies', args: inBench('floors/parsing-proxy.ts') },
];
