import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SessionLockDialect } from '../../../database/dialect.ts';
import { StateUnavailable } from '../../state-unavailable.ts';
import type { StateTables } from '../../tables/tables.ts';
import type { StateLink } from '../state-link.ts';

export interface LockSessionOptions {
  readonly link: StateLink;
  readonly dialect: SessionLockDialect;
}

/** A connection of this process alone. Its locks are lost once it has failed, and it is never used again then. */
export class LockSession {
  readonly #options: LockSessionOptions;
  readonly #db: Kysely<StateTables>;
  readonly #giveBack: () => void;
  #isLost = false;

  private constructor(options: LockSessionOptions, db: Kysely<StateTables>, giveBack: () => void) {
    this.#options = options;
    this.#db = db;
    this.#giveBack = giveBack;
  }

  /** Takes a connection out of the pool for as long as the session lives. Rejects with `StateUnavailable`. */
  static open(options: LockSessionOptions): Promise<LockSession> {
    const { link } = options;
    const pinned = Promise.withResolvers<LockSession>();
    const ended = Promise.withResolvers<void>();
    link.database.db
      .connection()
      .execute(async (db) => {
        pinned.resolve(new LockSession(options, db, ended.resolve));
        await ended.promise;
      })
      .catch((error: unknown) => {
        const failure = link.database.dialect.failureOf(error);
        pinned.reject(failure === null ? error : link.fail(failure, error));
      });
    return pinned.promise;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** After a failure of any kind the session is ended, so that no lock stays which this process does not know. */
  async query<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]> {
    if (this.#isLost) throw new StateUnavailable('The connection of the locks was lost.');
    try {
      return (await statement.execute(this.#db)).rows;
    } catch (error) {
      await this.end();
      if (this.#options.link.database.dialect.failureOf(error) === null) throw error;
      throw new StateUnavailable('The connection of the locks was lost.', { cause: error });
    }
  }

  /** The server hears from this session. */
  async ping(): Promise<void> {
    await this.query(sql`select 1`).catch(() => {});
  }

  async end(): Promise<void> {
    if (this.#isLost) return;
    this.#isLost = true;
    // The second one fails with the connection, which leaves the pool for that.
    for (let times = 0; times < 2; times += 1) await this.#options.dialect.endSession.execute(this.#db).catch(() => {});
    this.#giveBack();
  }
}
