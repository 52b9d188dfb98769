import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import { MAX_DATABASE_WAIT_MS, MAX_PENDING_STATEMENTS, STATEMENT_TIMEOUT_MS } from '../../../core/base/limits.ts';
import type { Log } from '../../../core/base/log.ts';
import { type Metrics, noMetrics } from '../../../core/metrics.ts';
import { type BoundConnection, type CallContext, throwIfAborted } from '../call-context.ts';
import type { OpenedDialect } from '../dialect.ts';
import { postgresDialect } from './dialect.ts';
import { ConnectionLostError } from './errors.ts';

/** The time limits of the connections of a pool, in milliseconds. */
interface Timeouts {
  /** The longest time of a statement, kept by the server. */
  readonly statementMs: number;
  /** How long a statement waits for the lock of another transaction. */
  readonly lockMs: number;
  /** The longest time without any response, after which a connection counts as lost. */
  readonly silenceMs: number;
  readonly connectMs: number;
  /** The longest time without statements in a transaction, after which the server rolls it back, so that its locks end. */
  readonly idleMs: number;
}

/** Milliseconds after the server's own limit, after which a connection without a response counts as lost. */
const SERVER_SILENCE_MS = 5_000;

/** Calls wait longer for a connection than for a row, so that a row lock does not cost them the connection. */
const CALL_TIMEOUTS: Timeouts = {
  statementMs: STATEMENT_TIMEOUT_MS,
  lockMs: 4_000,
  silenceMs: STATEMENT_TIMEOUT_MS + SERVER_SILENCE_MS,
  connectMs: MAX_DATABASE_WAIT_MS,
  idleMs: 10_000,
};

/** Migrations may wait until another gateway has finished its own. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;
const MIGRATION_TIMEOUTS: Timeouts = {
  ...CALL_TIMEOUTS,
  statementMs: MIGRATION_TIMEOUT_MS,
  lockMs: MIGRATION_TIMEOUT_MS,
  silenceMs: MIGRATION_TIMEOUT_MS + SERVER_SILENCE_MS,
};

/**
 * The fraction of a short time limit for a connection attempt, and for a pause within a transaction. Both end before
 * their caller does, and before the waiters for the locks of the transaction.
 */
const SHORT_SHARE = 0.75;

const shortTimeouts = (timeoutMs: number): Timeouts => ({
  statementMs: timeoutMs,
  lockMs: timeoutMs,
  silenceMs: timeoutMs,
  connectMs: SHORT_SHARE * timeoutMs,
  idleMs: SHORT_SHARE * timeoutMs,
});

/** How long closing waits for in-flight calls and for the server to close the connections, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Statements that a connection keeps prepared. The code has fewer than a hundred texts, so none is planned twice. */
const MAX_STATEMENTS = 200;

