import { setTimeout } from 'node:timers/promises';
import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import { type ConnectionProvider, type DatabaseConnection, type Dialect, Kysely, type LogEvent, sql } from 'kysely';
import { MAX_DATABASE_WAIT_MS, MAX_PENDING_DATABASE_CALLS } from '../../core/base/limits.ts';
import { type Log, silentLog } from '../../core/base/log.ts';
import { NotBegun, Quota, Semaphore } from '../../core/base/semaphore.ts';
import { type Metrics, noMetrics } from '../../core/metrics.ts';
import { runInSpan, startSpan } from '../../core/tracing.ts';
import {
  abortReasonOf,
  type BoundConnection,
  CallAbortedError,
  type CallContext,
  throwIfAborted,
  waiterOf,
} from './call-context.ts';
import { DatabaseAway } from './database-away.ts';
import type { CompiledStatements, Database, OpenedDialect, SqlDialect } from './dialect.ts';
import { findSchemaProblem, migrate, type Schema } from './migrations.ts';
import { isBusyError } from './sqlite/errors.ts';
import { runSnapshot } from './transactions.ts';
import { BUSY_TIMEOUT_MS, MAX_RETRY_DELAY_MS } from './write-queue.ts';

/** A database with what a server of many callers needs. */
export interface ServingDatabase<Tables> extends Database<Tables> {
  /** The database for one call. Its statements get connections in fair turns, and end at its deadline. */
  readonly forCall: (callContext: CallContext) => Database<Tables>;
  /** The database for readiness checks, which wait for no slot: one connection is reserved for them. */
  readonly forReadiness: (callContext: CallContext) => Database<Tables>;
  /** Bounds the calls that wait for a connection or, in this process, for a row. */
  readonly waiterQuota: Quota;
  readonly waitingCalls: () => number;
  /** False once the files of the database were removed or replaced. Always true for a server. */
  readonly isInPlace: () => boolean;
  /** Closes the database once its open transactions have ended. Waiting calls are rejected. */
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** Gets the text of every statement after it ran, also of failed ones. */
  readonly onStatement?: ((text: string) => void) | undefined;
  /** The most connections to a server. A SQLite file has two, of which one reads. */
  readonly poolSize?: number | undefined;
  /** The longest time of a statement, a lock and a connection attempt, once the schema is up to date. */
  readonly timeoutMs?: number | undefined;
  /** Null where nothing is traced. */
  readonly tracer?: Tracer | null | undefined;
  readonly log?: Log | undefined;
  readonly metrics?: Metrics | undefined;
}

const DEFAULT_POOL_SIZE = 10;

type OpeningOptions = DatabaseOptions & { readonly schema: Schema };

/**
 * Opens the database of a setting and brings its schema up to date: see docs/contract.md, "Start". A SQLite file that others
 * have locked is tried again for some seconds. Throws with a message for people when it can't be opened, and does not change
 * a database of an unknown schema.
 */
export const openDatabase = <Tables>(url: string, options: OpeningOptions): Promise<ServingDatabase<Tables>> =>
  retryWhileLocked(() => openOnce(url, options));

/** Another transaction of this process may have locked the file, so other work runs between two attempts. */
async function retryWhileLocked<T>(open: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isLocked = error instanceof Error && isBusyError(error.cause);
      if (!isLocked || performance.now() - startedAt >= BUSY_TIMEOUT_MS) throw error;
    }
    await setTimeout(Math.random() * MAX_RETRY_DELAY_MS);
  }
}

