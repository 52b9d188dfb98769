import { Client } from 'pg';
import type { PostgresServer } from '../support/embedded-postgres.ts';

/** Runs a query on the server as an administrator. */
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

/** Kills the whole server, and restarts it with the files that it has left. */
export async function killServer(server: PostgresServer): Promise<void> {
  await server.kill();
  await server.restart();
}

const GATEWAY_PROCESSES = `
  select pid from pg_stat_activity where application_name = 'kb-gateway' and datname = current_database()
  order by state = 'active' desc, random() limit 1`;

/** Kills the server's process of one connection: the server then ends all others, and recovers. */
export async function killConnection(databaseUrl: string): Promise<void> {
  const [found] = await rowsOf(databaseUrl, GATEWAY_PROCESSES);
  if (typeof found?.['pid'] !== 'number') throw new Error('The gateway is not connected.');
  process.kill(found['pid'], 'SIGKILL');
}

const HEAP = `
  select relname, msg from pg_class, lateral verify_heapam(oid)
  where relkind = 'r' and relnamespace = 'public'::regnamespace`;

/** Each kind of index has a check of its own; another kind is an error, so that none stays without. */
const INDEXES = `
  select case amname
    when 'gin' then gin_index_check(indexrelid)
    else bt_index_parent_check(indexrelid, true, true)
  end
  from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
  where relnamespace = 'public'::regnamespace and indisvalid`;

/**
 * The problems that PostgreSQL finds in the tables and indexes of a database
 * (postgresql.org/docs/current/amcheck.html).
 */
export async function damageOf(databaseUrl: string): Promise<readonly string[]> {
  await rowsOf(databaseUrl, 'create extension if not exists amcheck');
  const found = (await rowsOf(databaseUrl, HEAP)).map((row) => JSON.stringify(row));
  const broken = await rowsOf(databaseUrl, INDEXES).then(
    () => [],
    (error: unknown) => [`${error}`],
  );
  return [...found, ...broken];
}
