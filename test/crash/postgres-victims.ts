import { Client } from 'pg';
import type { PostgresServer } from '../support/embedded-postgres.ts';

/** What an administrator asks the server of a run. */
export async function rowsOf(url: string, query: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Ends the whole server at once, and starts it again over what it has left. */
export async function killServer(server: PostgresServer): Promise<void> {
  await server.kill();
  await server.restart();
}

const GATEWAY_PROCESSES = `
  select pid from pg_stat_activity where application_name = 'kb-gateway' and datname = current_database()
  order by state = 'active' desc, random() limit 1`;

/** Ends the process that serves one connection of the gateway: the server then ends all others, and recovers by itself. */
export async function killConnection(databaseUrl: string): Promise<void> {
  const [found] = await rowsOf(databaseUrl, GATEWAY_PROCESSES);
  if (typeof found?.['pid'] !== 'number') throw new Error('The gateway is not connected.');
  process.kill(found['pid'], 'SIGKILL');
}

const HEAP = `
  select relname, msg from pg_class, lateral verify_heapam(oid)
  where relkind = 'r' and relnamespace = 'public'::regnamespace`;

const INDEXES = `
  select bt_index_parent_check(indexrelid, true, true) from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace and indisvalid`;

/** What PostgreSQL finds wrong with the tables and indexes of a database (postgresql.org/docs/current/amcheck.html). */
export async function damageOf(databaseUrl: string): Promise<readonly string[]> {
  await rowsOf(databaseUrl, 'create extension if not exists amcheck');
  const found = (await rowsOf(databaseUrl, HEAP)).map((row) => JSON.stringify(row));
  const broken = await rowsOf(databaseUrl, INDEXES).then(
    () => [],
    (error: unknown) => [`${error}`],
  );
  return [...found, ...broken];
}
