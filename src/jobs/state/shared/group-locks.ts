import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GroupLock, GroupLocks } from '../../../core/shared-state.ts';
import { StateUnavailable } from '../../../core/state-unavailable.ts';
import type { Database } from '../../../store/database/dialect.ts';
import { runSnapshot } from '../../../store/database/transactions.ts';
import type { StateTables } from '../tables.ts';
import type { LinkedState, StateLink } from './state-link.ts';

/** The pause before a lock that was not free is tried again, in milliseconds. It grows up to the longest. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;
const GROWTH = 1.5;

/** A process that has had a lock again and again for so long leaves it to the others, in milliseconds. */
const TURN_MS = 1_000;

/** It does so for longer than any of them pauses between two attempts, in milliseconds. */
const YIELD_MS = 400;

/** How often the server hears from the session, in milliseconds. */
const PING_MS = 2_000;

/** The server ends a session that it hears nothing from for so long, and its locks with it, in milliseconds. */
const SILENCE_MS = 10_000;

const END_WHEN_SILENT = sql`select set_config('idle_session_timeout', ${String(SILENCE_MS)}, false)`;

/** Locks of one session of the server, which end with the session: at once where its process has ended. */
export class SessionLocks implements GroupLocks {
  readonly #link: StateLink;
  readonly #gatewayCount: () => number;
  readonly #takenHere = new Set<string>();
  /** The turns of this process, each since its first lock. One ends when the lock is not acquired again soon. */
  readonly #turns = new Map<string, { readonly beganAt: number }>();
  readonly #pings = setInterval(() => void this.#ping(), PING_MS).unref();
  #opening: Promise<LockSession> | null = null;

  constructor(link: StateLink, gatewayCount: () => number) {
    this.#link = link;
    this.#gatewayCount = gatewayCount;
  }

  /** Polls for the lock: a database that waits for one keeps the connection from all other locks of the process. */
  async acquire(groupKey: string, timeoutMs: number): Promise<GroupLock | null> {
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * GROWTH)) {
      const lock = await this.#tryLock(groupKey);
      const msLeft = deadline - performance.now();
      if (lock !== null || msLeft <= 0) return lock;
      await sleep(Math.min(msLeft, pauseMs * (0.5 + Math.random())));
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    const session = await this.#opening?.catch(() => null);
    await session?.end();
  }

  async #tryLock(groupKey: string): Promise<GroupLock | null> {
    this.#link.throwIfDown();
    if (this.#takenHere.has(groupKey)) return null;
    this.#takenHere.add(groupKey);
    let lock: GroupLock | null = null;
    try {
      const session = await this.#openSession();
      if (await session.tryLock(groupKey)) lock = await holdLock(session, groupKey);
    } finally {
      if (lock === null) this.#takenHere.delete(groupKey);
    }
    if (lock === null) return null;
    const { release } = lock;
    const onReleased = this.#takeTurn(groupKey);
    return { ...lock, release: () => release().finally(onReleased) };
  }

  /**
   * A process knows at once when it has released a lock, and the others only when they try again: without turns, those that
   * wait here would get it each time before the others. Gives what is called when the lock is released.
   */
  #takeTurn(groupKey: string): () => void {
    const turn = { beganAt: this.#turns.get(groupKey)?.beganAt ?? performance.now() };
    this.#turns.set(groupKey, turn);
    return () => {
      const isOver = this.#gatewayCount() > 1 && performance.now() - turn.beganAt >= TURN_MS;
      if (!isOver) this.#takenHere.delete(groupKey);
      setTimeout(() => {
        if (isOver) this.#takenHere.delete(groupKey);
        if (this.#turns.get(groupKey) === turn) this.#turns.delete(groupKey);
      }, YIELD_MS).unref();
    };
  }

  /** The first of those that find the session lost opens the next one. */
  async #openSession(): Promise<LockSession> {
    const earlier = this.#opening;
    const session = await earlier?.catch(() => null);
    if (session && !session.isLost) return session;
    if (this.#opening === null || this.#opening === earlier) this.#opening = LockSession.open(this.#link);
    return this.#opening;
  }

  async #ping(): Promise<void> {
    const session = await this.#opening?.catch(() => null);
    if (session && !session.isLost) await session.query(sql`select 1`).catch(() => {});
  }
}

