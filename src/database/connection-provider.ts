import type { ConnectionProvider, DatabaseConnection } from 'kysely';
import { assertWanted, type CallTerms, NotBegun } from './call-context.ts';
import type { FairSemaphore } from './fair-semaphore.ts';

/** A connection that keeps to the terms of the call that has it. */
export interface BoundConnection extends DatabaseConnection {
  bind(terms: CallTerms): void;
}

const isBound = (connection: DatabaseConnection): connection is BoundConnection => 'bind' in connection;

/** Connecting takes no longer than this anyway; a call with less time left gives up earlier. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface CallConnectionsOptions {
  /** The pool that connections are taken from. */
  readonly source: ConnectionProvider;
  readonly terms: CallTerms;
  /** Null for a call that is let past all others. */
  readonly semaphore: FairSemaphore | null;
}

/** Gives a call a connection for each of its statements, or transactions, in its account's turn. */
export class CallConnections implements ConnectionProvider {
  readonly #options: CallConnectionsOptions;

  constructor(options: CallConnectionsOptions) {
    this.#options = options;
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const { terms, semaphore } = this.#options;
    assertWanted(terms);
    const use = () => this.#use(consumer);
    return semaphore === null ? use() : semaphore.run(terms, use);
  }

  async #use<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const { source, terms } = this.#options;
    const msLeft = terms.deadline - performance.now();
    const signal = msLeft < CONNECT_TIMEOUT_MS ? AbortSignal.timeout(Math.ceil(Math.max(0, msLeft))) : null;
    let isConnected = false;
    try {
      return await source.provideConnection(
        (connection) => {
          isConnected = true;
          if (isBound(connection)) connection.bind(terms);
          return consumer(connection);
        },
        signal ? { signal } : {},
      );
    } catch (error) {
      throw signal?.aborted && !isConnected ? new NotBegun('OUT_OF_TIME') : error;
    }
  }
}
