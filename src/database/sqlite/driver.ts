import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  sql,
} from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/sqlite';
import type { Engine, Failure, RowTable } from '../dialect.ts';
import { BEGIN_WRITING, PatientConnection } from './busy-retry.ts';
import { FilesGone, type SqliteFiles, watchFiles } from './file-identity.ts';
import { closeToOthers, createPrivateFile } from './file-permissions.ts';

/**
 * How long SQLite itself waits for another process while a file is opened, in milliseconds. It does nothing else meanwhile,
 * so later it never waits: reads try again themselves, and writes stand in a line.
 */
const OPENING_TIMEOUT_MS = 5_000;

/** Prepared statements that are kept. The code has fewer than a hundred texts, so none is prepared twice. */
const MAX_STATEMENTS = 200;

const BUSY = 5;

/** SQLite's primary result codes, and what they say of a call (sqlite.org/rescode.html). */
const FAILURES: ReadonlyMap<number, Failure['kind']> = new Map<number, Failure['kind']>([
  [BUSY, 'busy'],
  [6, 'refused'], // LOCKED
  [8, 'refused'], // READONLY
  [10, 'uncertain'], // IOERR
  [13, 'refused'], // FULL
  [14, 'refused'], // CANTOPEN
]);

const CONSTRAINT_FOREIGNKEY = 787;

export const sqliteEngine: Engine = {
  text: sql`text`,
  tables: sql`select name from sqlite_schema where type = 'table'`,
  schema: sql`select null as name`,
  isReadOnly: sql`0`,
  settings: [sql`pragma journal_mode = wal`],
  whenServing: [sql`pragma busy_timeout = 0`],
  rowLock: null,
  hasOneWriter: true,
  maxUpdatedRows: 1_000,
  importLock: null,
  checkReferences: null,
  analyze: null,
  rows: <Row extends object, Alias extends string>({ alias, rows, columns }: RowTable<Row, Alias>) => {
    const members = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`);
    return sql<Row>`(select ${sql.join(members)} from json_each(${JSON.stringify(rows)}))`.as(alias);
  },
  jsonRows: (query) => sql`${jsonArrayFrom(query)}`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  failure: (error) => {
    if (error instanceof FilesGone) return { kind: error.isCommitted ? 'uncertain' : 'refused', code: 'FILES_GONE' };
    const code = resultCode(error);
    const kind = FAILURES.get(code & 0xff);
    return kind ? { kind, code } : null;
  },
  // There is one connection, and whoever comes to it after the others finds their transactions ended.
  close: (db) => db.connection().execute(() => db.destroy()),
  isBrokenReference: (error) => resultCode(error) === CONSTRAINT_FOREIGNKEY,
};

/** The extended result code, whose lowest byte is the primary one; 0 for what is no error of SQLite. */
const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/**
 * Opens a SQLite file, whose folder is made where it is missing, or `:memory:`. Nothing is written to a file that is
 * there. Throws with a message for people where it can't be opened or is no database.
 */
export function openSqlite(path: string): OpenedSqlite {
  const database = openFile(path);
  const statements = keepStatements(database);
  const watched = watchFiles(path);
  const dialect = {
    createDriver: () => new WritingDriver(database, statements, watched),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
  return { dialect, files: watched };
}

export interface OpenedSqlite {
  readonly dialect: Dialect;
  readonly files: SqliteFiles;
}

function openFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Only SQLite knows which file a URI names, such as `file:kb.db?mode=rwc`.
    if (!/^(?::memory:$|file:)/u.test(path)) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      createPrivateFile(path);
    }
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true });
    database.exec('pragma synchronous = full');
    database.prepare('select count(*) from sqlite_schema').get();
    const file = database.location();
    if (file !== null) closeToOthers(file);
    return database;
  } catch (error) {
    database?.close();
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new Error(`The SQLite file ${path} cannot be opened: ${reason}.`, { cause: error });
  }
}

/** Gives `node:sqlite` the shape Kysely knows, and keeps what was prepared, the least recently used going first. */
function keepStatements(database: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = kept.get(text) ?? adaptStatement(database.prepare(text));
      kept.delete(text);
      kept.set(text, statement);
      const [oldest] = kept.keys();
      if (kept.size > MAX_STATEMENTS && oldest !== undefined) kept.delete(oldest);
      return statement;
    },
  };
}

const adaptStatement = (statement: StatementSync): SqliteStatement => ({
  reader: statement.columns().length > 0,
  all: (parameters) => statement.all(...parameters.map(bindable)),
  run: (parameters) => statement.run(...parameters.map(bindable)),
  iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
});

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`A parameter of type ${typeof value} cannot be sent to SQLite.`);
}

/** A transaction of ours always writes, so it takes the write lock at once: taken later, waiting for it could fail. */
class WritingDriver extends SqliteDriver {
  readonly #database: DatabaseSync;
  readonly #files: SqliteFiles;
  #connection: DatabaseConnection | null = null;

  constructor(database: DatabaseSync, statements: SqliteDatabase, files: SqliteFiles) {
    super({ database: statements });
    this.#database = database;
    this.#files = files;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new PatientConnection(await super.acquireConnection(), {
      isBusy: (error) => (resultCode(error) & 0xff) === BUSY,
      isTransaction: () => this.#database.isTransaction,
    });
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(BEGIN_WRITING));
  }

  /** SQLite itself goes on writing into files that nobody will find again. What goes before the last look is noticed. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (!this.#files.areInPlace()) throw new FilesGone(false);
    await super.commitTransaction(connection);
    if (!this.#files.areInPlace()) throw new FilesGone(true);
  }

  /** SQLite ends a transaction by itself on some errors; a rollback would then fail and hide the first one. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite's schema changes are transactional; Kysely says otherwise, and half a migration could stay. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
