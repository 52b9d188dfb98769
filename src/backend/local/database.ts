import { Kysely } from 'kysely';
import type { Engine } from './engine.ts';
import { migrate, schemaProblem } from './migrations.ts';
import { openSqlite, sqliteEngine } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** An open store: its tables, and what is special about its engine. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
}

export interface DatabaseOptions {
  /** Told of every statement by its text, failed ones included. */
  readonly onStatement?: ((text: string) => void) | undefined;
}

const SQLITE = 'sqlite:';

/**
 * Opens the database a `DATABASE_URL` names (contract, section 1) and brings its schema up to date. Throws with a message
 * for people where it can't, and leaves a file it does not understand as it is.
 */
export async function openDatabase(url: string, { onStatement }: DatabaseOptions = {}): Promise<Database> {
  const path = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : '';
  if (path === '') throw new Error('DATABASE_URL must be sqlite:PATH or sqlite::memory:.');
  const db = new Kysely<Tables>({
    dialect: openSqlite(path),
    ...(onStatement && { log: ({ query }) => onStatement(query.sql) }),
  });
  const database = { db, engine: sqliteEngine };
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await db.destroy();
    if (database.engine.writeFailure(error) === null) throw error;
    throw new Error('The database that DATABASE_URL names cannot be written.', { cause: error });
  }
}

async function prepare(database: Database): Promise<void> {
  const problem = await schemaProblem(database);
  if (problem !== null) throw new Error(problem);
  for (const setting of database.engine.settings) await setting.execute(database.db);
  await migrate(database);
}

/** Closes the store once the transaction that is under way has ended. */
export const closeDatabase = ({ db }: Database): Promise<void> => db.connection().execute(() => db.destroy());