async function openOnce<Tables>(url: string, { schema, ...options }: OpeningOptions): Promise<ServingDatabase<Tables>> {
  const opened = await openDialect(url, schema.setting, options);
  const { dialect, kyselyDialect, migrationDialect } = opened;
  const create = (over: Dialect) => createDatabase<Tables>(over, opened, options);
  const database = create(kyselyDialect);
  options.metrics?.observe('poolPending', database.waitingCalls);
  const migrationDatabase = migrationDialect ? create(migrationDialect) : database;
  try {
    if (migrationDatabase !== database) await refuseTransactionPooler(migrationDatabase, database, schema.setting);
    await prepareSchema(migrationDatabase, schema);
    if (opened.readingDialect !== null) await openLog(database);
    if (migrationDatabase !== database) await migrationDatabase.close();
    return database;
  } catch (error) {
    // Both databases are closed. A failure to close one must not hide the reason.
    await Promise.allSettled([...new Set([database, migrationDatabase])].map(({ close }) => close()));
    const failure = isMissingTable(error) ? { kind: 'refused' } : dialect.failureOf(error);
    if (failure === null) throw error;
    const reason = error instanceof Error ? error.message : 'unknown error';
    const message = `The database that ${schema.setting} names cannot be used: ${reason}.`;
    throw failure.kind === 'refused'
      ? new Error(message, { cause: error })
      : new DatabaseAway(message, { cause: error });
  }
}

/** A connection to a SQLite file opens the log of the file with its first statement: later the file may be moved. */
async function openLog<Tables>(database: ServingDatabase<Tables>): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  const { db, dialect } = database.forCall({ kind: 'read', fairnessKey: '', deadline, isGone: () => false });
  await dialect.tableNames.execute(db);
}

/** True where PostgreSQL searches a schema without the tables, such as one that does not exist. Later it fails one call alone. */
const isMissingTable = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '42P01';

/** Throws as `openDatabase` does where the SQLite file is missing or unusable. Changes no existing file. */
export async function checkDatabaseFile(url: string): Promise<void> {
  const path = sqlitePathOf(url);
  if (path === null || path === ':memory:') return;
  const { checkSqlite } = await import('./sqlite/driver.ts');
  await retryWhileLocked(async () => checkSqlite(path));
}

const sqlitePathOf = (url: string): string | null => /^sqlite:(.+)$/su.exec(url)?.[1] ?? null;

/** Only the driver that is used is loaded. */
async function openDialect(url: string, setting: string, options: DatabaseOptions): Promise<OpenedDialect> {
  const { poolSize = DEFAULT_POOL_SIZE, timeoutMs, log = silentLog, metrics = noMetrics } = options;
  const path = sqlitePathOf(url);
  if (path !== null) return (await import('./sqlite/driver.ts')).openSqlite(path);
  if (/^postgres(?:ql)?:\/\//u.test(url) && URL.canParse(url)) {
    const { openPostgres } = await import('./postgres/driver.ts');
    return openPostgres(url, { poolSize, timeoutMs, log, metrics });
  }
  throw new Error(`${setting} must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE.`);
}

function connectDatabase<Tables>(over: Dialect, onStatement: DatabaseOptions['onStatement']) {
  const driver = over.createDriver();
  const config = {
    dialect: { ...over, createDriver: () => driver },
    ...(onStatement && { log: ({ query }: LogEvent) => onStatement(query.sql) }),
  };
  return { driver, config, db: new Kysely<Tables>(config) };
}

function createDatabase<Tables>(
  kyselyDialect: Dialect,
  { dialect, permits, readingDialect, isInPlace }: OpenedDialect,
  { onStatement, tracer = null }: DatabaseOptions,
): ServingDatabase<Tables> {
  const statements: CompiledStatements = new Map();
  const waiterQuota = new Quota({ total: MAX_PENDING_DATABASE_CALLS, perKey: 'half' });
  const slots = { total: permits, perKey: 'half' } as const;
  const connect = (over: Dialect) => ({
    ...connectDatabase<Tables>(over, onStatement),
    semaphore: new Semaphore({ slots, waiting: waiterQuota }),
  });
  const main = connect(kyselyDialect);
  const reading = readingDialect === null ? main : connect(readingDialect);
  const all = new Set([reading, main]);
  const forCallWith = (
    callContext: CallContext,
    { driver, config, db }: typeof main,
    semaphore: Semaphore | null,
  ): Database<Tables> => {
    const source = db.getExecutor();
    const provideConnection: ConnectionProvider['provideConnection'] = async (consumer) => {
      throwIfAborted(callContext);
      const use = () => useConnection(source, callContext, consumer);
      const run = async () => {
        const result = semaphore ? await semaphore.run(waiterOf(callContext), use) : await use();
        if (result instanceof NotBegun) throw new CallAbortedError(abortReasonOf(result));
        return result;
      };
      const span = tracer && startTransactionSpan(tracer, dialect, callContext);
      return span === null ? run() : runInSpan(span, run);
    };
    const executor = source.withConnectionProvider({ provideConnection });
    return { db: new Kysely<Tables>({ config, dialect: config.dialect, driver, executor }), dialect, statements };
  };
  return {
    db: main.db,
    dialect,
    statements,
    waiterQuota,
    waitingCalls: () => all.values().reduce((sum, { semaphore }) => sum + semaphore.waiting, 0),
    isInPlace,
    forCall: (callContext) => {
      const connections = callContext.kind === 'read' ? reading : main;
      return forCallWith(callContext, connections, connections.semaphore);
    },
    forReadiness: (callContext) => forCallWith(callContext, main, null),
    close: async () => {
      for (const { semaphore } of all) semaphore.close();
      // The last connection to a SQLite file that is closed empties its log, which a reading one can't.
      for (const { db } of all) await dialect.close(db);
    },
  };
}