/** Notes are written by the session of the lock: what it can write is written while it has the lock. */
async function holdLock(session: LockSession, groupKey: string): Promise<GroupLock> {
  const { clock } = session.state;
  const holder = randomUUID();
  // The clock may have been set back since the note was written, which then lasts no longer than it did.
  const notes = await session.query(sql<{ settles_in: number }>`
    update group_locks set write_ends_at =
      case when group_locks.write_ends_at > ${clock} + group_locks.write_ms
        then ${clock} + group_locks.write_ms else group_locks.write_ends_at end
    where group_key = ${groupKey}
    returning write_ends_at - ${clock} as settles_in
  `);
  return {
    settlesInMs: Math.max(0, notes[0]?.settles_in ?? 0),
    noteWrite: async (ms) => {
      await session.query(sql`
        insert into group_locks (group_key, holder, held_until, write_ends_at, write_ms)
        values (${groupKey}, ${holder}, 0, ${clock} + cast(${Math.ceil(ms)} as bigint), ${Math.ceil(ms)})
        on conflict (group_key) do update
        set holder = excluded.holder, write_ends_at = excluded.write_ends_at, write_ms = excluded.write_ms
      `);
    },
    endWrite: async () => {
      await session.query(sql`delete from group_locks where group_key = ${groupKey} and holder = ${holder}`);
    },
    release: async () => {
      await session.query(sql`select pg_advisory_unlock(${lockKeyOf(groupKey)})`).catch(() => {});
    },
  };
}

const lockKeyOf = (groupKey: string) => sql`hashtextextended(${`kb-gateway group ${groupKey}`}, 0)`;

/** A connection of this process alone. Its locks are lost once it has failed, and it is never used again then. */
class LockSession {
  readonly state: LinkedState;
  readonly #link: StateLink;
  /** Resolving it gives the connection back to the pool. */
  readonly #ended = Promise.withResolvers<void>();
  #isLost = false;

  private constructor(link: StateLink, state: LinkedState) {
    this.#link = link;
    this.state = state;
  }

  /** Takes a connection out of the pool for as long as the session lives. Rejects with `StateUnavailable`. */
  static async open(link: StateLink): Promise<LockSession> {
    const { state } = link;
    const opened = Promise.withResolvers<LockSession>();
    const pinned = state.db.connection().execute((db) => {
      const session = new LockSession(link, { ...state, db });
      opened.resolve(session);
      return session.#ended.promise;
    });
    pinned.catch((error: unknown) => {
      const failure = state.dialect.failureOf(error);
      opened.reject(failure === null ? link.failOnce(error) : link.fail(failure.code, error));
    });
    const session = await opened.promise;
    await session.query(END_WHEN_SILENT);
    return session;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** A session can lock a name several times. */
  async tryLock(groupKey: string): Promise<boolean> {
    const tryLock = sql<{ is_locked: boolean }>`select pg_try_advisory_lock(${lockKeyOf(groupKey)}) as is_locked`;
    return (await this.query(tryLock))[0]?.is_locked === true;
  }

  /** After a failure of any kind the session is ended, so that no lock stays which this process does not know. */
  async query<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]> {
    if (this.#isLost) throw new StateUnavailable('The connection of the locks was lost.');
    try {
      return (await statement.execute(this.state.db)).rows;
    } catch (error) {
      await this.end();
      if (this.state.dialect.failureOf(error) === null) throw this.#link.failOnce(error);
      throw new StateUnavailable('The connection of the locks was lost.', { cause: error });
    }
  }

  async end(): Promise<void> {
    if (this.#isLost) return;
    this.#isLost = true;
    // The second one fails with the connection, which leaves the pool for that.
    const endSession = sql`select pg_terminate_backend(pg_backend_pid())`;
    for (let times = 0; times < 2; times += 1) await endSession.execute(this.state.db).catch(() => {});
    this.#ended.resolve();
  }
}

/**
 * Throws with a message for people where a pooler spreads the statements of one connection over several sessions, as
 * PgBouncer does in transaction mode: a lock would be that of a session which others use.
 */
export async function refuseTransactionPooler(database: Database<StateTables>, setting: string): Promise<void> {
  const sessionId = sql<{ id: number }>`select pg_backend_pid() as id`;
  const readId = async (db: Kysely<StateTables>) => (await sessionId.execute(db)).rows[0]?.id;
  const isOwn = await database.db.connection().execute(async (session) => {
    const ids = [await readId(session)];
    const other = await runSnapshot(database, async ({ db }) => {
      const id = await readId(db);
      ids.push(await readId(session), await readId(session));
      return id;
    });
    if (!other.ok) throw other.error.cause;
    return new Set(ids).size === 1 && !ids.includes(other.value);
  });
  if (isOwn) return;
  throw new Error(
    `${setting} names a pooler in transaction mode, through which no lock of a session can be held. Name the PostgreSQL server itself there, or a pooler in session mode.`,
  );
}
