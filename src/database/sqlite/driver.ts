import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { toPrintable } from '../../base/printable.ts';
import type { OpenedDialect } from '../dialect.ts';
import { sqliteDialect } from './dialect.ts';
import { FilesReplacedError, isBusyError } from './errors.ts';
import { createPrivateFile, restrictToOwner, type SqliteFiles, trackFiles } from './files.ts';

/**
 * How long SQLite itself waits for another process while a file is opened, in milliseconds. It blocks the event loop,
 * so later it never waits: `BusyRetryConnection` retries reads, and the write queue of the store retries writes.
 */
const OPENING_TIMEOUT_MS = 5_000;

/** Prepared statements that are kept. The code has fewer than a hundred texts, so none is prepared twice. */
const MAX_STATEMENTS = 200;

/**
 * Opens a SQLite file, or `:memory:`. A missing folder is made, an existing file is not changed.
 * Throws with a message for people when the file can't be opened or is no database.
 */
export function openSqlite(path: string): OpenedDialect {
  const database = openDatabaseFile(path);
  const statements = cacheStatements(database);
  const files = trackFiles(path);
  return {
    dialect: sqliteDialect,
    kyselyDialect: {
      createDriver: () => new ImmediateTransactionDriver(database, statements, files),
      createAdapter: () => new TransactionalDdlAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    migrationDialect: null,
    permits: 1,
    isInPlace: () => files.areInPlace(),
  };
}

/** Opens the file as a start does, and closes it again. Throws as `openSqlite` does. */
export const checkSqlite = (path: string): void => openDatabaseFile(path).close();

function openDatabaseFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // SQLite alone knows which file a URI names, such as `file:kb.db?mode=rwc`.
    if (!/^(?::memory:$|file:)/u.test(path)) createPrivateFile(path);
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true });
    database.exec('pragma synchronous = full');
    database.prepare('select count(*) from sqlite_schema').get();
    const file = database.location();
    if (file !== null) restrictToOwner(file);
    return database;
  } catch (error) {
    database?.close();
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new Error(`The SQLite file ${toPrintable(path)} cannot be opened: ${reason}.`, { cause: error });
  }
}

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

const adaptStatement = (statement: StatementSync): SqliteStatement => ({
  reader: statement.columns().length > 0,
  all: (parameters) => statement.all(...parameters.map(toSqlInput)),
  run: (parameters) => statement.run(...parameters.map(toSqlInput)),
  iterate: (parameters) => statement.iterate(...parameters.map(toSqlInput)),
});

function toSqlInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`A parameter of type ${typeof value} cannot be sent to SQLite.`);
}

/**
 * A transaction that may write takes the write lock when it begins: taken later, waiting for it could fail. One that only
 * reads sees the state of its first statement, and keeps nobody from writing.
 */
class ImmediateTransactionDriver extends SqliteDriver {
  readonly #database: DatabaseSync;
  readonly #files: SqliteFiles;
  #connection: DatabaseConnection | null = null;

  constructor(database: DatabaseSync, statements: SqliteDatabase, files: SqliteFiles) {
    super({ database: statements });
    this.#database = database;
    this.#files = files;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new BusyRetryConnection(await super.acquireConnection(), () => this.#database.isTransaction);
    return this.#connection;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : BEGIN_IMMEDIATE));
  }

  /** SQLite goes on writing to removed files without an error, so they are checked before and after the commit. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (!this.#files.areInPlace()) throw new FilesReplacedError(false);
    await super.commitTransaction(connection);
    if (!this.#files.areInPlace()) throw new FilesReplacedError(true);
  }

  /** SQLite rolls back by itself on some errors; a second rollback would fail and hide the first error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite's schema changes are transactional. Kysely's adapter says otherwise, which could leave half a migration. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** How long statements wait, all together, for a process that locks out even readers, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const MAX_RETRY_DELAY_MS = 20;

/** SQLite runs on the event loop: after so many milliseconds of statements, other work runs. */
const MAX_BLOCKING_MS = 20;

/** Takes the write lock at once. */
const BEGIN_IMMEDIATE = 'begin immediate';

/**
 * Retries reads that find the database locked, without blocking the process as SQLite's own timeout would. Reads find
 * it locked only while a process recovers the file or takes an exclusive lock. Statements of a transaction, `begin`
 * included, are not retried here: the write queue of the store waits for the lock without keeping the connection from
 * readers.
 */
export class BusyRetryConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #isTransaction: () => boolean;
  /** `performance.now()` of the first failure in a row. After `BUSY_TIMEOUT_MS` nothing is retried. */
  #busySince: number | null = null;
  /** Milliseconds of statements since the last of them yielded to the event loop. */
  #blockedMs = 0;

  constructor(connection: DatabaseConnection, isTransaction: () => boolean) {
    this.#connection = connection;
    this.#isTransaction = isTransaction;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const startedAt = performance.now();
    try {
      return await this.#execute<R>(query);
    } finally {
      await this.#yieldToEventLoop(performance.now() - startedAt);
    }
  }

  /**
   * A transaction keeps the connection meanwhile, so that no other statement runs between its own. Between two reads of
   * one request, a write may run: what belongs together is read by one statement.
   */
  async #yieldToEventLoop(tookMs: number): Promise<void> {
    this.#blockedMs += tookMs;
    if (this.#blockedMs < MAX_BLOCKING_MS) return;
    await setImmediate();
    this.#blockedMs = 0;
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (;;) {
      try {
        const result = await this.#connection.executeQuery<R>(query);
        this.#busySince = null;
        return result;
      } catch (error) {
        if (!isBusyError(error) || this.#isTransaction() || query.sql === BEGIN_IMMEDIATE) throw error;
        this.#busySince ??= performance.now();
        if (performance.now() - this.#busySince >= BUSY_TIMEOUT_MS) throw error;
        await setTimeout(Math.random() * MAX_RETRY_DELAY_MS);
      }
    }
  }

  streamQuery(): never {
    throw new Error('The store streams no query.');
  }
}