/** Gives a call a connection for one statement or transaction. It waits no longer than the call may. */
async function useConnection<T>(
  source: ConnectionProvider,
  callContext: CallContext,
  consumer: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const msLeft = callContext.deadline - performance.now();
  const signal = msLeft < MAX_DATABASE_WAIT_MS ? AbortSignal.timeout(Math.ceil(Math.max(0, msLeft))) : null;
  let isConnected = false;
  try {
    return await source.provideConnection(
      (connection) => {
        isConnected = true;
        if (isBound(connection)) connection.bind(callContext);
        return consumer(connection);
      },
      signal ? { signal } : {},
    );
  } catch (error) {
    throw signal?.aborted && !isConnected ? new CallAbortedError('OUT_OF_TIME') : error;
  }
}

const isBound = (connection: DatabaseConnection): connection is BoundConnection => 'bind' in connection;

/** A call that reads sends one statement at a time; one that writes runs a transaction. */
const OPERATIONS = { read: 'SELECT', write: 'TRANSACTION' } as const;

/** The span of a statement or a transaction, with its wait for a connection; null where it is not recorded. */
function startTransactionSpan(tracer: Tracer, { systemName }: SqlDialect, { trace, kind }: CallContext): Span | null {
  const attributes = () => ({ 'db.system.name': systemName, 'db.operation.name': OPERATIONS[kind] });
  return startSpan(tracer, trace, { name: OPERATIONS[kind], kind: SpanKind.CLIENT, attributes });
}

async function prepareSchema<Tables>(database: Database<Tables>, schema: Schema): Promise<void> {
  const { db, dialect } = database;
  const problem = await findSchemaProblem(database, schema);
  if (problem !== null) throw new Error(problem);
  for (const statement of dialect.beforeMigrating) await statement.execute(db);
  await migrate(database, schema);
}

/**
 * Throws with a message for people where a pooler spreads the statements of one connection over several sessions, as
 * PgBouncer does in transaction mode: limits and locks of a session would be those of others. Each database has connections
 * of its own.
 */
async function refuseTransactionPooler<Tables>(
  { db }: Database<Tables>,
  other: Database<Tables>,
  setting: string,
): Promise<void> {
  const readId = async (from: Kysely<Tables>) =>
    (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(from)).rows[0]?.id;
  const isOwn = await db.connection().execute(async (session) => {
    const ids = [await readId(session)];
    const otherId = await runSnapshot(other, async (transaction) => {
      const id = await readId(transaction.db);
      ids.push(await readId(session), await readId(session));
      return id;
    });
    if (!otherId.ok) throw otherId.error.cause;
    return new Set(ids).size === 1 && !ids.includes(otherId.value);
  });
  if (isOwn) return;
  throw new Error(
    `${setting} names a pooler in transaction mode, through which a session has neither limits nor locks. Name the PostgreSQL server itself there, or a pooler in session mode.`,
  );
}
