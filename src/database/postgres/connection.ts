import { CompiledQuery, type QueryResult, type TransactionSettings } from 'kysely';
import { DatabaseError, type PoolClient } from 'pg';
import { type CallContext, throwIfAborted } from '../call-context.ts';
import type { BoundConnection } from '../connection-provider.ts';
import { ConnectionLostError, leavesSessionUsable } from './errors.ts';

/** The longest time of a statement, in milliseconds. */
export interface Timeouts {
  /** The limits of a new session, kept by the server. */
  readonly statementMs: number;
  readonly lockMs: number;
  /** A connection without any response for so long counts as lost. */
  readonly silenceMs: number;
}

/** The state that the connections of one pool share. */
export interface PoolState {
  readonly timeouts: Timeouts;
  /** The name of a prepared statement by its text; undefined for a text that is not prepared. */
  readonly nameOf: (text: string) => string | undefined;
  /** The last `statement_timeout` of each session, in milliseconds, unless it is still the initial one. */
  readonly statementTimeouts: WeakMap<PoolClient, number>;
}

/** The server ends a statement at the deadline of the call. Its response may be so much later, in milliseconds. */
const GRACE_MS = 1_000;

/** A connection of the pool while one call uses it. Once lost, it runs no more statements and leaves the pool. */
export class PoolConnection implements BoundConnection {
  readonly #client: PoolClient;
  readonly #shared: PoolState;
  #callContext: CallContext | null = null;
  #inTransaction = false;
  #lost: ConnectionLostError | null = null;
  #isSuspect = false;

  constructor(client: PoolClient, shared: PoolState) {
    this.#client = client;
    this.#shared = shared;
  }

  bind(callContext: CallContext): void {
    this.#callContext = callContext;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#callContext === null) return this.#send(query, this.#shared.timeouts.silenceMs);
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
    if (this.#callContext === null) {
      await this.executeQuery(CompiledQuery.raw(begin));
      return;
    }
    const { statementMs, lockMs } = this.#shared.timeouts;
    const limitMs = Math.max(1, Math.ceil(Math.min(this.#msLeft(), statementMs)));
    const lockLimitMs = Math.min(limitMs, lockMs);
    const limits = `set local statement_timeout = ${limitMs}; set local lock_timeout = ${lockLimitMs}`;
    // One text takes one round trip.
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
    this.#client.release(this.#lost !== null || this.#isSuspect);
  }

  #msLeft(): number {
    return this.#callContext === null
      ? this.#shared.timeouts.silenceMs
      : Math.max(0, this.#callContext.deadline - performance.now());
  }

  /**
   * The call itself ends at its deadline; the limit of the session bounds what the server still does then. The limit
   * is a power of two, so that it is seldom changed.
   */
  async #limitSession(): Promise<void> {
    const { statementMs, silenceMs } = this.#shared.timeouts;
    const limitMs = Math.min(statementMs, 2 ** Math.ceil(Math.log2(Math.max(2, this.#msLeft()))));
    if ((this.#shared.statementTimeouts.get(this.#client) ?? statementMs) === limitMs) return;
    await this.#send(CompiledQuery.raw(`set statement_timeout = ${limitMs}`), Math.min(this.#msLeft() || 1, silenceMs));
    this.#shared.statementTimeouts.set(this.#client, limitMs);
  }

  async #send<R>({ sql, parameters }: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>> {
    if (this.#lost !== null) throw this.#lost;
    try {
      // Preparing texts without parameters gains nothing: almost none of them has a plan.
      const name = parameters.length === 0 ? undefined : this.#shared.nameOf(sql);
      const query_timeout = Math.max(1, Math.min(timeoutMs, this.#shared.timeouts.silenceMs));
      // The types of pg lack `query_timeout`.
      const config = { name, text: sql, values: [...parameters], query_timeout };
      const { rows, rowCount } = await this.#client.query(config);
      return { rows, ...(rowCount != null && { numAffectedRows: BigInt(rowCount) }) };
    } catch (error) {
      if (error instanceof DatabaseError) {
        this.#isSuspect ||= !leavesSessionUsable(error);
        throw error;
      }
      this.#lost = new ConnectionLostError(error);
      throw this.#lost;
    }
  }
}
