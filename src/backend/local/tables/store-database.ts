import { type Dialect, Kysely, type LogEvent } from 'kysely';
import type { CallTerms } from '../../../database/call-context.ts';
import { CallConnections } from '../../../database/connection-provider.ts';
import type { Engine } from '../../../database/dialect.ts';
import { FairSemaphore } from '../../../database/fair-semaphore.ts';
import { migrate, schemaProblem } from '../../../database/migrations.ts';
import { postgresEngine } from '../../../database/postgres/dialect.ts';
import { openPostgres, openPostgresForMigrations } from '../../../database/postgres/driver.ts';
import { openSqlite, sqliteEngine } from '../../../database/sqlite/driver.ts';
import { type Log, silent } from '../../../domain/log.ts';
import { WaitingRoom } from '../waiting-room.ts';
import type { Tables } from './tables.ts';

/** An open store: its tables, and what is special about its engine. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
}

/** The pool for whoever answers callers. */
export interface ServingDatabase extends Database {
  /** The database as one call sees it: its statements take connections in fair turns, and keep to its terms. */
  readonly forCall: (terms: CallTerms) => Database;
  /** The same past all who wait, for telling whether the store is ready. One connection is kept for this. */
  readonly forReadiness: (terms: CallTerms) => Database;
  /** Those who wait for a connection or, in this process, for a row. */
  readonly room: WaitingRoom;
  /** Whether the files of the database are those that were opened. What lies on a server always is. */
  readonly isInPlace: () => boolean;
  /** Closes the store once the transactions that are under way have ended; calls that wait are refused. */
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** Told of every statement by its text, failed ones included. */
  readonly onStatement?: ((text: string) => void) | undefined;
  /** Connections to a server at most; a file has one. */
  readonly poolSize?: number | undefined;
  readonly log?: Log | undefined;
}

const DEFAULT_POOL_SIZE = 10;

/** Calls that wait at one time; one more is unavailable at once. */
const MAX_WAITING_CALLS = 1_000;

/** What a `DATABASE_URL` names, before anything is asked of it. */
interface Opened {
  readonly engine: Engine;
  readonly dialect: Dialect;
  /** What the schema is prepared over, where that is another connection. */
  readonly preparing: Dialect | null;
  /** Connections that calls share. */
  readonly permits: number;
  readonly isInPlace: () => boolean;
}

/**
 * Opens the database a `DATABASE_URL` names (contract, section 1) and brings its schema up to date. Throws with a message
 * for people where it can't, and leaves a database it does not understand as it is.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<ServingDatabase> {
  const opened = open(url, options);
  const { engine, dialect, preparing } = opened;
  const database = over(dialect, engine, { ...options, ...opened });
  const prepared = preparing ? over(preparing, engine, { ...options, ...opened }) : database;
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
    const { dialect, files } = openSqlite(url.slice('sqlite:'.length));
    return { engine: sqliteEngine, dialect, preparing: null, permits: 1, isInPlace: () => files.areInPlace() };
  }
  if (!/^postgres(?:ql)?:\/\//u.test(url) || !URL.canParse(url)) {
    throw new Error(
      'DATABASE_URL must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    );
  }
  const preparing = openPostgresForMigrations(url, log);
  const permits = Math.max(1, poolSize - 1);
  const dialect = openPostgres(url, { poolSize, log });
  return { engine: postgresEngine, dialect, preparing, permits, isInPlace: () => true };
}

type OverOptions = Pick<DatabaseOptions, 'onStatement'> & Pick<Opened, 'permits' | 'isInPlace'>;

function over(opened: Dialect, engine: Engine, { onStatement, permits, isInPlace }: OverOptions): ServingDatabase {
  const driver = opened.createDriver();
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => opened.createAdapter(),
    createQueryCompiler: () => opened.createQueryCompiler(),
    createIntrospector: (db) => opened.createIntrospector(db),
  };
  const config = { dialect, ...(onStatement && { log: ({ query }: LogEvent) => onStatement(query.sql) }) };
  const db = new Kysely<Tables>(config);
  const source = db.getExecutor();
  const room = new WaitingRoom(MAX_WAITING_CALLS);
  const shared = new FairSemaphore(permits, room);
  const boundTo = (terms: CallTerms, semaphore: FairSemaphore | null): Database => {
    const executor = source.withConnectionProvider(new CallConnections({ source, terms, semaphore }));
    return { db: new Kysely<Tables>({ config, dialect, driver, executor }), engine };
  };
  return {
    db,
    engine,
    room,
    isInPlace,
    forCall: (terms) => boundTo(terms, shared),
    forReadiness: (terms) => boundTo(terms, null),
    close: () => {
      shared.close();
      return engine.close(db);
    },
  };
}

async function prepare(database: Database): Promise<void> {
  const problem = await schemaProblem(database);
  if (problem !== null) throw new Error(problem);
  for (const setting of database.engine.settings) await setting.execute(database.db);
  await migrate(database);
  for (const setting of database.engine.whenServing) await setting.execute(database.db);
}

/** Closes the store once the transactions that are under way have ended. */
export const closeDatabase = ({ close }: Pick<ServingDatabase, 'close'>): Promise<void> => close();
