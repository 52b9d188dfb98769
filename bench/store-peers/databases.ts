import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../../src/core/base/log.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { startPostgres } from '../../test/support/embedded-postgres.ts';
import { CORES, isPinned } from '../harness/processes.ts';
import { RESULTS_FOLDER } from '../sections/build.ts';
import { storeContent } from './content.ts';
import type { Engine } from './targets.ts';

const ADDITIONS = new URL('postgraphile/additions.sql', import.meta.url);
const FOLDER = join(RESULTS_FOLDER, 'store-peers');

/** One filled database of each engine, as durable as in production, which all targets of the engine use in turn. */
export async function openDatabases(): Promise<Record<Engine, string> & AsyncDisposable> {
  // PostgreSQL inherits the core.
  if (isPinned) execFileSync('taskset', ['-cp', String(CORES.upstream), String(process.pid)], { stdio: 'ignore' });
  const server = await startPostgres({});
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const urls = { SQLite: `sqlite:${join(FOLDER, 'kb.db')}`, PostgreSQL: server.url };
  for (const databaseUrl of Object.values(urls)) {
    const store = await openLocalBackend({ databaseUrl, apiTokens: [], log: silentLog });
    await store.importKnowledgeBase(storeContent(), () => {});
    await store.close();
  }
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(readFileSync(ADDITIONS, 'utf8'));
  await client.query('vacuum analyze');
  await client.end();
  return { ...urls, [Symbol.asyncDispose]: server.stop };
}