interface PostgresOptions {
  /** The most connections, and so the most concurrent statements. */
  readonly poolSize: number;
  /** The longest time of a statement, a lock and a connection attempt; the limits of the store when it is absent. */
  readonly timeoutMs?: number | undefined;
  /** Logs the connections that are lost while idle. */
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Opens PostgreSQL by its URL. Nothing is connected before the first statement. */
export const openPostgres = (url: string, { timeoutMs, ...options }: PostgresOptions): OpenedDialect => ({
  dialect: postgresDialect,
  kyselyDialect: createKyselyDialect(url, {
    ...options,
    timeouts: timeoutMs === undefined ? CALL_TIMEOUTS : shortTimeouts(timeoutMs),
  }),
  readingDialect: null,
  migrationDialect: createKyselyDialect(url, {
    log: options.log,
    metrics: noMetrics,
    poolSize: 1,
    timeouts: MIGRATION_TIMEOUTS,
  }),
  // One connection is reserved for readiness checks.
  permits: Math.max(1, options.poolSize - 1),
  isInPlace: () => true,
});

interface PoolOptions extends Omit<PostgresOptions, 'timeoutMs'> {
  readonly timeouts: Timeouts;
}

const createKyselyDialect = (url: string, options: PoolOptions): Dialect => ({
  createDriver: () => {
    const timeouts = timeoutsOf(url, options.timeouts);
    return createPoolDriver(openPool(url, { ...options, timeouts }), timeouts);
  },
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

/** Parameters of the URL win, as they do for all settings of pg. */
function timeoutsOf(url: string, timeouts: Timeouts): Timeouts {
  const { searchParams } = new URL(url);
  const setting = (name: string, fallback: number) => Number(searchParams.get(name)) || fallback;
  return {
    ...timeouts,
    statementMs: setting('statement_timeout', timeouts.statementMs),
    lockMs: setting('lock_timeout', timeouts.lockMs),
    silenceMs: setting('query_timeout', timeouts.silenceMs),
    idleMs: setting('idle_in_transaction_session_timeout', timeouts.idleMs),
  };
}

function openPool(url: string, { poolSize, log, metrics, timeouts }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: connectionUrlOf(url),
    max: poolSize,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.silenceMs,
    onConnect: (client) => client.query(limitsOf(timeouts)),
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

const SESSION_LIMITS = {
  statement_timeout: 'statementMs',
  lock_timeout: 'lockMs',
  idle_in_transaction_session_timeout: 'idleMs',
} as const satisfies Record<string, keyof Timeouts>;

/** The first statement of a session. PgBouncer refuses a connection that asks for these when it starts. */
const limitsOf = (timeouts: Timeouts): string =>
  Object.entries(SESSION_LIMITS)
    .map(([name, of]) => `set ${name} = ${Math.ceil(timeouts[of])}`)
    .join('; ');

/** Gives `sslmode` the meaning that it has in libpq: pg alone reads it differently. */
function connectionUrlOf(url: string): string {
  const changed = new URL(url);
  if (changed.searchParams.has('sslmode')) changed.searchParams.set('uselibpqcompat', 'true');
  for (const name of Object.keys(SESSION_LIMITS)) changed.searchParams.delete(name);
  return changed.href;
}

/** A count is a `bigint`, which pg returns as text by default. No count is beyond the safe integers. */
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);

interface PoolState {
  readonly timeouts: Timeouts;
  /** The names of prepared statements by their texts, the same on every connection. */
  readonly names: Map<string, string>;
  /** The last `statement_timeout` of each session, in milliseconds, unless it is still the initial one. */
  readonly statementTimeouts: WeakMap<PoolClient, number>;
}

function createPoolDriver(pool: Pool, timeouts: Timeouts): Driver {
  const shared: PoolState = { timeouts, names: new Map(), statementTimeouts: new WeakMap() };
  return {
    init: async () => {},
    acquireConnection: async () => {
      if (pool.waitingCount >= MAX_PENDING_STATEMENTS) {
        throw new ConnectionLostError(new Error('Too many wait for a connection'));
      }
      try {
        return new PoolConnection(await pool.connect(), shared);
      } catch (error) {
        throw error instanceof DatabaseError ? error : new ConnectionLostError(error);
      }
    },
    beginTransaction: (connection: PoolConnection, settings) => connection.begin(settings),
    commitTransaction: (connection: PoolConnection) => connection.commit(),
    rollbackTransaction: (connection: PoolConnection) => connection.rollback(),
    releaseConnection: async (connection: PoolConnection) => connection.release(),
    /** Waits until every connection is released and closed, for a bounded time: a silent server never closes one. */
    destroy: () => Promise.race([pool.end(), setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]),
  };
}

/** The name of a prepared statement; undefined for a text that is not prepared. */
function statementNameOf(names: Map<string, string>, { sql, parameters }: CompiledQuery): string | undefined {
  // Preparing texts without parameters gains nothing: almost none of them has a plan.
  if (parameters.length === 0) return undefined;
  if (!names.has(sql) && names.size < MAX_STATEMENTS) names.set(sql, `s${names.size}`);
  return names.get(sql);
}

/** Milliseconds by which a response may be late after the server has ended a statement at the call's deadline. */
const GRACE_MS = 1_000;

/** The context of statements that no call caused, such as those of an import: they have no deadline. */
const NO_CALL = { deadline: Number.POSITIVE_INFINITY, isGone: () => false };

/**
 * A connection of the pool while one call uses it. Once lost, it runs no more statements. It leaves the pool after any
 * error of a statement, since the session may have changed, as behind a pooler.
 */
class PoolConnection implements BoundConnection {
  readonly #client: PoolClient;
  readonly #shared: PoolState;
  #callContext: Pick<CallContext, 'deadline' | 'isGone'> = NO_CALL;
  #inTransaction = false;
  #hasFailed = false;
  #lost: ConnectionLostError | null = null;

  constructor(client: PoolClient, shared: PoolState) {
    this.#client = client;
    this.#shared = shared;
  }

  bind(callContext: CallContext): void {
    this.#callContext = callContext;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    throwIfAborted(this.#callContext);
    if (!this.#inTransaction) await this.#limitSession();
    // Within a transaction the server ends the statement: it is rolled back for certain, and the connection is kept.
    return this.#send(query, this.#msLeft() + (this.#inTransaction ? GRACE_MS : 0));
  }

  /**
   * Row locks order the writes, so the isolation level is set here and not left to the server's default. All statements
   * of a transaction that only reads see one state.
   */
  async begin({ accessMode }: TransactionSettings = {}): Promise<void> {
    const level = accessMode === 'read only' ? 'repeatable read read only' : 'read committed';
    const begin = `begin isolation level ${level}`;
    this.#inTransaction = true;
    const { statementMs, lockMs } = this.#shared.timeouts;
    const limitMs = Math.max(1, Math.ceil(Math.min(this.#msLeft(), statementMs)));
    const lockLimitMs = Math.min(limitMs, lockMs);
    const limits = `set local statement_timeout = ${limitMs}; set local lock_timeout = ${lockLimitMs}`;
    // Both statements are sent as one text, in one round trip.
    await this.executeQuery(CompiledQuery.raw(`${begin}; ${limits}`));
  }

  /** Throws without a commit when the call has no time left, so that its outcome is certain. */
  async commit(): Promise<void> {
    // PostgreSQL rolls back, without an error, when a statement of the transaction has failed.
    if (this.#client.getTransactionStatus() === 'E') {
      throw new Error('A transaction in which a statement failed is not committed.');
    }
    await this.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollback(): Promise<void> {
    await this.#send(CompiledQuery.raw('rollback'), this.#msLeft() + GRACE_MS);
  }

  streamQuery(): never {
    throw new Error('The store streams no query.');
  }

  release(): void {
    this.#client.release(this.#hasFailed);
  }

  #msLeft(): number {
    return Math.max(0, this.#callContext.deadline - performance.now());
  }

  /** Bounds what the server does after the call's deadline. The limit is a power of two, so that it seldom changes. */
  async #limitSession(): Promise<void> {
    const { statementMs, silenceMs } = this.#shared.timeouts;
    const limitMs = Math.min(statementMs, 2 ** Math.ceil(Math.log2(Math.max(2, this.#msLeft()))));
    if ((this.#shared.statementTimeouts.get(this.#client) ?? statementMs) === limitMs) return;
    await this.#send(CompiledQuery.raw(`set statement_timeout = ${limitMs}`), Math.min(this.#msLeft() || 1, silenceMs));
    this.#shared.statementTimeouts.set(this.#client, limitMs);
  }

  async #send<R>(query: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>> {
    if (this.#lost !== null) throw this.#lost;
    const { names, timeouts } = this.#shared;
    try {
      const query_timeout = Math.max(1, Math.min(timeoutMs, timeouts.silenceMs));
      // The types of pg lack `query_timeout`.
      const config = {
        name: statementNameOf(names, query),
        text: query.sql,
        values: [...query.parameters],
        query_timeout,
      };
      const { rows } = await this.#client.query(config);
      return { rows };
    } catch (error) {
      this.#hasFailed = true;
      if (error instanceof DatabaseError) throw error;
      this.#lost = new ConnectionLostError(error);
      throw this.#lost;
    }
  }
}
