import { CompiledQuery, type QueryResult } from 'kysely';
import { DatabaseError, type PoolClient } from 'pg';
import { assertWanted, type CallTerms } from '../call-context.ts';
import type { BoundConnection } from '../connection-provider.ts';
import { ConnectionLost, leavesSessionUsable } from './errors.ts';

/** The bounds of a statement, in milliseconds. */
export interface Timeouts {
  /** The server's own limits, which a new connection has. */
  readonly statementMs: number;
  readonly lockMs: number;
  /** A server that has not answered by then is taken for gone. */
  readonly silenceMs: number;
}

/** The server ends a statement itself when the call's time is up, and has so long to say so, in milliseconds. */
const GRACE_MS = 1_000;

/** The statement limit that a session was last given, where that is not the one it began with. */
const sessionLimits = new WeakMap<PoolClient, number>();

/** A connection of the pool as long as one call has it. Once lost it is used for nothing else, and not given back. */
export class PoolConnection implements BoundConnection {
  readonly #client: PoolClient;
  readonly #nameOf: (text: string) => string | undefined;
  readonly #timeouts: Timeouts;
  #terms: CallTerms | null = null;
  #inTransaction = false;
  #lost: ConnectionLost | null = null;
  #isSuspect = false;

  constructor(client: PoolClient, nameOf: (text: string) => string | undefined, timeouts: Timeouts) {
    this.#client = client;
    this.#nameOf = nameOf;
    this.#timeouts = timeouts;
  }

  bind(terms: CallTerms): void {
    this.#terms = terms;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#terms === null) return this.#send(query, this.#timeouts.silenceMs);
    assertWanted(this.#terms);
    if (!this.#inTransaction) await this.#limitSession();
    // Within a transaction the server ends the statement, so that it is undone for certain and the connection stays.
    return this.#send(query, this.#msLeft() + (this.#inTransaction ? GRACE_MS : 0));
  }

  /** Row locks are what orders our writes, whatever level the server may have as its default. */
  async begin(): Promise<void> {
    const begin = 'begin isolation level read committed';
    this.#inTransaction = true;
    if (this.#terms === null) {
      await this.executeQuery(CompiledQuery.raw(begin));
      return;
    }
    const limit = Math.max(1, Math.ceil(Math.min(this.#msLeft(), this.#timeouts.statementMs)));
    const limits = `set local statement_timeout = ${limit}; set local lock_timeout = ${Math.min(limit, this.#timeouts.lockMs)}`;
    // One round trip.
    await this.executeQuery(CompiledQuery.raw(`${begin}; ${limits}`));
  }

  /** A call without time left is not committed, so that its outcome is certain. */
  async commit(): Promise<void> {
    // PostgreSQL answers the commit of a transaction in which a statement failed with a rollback, and with no error.
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
    return this.#terms === null ? this.#timeouts.silenceMs : Math.max(0, this.#terms.deadline - performance.now());
  }

  /**
   * The call itself gives up at its deadline. What the server goes on with then is bounded by the session's limit, which is
   * a power of two, so that it is seldom set anew.
   */
  async #limitSession(): Promise<void> {
    const { statementMs, silenceMs } = this.#timeouts;
    const wanted = Math.min(statementMs, 2 ** Math.ceil(Math.log2(Math.max(2, this.#msLeft()))));
    if ((sessionLimits.get(this.#client) ?? statementMs) === wanted) return;
    await this.#send(CompiledQuery.raw(`set statement_timeout = ${wanted}`), Math.min(this.#msLeft() || 1, silenceMs));
    sessionLimits.set(this.#client, wanted);
  }

  async #send<R>({ sql, parameters }: CompiledQuery, timeoutMs: number): Promise<QueryResult<R>> {
    if (this.#lost !== null) throw this.#lost;
    try {
      // What has no parameters is not planned either, but for a few: there is nothing to keep.
      const name = parameters.length === 0 ? undefined : this.#nameOf(sql);
      const query_timeout = Math.max(1, Math.min(timeoutMs, this.#timeouts.silenceMs));
      // The types of pg lack the timeout.
      const config = { name, text: sql, values: [...parameters], query_timeout };
      const { rows, rowCount } = await this.#client.query(config);
      return { rows, ...(rowCount != null && { numAffectedRows: BigInt(rowCount) }) };
    } catch (error) {
      if (error instanceof DatabaseError) {
        this.#isSuspect ||= !leavesSessionUsable(error);
        throw error;
      }
      this.#lost = new ConnectionLost(error);
      throw this.#lost;
    }
  }
}
