import { join } from 'node:path';
import { BENCH_FOLDER } from '../harness/processes.ts';
import { OURS } from '../targets.ts';
import type { StoreDialect } from './workloads.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

/** A server over the store that is measured. */
export interface StoreTarget {
  readonly name: string;
  readonly engine: Engine;
  readonly dialect: StoreDialect;
  /** The arguments of Node. */
  readonly args: readonly string[];
}

const inFolder = (file: string) => [join(BENCH_FOLDER, 'store-peers', file)];
const ours = { name: OURS.name, dialect: 'ours', args: OURS.args(0) } as const;
const postgraphile = { engine: 'PostgreSQL', args: inFolder('postgraphile/server.ts') } as const;

export const STORE_TARGETS: readonly StoreTarget[] = [
  { ...ours, engine: 'SQLite' },
  { name: 'node:sqlite handler', engine: 'SQLite', dialect: 'bare', args: inFolder('bare/sqlite.ts') },
  { ...ours, engine: 'PostgreSQL' },
  { ...postgraphile, name: 'PostGraphile', dialect: 'postgraphile' },
  { ...postgraphile, name: 'PostGraphile, a field for each article', dialect: 'postgraphile fields' },
  { name: 'pg handler', engine: 'PostgreSQL', dialect: 'bare', args: inFolder('bare/postgres.ts') },
];
