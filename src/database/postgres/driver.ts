import { setTimeout } from 'node:timers/promises';
import {
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import type { Log } from '../../base/log.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import { CONNECT_TIMEOUT_MS } from '../connection-provider.ts';
import type { OpenedDialect } from '../dialect.ts';
import { PoolConnection, type PoolState, type Timeouts } from './connection.ts';
import { postgresDialect } from './dialect.ts';
import { ConnectionLostError } from './errors.ts';

/** The most statements outside of calls that wait for a connection; one more fails at once. */
const MAX_PENDING_STATEMENTS = 1_000;

/**
 * How long a statement waits for the lock of another transaction, and how long it takes at most, in milliseconds.
 * Calls wait longer for a connection than for a row, so that a row that another program locks does not cost them the
 * connection.
 */
const LOCK_TIMEOUT_MS = 4_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** Both limits for migrations, which may wait until another gateway has finished its own. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

/** The server rolls back a transaction without statements after so long, so that its locks end, in milliseconds. */
const IDLE_TIMEOUT_MS = 10_000;

/** A server that is so much later than its own limit with a response counts as lost, in milliseconds. */
const SERVER_SILENCE_MS = 5_000;

/** How long closing waits for in-flight calls and for the server to close the connections, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Statements that a connection keeps prepared. The code has fewer than a hundred texts, so none is planned twice. */
const MAX_STATEMENTS = 200;

/**
 * The part of a short time limit that a connection attempt and the silence within a transaction may take: they end
 * before their caller does, and before those who wait for the locks of the transaction.
 */
const SHORT_SHARE = 0.75;

interface PostgresOptions {
  /** The most connections, and so the most concurrent statements. */
  readonly poolSize: number;
  /** The longest time of a statement, a lock and a connection attempt; the limits of the store when it is absent. */
  readonly timeoutMs?: number | undefined;
  /** Gets the connections that are lost while idle. */
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Opens PostgreSQL by its URL. Nothing is connected before the first statement. */
export const openPostgres = (url: string, { poolSize, timeoutMs, log, metrics }: PostgresOptions): OpenedDialect => ({
  dialect: postgresDialect,
  kyselyDialect: createKyselyDialect(url, {
    log,
    metrics,
    poolSize,
    statementTimeoutMs: timeoutMs ?? STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: timeoutMs ?? LOCK_TIMEOUT_MS,
    silenceMs: timeoutMs ?? STATEMENT_TIMEOUT_MS + SERVER_SILENCE_MS,
    connectTimeoutMs: timeoutMs === undefined ? CONNECT_TIMEOUT_MS : SHORT_SHARE * timeoutMs,
    idleMs: timeoutMs === undefined ? IDLE_TIMEOUT_MS : SHORT_SHARE * timeoutMs,
  }),
  migrationDialect: createKyselyDialect(url, {
    log,
    metrics: noMetrics,
    poolSize: 1,
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    lockTimeoutMs: MIGRATION_TIMEOUT_MS,
    silenceMs: MIGRATION_TIMEOUT_MS + SERVER_SILENCE_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleMs: IDLE_TIMEOUT_MS,
  }),
  // One connection is reserved for readiness checks.
  permits: Math.max(1, poolSize - 1),
  isInPlace: () => true,
});

interface PoolOptions extends Omit<PostgresOptions, 'timeoutMs'> {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly silenceMs: number;
  readonly connectTimeoutMs: number;
  readonly idleMs: number;
}

const createKyselyDialect = (url: string, options: PoolOptions): Dialect => ({
  createDriver: () => new PoolDriver(openPool(url, options), timeoutsOf(url, options)),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

/** Parameters of the URL win, as they do for all settings of pg. */
function timeoutsOf(url: string, { statementTimeoutMs, lockTimeoutMs, silenceMs }: PoolOptions): Timeouts {
  const { searchParams } = new URL(url);
  const setting = (name: string, fallback: number) => Number(searchParams.get(name)) || fallback;
  const statementMs = setting('statement_timeout', statementTimeoutMs);
  return {
    statementMs,
    lockMs: setting('lock_timeout', lockTimeoutMs),
    silenceMs: setting('query_timeout', silenceMs),
  };
}

function openPool(url: string, { poolSize, log, metrics, ...timeouts }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: withLibpqTls(url),
    max: poolSize,
    connectionTimeoutMillis: timeouts.connectTimeoutMs,
    statement_timeout: timeouts.statementTimeoutMs,
    query_timeout: timeouts.silenceMs,
    lock_timeout: timeouts.lockTimeoutMs,
    idle_in_transaction_session_timeout: timeouts.idleMs,
    fallback_application_name: 'kb-gateway',
    keepAlive: true,
    types: { getTypeParser },
  });
  // An error event without a listener ends the process. A call gets the error from its statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => {
    const { code } = new ConnectionLostError(error);
    log('warn', 'A connection to the store was lost.', { code });
  });
  metrics.observe('poolIdle', () => pool.idleCount);
  metrics.observe('poolUsed', () => pool.totalCount - pool.idleCount);
  metrics.observe('poolMax', () => poolSize);
  metrics.observe('poolPending', () => pool.waitingCount);
  return pool;
}

/** Gives `sslmode` the meaning that it has in libpq: pg alone reads it differently. */
function withLibpqTls(url: string): string {
  const withTls = new URL(url);
  if (withTls.searchParams.has('sslmode')) withTls.searchParams.set('uselibpqcompat', 'true');
  return withTls.href;
}

/** A count is a `bigint`, which pg returns as text by default. No count is beyond the safe integers. */
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);

class PoolDriver implements Driver {
  readonly #pool: Pool;
  /** The names of prepared statements by their texts, the same on every connection. */
  readonly #names = new Map<string, string>();
  readonly #shared: PoolState;

  constructor(pool: Pool, timeouts: Timeouts) {
    this.#pool = pool;
    const nameOf = (text: string) => this.#nameOf(text);
    this.#shared = { timeouts, nameOf, statementTimeouts: new WeakMap<PoolClient, number>() };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    if (this.#pool.waitingCount >= MAX_PENDING_STATEMENTS) {
      throw new ConnectionLostError(new Error('Too many wait for a connection'));
    }
    try {
      return new PoolConnection(await this.#pool.connect(), this.#shared);
    } catch (error) {
      throw error instanceof DatabaseError ? error : new ConnectionLostError(error);
    }
  }

  #nameOf(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MAX_STATEMENTS) this.#names.set(text, `s${this.#names.size}`);
    return this.#names.get(text);
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings);
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

  /** Waits until every connection is released and closed, for a bounded time: a silent server never closes one. */
  async destroy(): Promise<void> {
    await Promise.race([this.#pool.end(), setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
