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

/** Creates an empty database on a server. */
export async function createPostgresDatabase(serverUrl: string, options = ''): Promise<PostgresDatabase> {
  const name = `kb_${randomUUID().replaceAll('-', '')}`;
  await runOn(serverUrl, `create database ${name} ${options}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: url.href,
    run: (statements) => runOn(url.href, statements),
    drop: () => runOn(serverUrl, `drop database ${name} with (force)`),
  };
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
