import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface PostgresDatabase {
  readonly url: string;
  /** Sends statements over a connection of its own, as another program would. */
  run(statements: string): Promise<void>;
  drop(): Promise<void>;
}

/** Options of a database that sorts `a` before `B`, whatever its server does (PostgreSQL 15 and newer). */
export const SORTED_BY_LANGUAGE = `template template0 encoding 'UTF8' locale_provider icu icu_locale 'en'`;

/** Creates an empty database on a server, with a name that begins with `prefix`. */
export async function createPostgresDatabase(
  serverUrl: string,
  options = '',
  prefix = 'kb_',
): Promise<PostgresDatabase> {
  const name = `${prefix}${randomUUID().replaceAll('-', '')}`;
  await runOn(serverUrl, `create database ${name} ${options}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: url.href,
    run: (statements) => runOn(url.href, statements),
    drop: () => runOn(serverUrl, `drop database ${name} with (force)`),
  };
}

/** Drops all databases of a server whose names begin with `prefix`. */
export async function dropPostgresDatabases(serverUrl: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

async function runOn(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
