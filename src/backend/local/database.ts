import { type Dialect, Kysely } from 'kysely';
import { type Log, silent } from '../../domain/log.ts';
import type { Engine } from './engine.ts';
import { migrate, schemaProblem } from './migrations.ts';
import { openPostgres, openPostgresForMigrations } from './postgres.ts';
import { postgresEngine } from './postgres-engine.ts';
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
  /** Connections to a server at most; a file has one. */
  readonly poolSize?: number | undefined;
  readonly log?: Log | undefined;
}

const DEFAULT_POOL_SIZE = 10;

/** What a `DATABASE_URL` names, before anything is asked of it. */
interface Opened {
  readonly engine: Engine;
  readonly dialect: Dialect;
  /** What the schema is prepared over, where that is another connection. */
  readonly preparing: Dialect | null;
}

/**
 * Opens the database a `DATABASE_URL` names (contract, section 1) and brings its schema up to date. Throws with a message
 * for people where it can't, and leaves a database it does not understand as it is.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const { engine, dialect, preparing } = open(url, options);
  const database = over(dialect, engine, options);
  const prepared = preparing ? over(preparing, engine, options) : database;
  try {
    await prepare(prepared);
    if (prepared !== database) await closeDatabase(prepared);
    return database;
  } catch (error) {
    await Promise.all([closeDatabase(database), prepared === database ? null : closeDatabase(prepared)]);
    if (engine.failure(error) === null) throw error;
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new Error(`The database that DATABASE_URL names cannot be used: ${reason}.`, { cause: error });
  }
}

function open(url: string, { poolSize = DEFAULT_POOL_SIZE, log = silent }: DatabaseOptions): Opened {
  if (/^sqlite:./u.test(url)) {
    return { engine: sqliteEngine, dialect: openSqlite(url.slice('sqlite:'.length)), preparing: null };
  }
  if (!/^postgres(?:ql)?:\/\//u.test(url) || !URL.canParse(url)) {
    throw new Error(
      'DATABASE_URL must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    );
  }
  const preparing = openPostgresForMigrations(url, log);
  return { engine: postgresEngine, dialect: openPostgres(url, { poolSize, log }), preparing };
}

const over = (dialect: Dialect, engine: Engine, { onStatement }: DatabaseOptions): Database => ({
  db: new Kysely<Tables>({ dialect, ...(onStatement && { log: ({ query }) => onStatement(query.sql) }) }),
  engine,
});

async function prepare(database: Database): Promise<void> {
  const problem = await schemaProblem(database);
  if (problem !== null) throw new Error(problem);
  for (const setting of database.engine.settings) await setting.execute(database.db);
  await migrate(database);
  for (const setting of database.engine.whenServing) await setting.execute(database.db);
}

/** Closes the store once the transactions that are under way have ended. */
export const closeDatabase = ({ db, engine }: Database): Promise<void> => engine.close(db);
