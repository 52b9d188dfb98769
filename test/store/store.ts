import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { Page } from '../../src/core/backend.ts';
import { type Log, silentLog } from '../../src/core/base/log.ts';
import type { Result } from '../../src/core/base/result.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import type { Metrics } from '../../src/core/metrics.ts';
import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';
import { createLocalBackend, type LocalBackend } from '../../src/store/local-backend.ts';
import { openStoreDatabase } from '../../src/store/tables/store-database.ts';
import { TABLE_COLUMNS } from '../../src/store/tables/tables.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/postgres-database.ts';
import { smallKnowledgeBase } from './small-knowledge-base.ts';

const TOKEN = 'token';

export const caller: Caller = {
  apiToken: TOKEN,
  address: '',
  request: createRequestFacts({ id: 'request' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};

export interface StoreOptions {
  readonly databaseUrl?: string;
  readonly knowledgeBase?: KnowledgeBase;
  readonly log?: Log;
  readonly poolSize?: number;
  readonly metrics?: Metrics;
}

/** Opens a store that is closed when the test ends, and records its statements. */
export async function openStore(options: StoreOptions = {}) {
  const { databaseUrl, knowledgeBase = smallKnowledgeBase, log = silentLog, poolSize, metrics } = options;
  const statements: string[] = [];
  const url = databaseUrl ?? (await emptyDatabase());
  const database = await openStoreDatabase(url, {
    onStatement: (text) => statements.push(text),
    log,
    poolSize,
    metrics,
  });
  const backend: LocalBackend = createLocalBackend(database, { apiTokens: [TOKEN], log });
  onTestFinished(() => backend.close());
  await backend.importKnowledgeBase(knowledgeBase, () => {});
  /** Runs `work` and returns its value and its statements. */
  const counted = async <T>(work: () => Promise<T>): Promise<{ value: T; statements: readonly string[] }> => {
    statements.length = 0;
    const value = await work();
    return { value, statements: [...statements] };
  };
  return { backend, database, statements, counted };
}

/** Empty PostgreSQL databases of earlier tests, other files' too: creating one takes longer than most tests. */
const free: PostgresDatabase[] = [];

/** The URL of an empty database for this test alone, in the dialect of this run. */
export async function emptyDatabase(): Promise<string> {
  const postgresUrl = inject('postgresUrl');
  if (postgresUrl === undefined) return 'sqlite::memory:';
  const database = free.pop() ?? (await createPostgresDatabase(postgresUrl, '', inject('sharedDatabases')));
  onTestFinished(async () => {
    await database.run(
      Object.keys(TABLE_COLUMNS)
        .map((table) => `delete from ${table}${table === 'team_accounts' ? " where id <> 'embedded-store'" : ''}`)
        .join(';'),
    );
    free.push(database);
  });
  return database.url;
}

/** A PostgreSQL database that is dropped when the test ends, for tests that leave more than rows in it. */
export async function databaseToDrop(options = ''): Promise<PostgresDatabase> {
  const database = await createPostgresDatabase(inject('postgresUrl') ?? '', options);
  onTestFinished(database.drop);
  return database;
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The value of a result. Throws for an error. */
export function value<T>(result: Result<T, unknown> | undefined): T {
  if (!result?.ok) throw new Error(`Not a value: ${JSON.stringify(result)}`);
  return result.value;
}

/** The value of the only result of a batch. */
export async function only<T>(results: Promise<readonly Result<T, unknown>[]>): Promise<T> {
  return value((await results)[0]);
}

/** Throws for null and undefined. */
export function present<T>(found: T | null | undefined): T {
  if (found == null) throw new Error('The value is missing.');
  return found;
}

export const nodesOf = <T>({ edges }: Page<T>): readonly T[] => edges.map(({ node }) => node);
