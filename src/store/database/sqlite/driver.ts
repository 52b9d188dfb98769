import { resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { toPrintable } from '../../../core/base/printable.ts';
import { EachRow, type OpenedDialect } from '../dialect.ts';
import { sqliteDialect } from './dialect.ts';
import { FilesReplacedError } from './errors.ts';
import { type AreInPlace, createPrivateFile, restrictToOwner, trackFiles } from './files.ts';

/**
 * SQLite itself never waits for a locked file: it would block the event loop, and with it the transaction of this process that
 * may have locked it. Openings and writes are tried again. Reads find a file locked only while a process recovers it or takes
 * an exclusive lock, and fail then.
 */
const NO_WAIT = 0;

/** Prepared statements that are kept. The code has fewer than a hundred texts, so none is prepared twice. */
const MAX_STATEMENTS = 200;

/**
 * Opens a SQLite file, or `:memory:`. A missing folder is made, an existing file is not changed.
 * Throws with a message for people when the file can't be opened or is no database.
 */
export function openSqlite(path: string): OpenedDialect {
  const database = openDatabaseFile(path);
  const isInPlace = trackFiles(path);
  return {
    dialect: sqliteDialect,
    kyselyDialect: kyselyDialectOf(database, isInPlace),
    readingDialect: path === ':memory:' ? null : kyselyDialectOf(openForReading(path), isInPlace),
    migrationDialect: null,
    permits: 1,
    isInPlace,
  };
}

const kyselyDialectOf = (database: DatabaseSync, isInPlace: AreInPlace): Dialect => ({
  createDriver: () => createDriver(database, isInPlace),
  createAdapter: () => new TransactionalDdlAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

const openForReading = (path: string): DatabaseSync =>
  new DatabaseSync(resolve(path), { timeout: NO_WAIT, readOnly: true });

/** Opens the file as a start does, and closes it again. Throws as `openSqlite` does. */
export const checkSqlite = (path: string): void => openDatabaseFile(path).close();

function openDatabaseFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    const isFile = path !== ':memory:';
    if (isFile) createPrivateFile(path);
    // An absolute path is never read as a URI.
    database = new DatabaseSync(isFile ? resolve(path) : path, {
      timeout: NO_WAIT,
      enableForeignKeyConstraints: true,
    });
    database.exec('pragma synchronous = full');
    database.prepare('select count(*) from sqlite_schema').get();
    if (isFile) restrictToOwner(path);
    return database;
  } catch (error) {
    database?.close();
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new Error(`The SQLite file ${toPrintable(path)} cannot be opened: ${reason}.`, { cause: error });
  }
}

/** SQLite's schema changes are transactional. Kysely's adapter says otherwise, which could leave half a migration. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** SQLite runs on the event loop: after so many milliseconds of statements, other work runs. */
const MAX_BLOCKING_MS = 20;

/** Adapts `node:sqlite` to Kysely and caches prepared statements. */
function cacheStatements(database: DatabaseSync): SqliteDatabase {
  const cache = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = cache.get(text) ?? adaptStatement(database.prepare(text));
      cache.set(text, statement);
      return statement;
    },
  };
}

/** All statements are read, since those that return nothing have no rows. */
const adaptStatement = (statement: StatementSync): SqliteStatement => ({
  reader: true,
  all: (parameters) => statement.all(...parameters.map(toSqlInput)),
  run: (parameters) => statement.run(...parameters.map(toSqlInput)),
  iterate: (parameters) => statement.iterate(...parameters.map(toSqlInput)),
});

/** Sends a statement over a connection that Kysely has wrapped. */
async function send(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}

/**
 * Counts the time of statements, so that other work runs between them. A transaction keeps the connection meanwhile: no other
 * statement runs between its own. Between two reads of one request, a write may run: what belongs together is read by one
 * statement.
 */
class LoopTurns {
  /** Milliseconds of statements since the event loop went on. */
  #blockedMs = 0;

  /** Counts a statement that has ended. True where other work is to run now. */
  isLong(startedAt: number): boolean {
    this.#blockedMs += performance.now() - startedAt;
    return this.#blockedMs >= MAX_BLOCKING_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#blockedMs = 0;
  }
}

/** The driver of one connection to a file. */
function createDriver(database: DatabaseSync, areInPlace: AreInPlace): Driver {
  const statements = cacheStatements(database);
  const driver = new SqliteDriver({ database: statements });
  const turns = new LoopTurns();

  const executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const connection = await driver.acquireConnection();
    const [each] = query.parameters;
    if (each instanceof EachRow) return runEach(query.sql, each);
    const startedAt = performance.now();
    try {
      return await connection.executeQuery<R>(query);
    } finally {
      if (turns.isLong(startedAt)) await turns.next();
    }
  };
  const runEach = async (text: string, { rows }: EachRow) => {
    const statement = statements.prepare(text);
    for (const row of rows) {
      const startedAt = performance.now();
      statement.run(row);
      if (turns.isLong(startedAt)) await turns.next();
    }
    return { rows: [] };
  };
  const connection = {
    executeQuery,
    streamQuery: () => {
      throw new Error('The store streams no query.');
    },
  };
  return {
    init: () => driver.init(),
    acquireConnection: async () => connection,
    /**
     * A transaction that may write takes the write lock at its beginning, since waiting for it later could fail. One
     * that only reads sees the state of its first statement, and blocks no writer.
     */
    beginTransaction: (used, settings) =>
      send(used, settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'),
    /** SQLite goes on writing to removed files without an error, so they are checked before and after the commit. */
    commitTransaction: async (used) => {
      if (!areInPlace()) throw new FilesReplacedError(false);
      await send(used, 'commit');
      if (!areInPlace()) throw new FilesReplacedError(true);
    },
    /** SQLite rolls back by itself on some errors; a second rollback would fail and hide the first error. */
    rollbackTransaction: async (used) => {
      if (database.isTransaction) await send(used, 'rollback');
    },
    releaseConnection: async () => {},
    destroy: () => driver.destroy(),
  };
}

function toSqlInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`A parameter of type ${typeof value} cannot be sent to SQLite.`);
}
