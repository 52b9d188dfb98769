import { setTimeout } from 'node:timers/promises';
import { type Dialect, type Driver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { DatabaseError, Pool, types } from 'pg';
import type { Log } from '../../domain/log.ts';
import { PoolConnection, type Timeouts } from './connection.ts';
import { ConnectionLost } from './errors.ts';

/** How long a call waits for a connection, in milliseconds, be it for one of the pool or for a new one. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The most statements without a caller that wait for a connection; one more fails at once. */
const MAX_WAITING = 1_000;

/**
 * How long a statement waits for what another transaction holds, in milliseconds, and how long it takes at most. Calls wait
 * longer for a connection than for a row, so that a row that another program keeps does not keep a connection from them.
 */
const LOCK_TIMEOUT_MS = 4_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** The same for a change of the schema, which may have to wait until another gateway has made its own. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

/** A transaction whose gateway has gone silent is undone after so long, so that others get at its rows. */
const IDLE_TIMEOUT_MS = 10_000;

/** A server that has not even said by then that a statement took too long has gone silent itself. */
const SILENCE_MS = 5_000;

/** How long closing waits for calls that are under way and for the server's goodbye, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Statements that a connection keeps prepared. The code has fewer than a hundred texts, so none is planned twice. */
const MAX_STATEMENTS = 200;

export interface PostgresOptions {
  /** Connections at most: the statements that are under way at one time. */
  readonly poolSize: number;
  /** Told of connections that end while nobody uses them. */
  readonly log: Log;
}

/** PostgreSQL by its URL. Nothing is connected before the first statement. */
export const openPostgres = (url: string, options: PostgresOptions): Dialect =>
  dialectOver(url, { ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS, lockTimeoutMs: LOCK_TIMEOUT_MS });

/** The same for changing the schema: one connection that waits longer. */
export const openPostgresForMigrations = (url: string, log: Log): Dialect =>
  dialectOver(url, {
    log,
    poolSize: 1,
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    lockTimeoutMs: MIGRATION_TIMEOUT_MS,
  });

type PoolOptions = PostgresOptions & { readonly statementTimeoutMs: number; readonly lockTimeoutMs: number };

const dialectOver = (url: string, options: PoolOptions): Dialect => ({
  createDriver: () => new PoolDriver(openPool(url, options), timeoutsOf(url, options)),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

/** What the URL says wins, as it does for all settings of pg. */
function timeoutsOf(url: string, { statementTimeoutMs, lockTimeoutMs }: PoolOptions): Timeouts {
  const { searchParams } = new URL(url);
  const setting = (name: string, otherwise: number) => Number(searchParams.get(name)) || otherwise;
  const statementMs = setting('statement_timeout', statementTimeoutMs);
  return {
    statementMs,
    lockMs: setting('lock_timeout', lockTimeoutMs),
    silenceMs: setting('query_timeout', statementTimeoutMs + SILENCE_MS),
  };
}

function openPool(url: string, { poolSize, log, statementTimeoutMs, lockTimeoutMs }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: withLibpqTls(url),
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    fallback_application_name: 'kb-gateway',
    keepAlive: true,
    types: { getTypeParser },
  });
  // An error event that nobody listens to would end the process. Who uses the connection hears of it by its statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => {
    const { code } = new ConnectionLost(error);
    log('warn', 'A connection to the store was lost.', { code });
  });
  return pool;
}

/** Makes `sslmode` mean what it does to every other client of PostgreSQL: pg reads it in a way of its own. */
function withLibpqTls(url: string): string {
  const withTls = new URL(url);
  if (withTls.searchParams.has('sslmode')) withTls.searchParams.set('uselibpqcompat', 'true');
  return withTls.href;
}

/** A count is a `bigint`, which pg would give as text. None of ours is beyond what a number holds. */
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);

class PoolDriver implements Driver {
  readonly #pool: Pool;
  /** What each text is called when it is prepared, the same on every connection. */
  readonly #names = new Map<string, string>();

  readonly #timeouts: Timeouts;

  constructor(pool: Pool, timeouts: Timeouts) {
    this.#pool = pool;
    this.#timeouts = timeouts;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    if (this.#pool.waitingCount >= MAX_WAITING) throw new ConnectionLost(new Error('Too many wait for a connection'));
    try {
      return new PoolConnection(await this.#pool.connect(), (text) => this.#nameOf(text), this.#timeouts);
    } catch (error) {
      throw error instanceof DatabaseError ? error : new ConnectionLost(error);
    }
  }

  #nameOf(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MAX_STATEMENTS) this.#names.set(text, `s${this.#names.size}`);
    return this.#names.get(text);
  }

  async beginTransaction(connection: PoolConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.release();
  }

  /** Ends once every connection was given back and closed: a server that has fallen silent never closes one. */
  async destroy(): Promise<void> {
    await Promise.race([this.#pool.end(), setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
