import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { GroupLock, GroupLocks } from '../../../core/shared-state.ts';
import { StateUnavailable } from '../../../core/state-unavailable.ts';
import type { LinkedState, StateLink } from './state-link.ts';

/** The first pause between two attempts to take a lock, in milliseconds. It grows up to the longest one. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;
const GROWTH = 1.5;

/** A process that has taken a lock again and again for so long leaves it to the others, in milliseconds. */
const TURN_MS = 1_000;

/** It leaves the lock for so long, which is longer than any pause between two attempts, in milliseconds. */
const YIELD_MS = 400;

/** The pause between two statements that keep the session open, in milliseconds. */
const PING_MS = 2_000;

/** The server ends a session, with its locks, after so long without a statement, in milliseconds. */
const SILENCE_MS = 10_000;

const END_WHEN_SILENT = sql`select set_config('idle_session_timeout', ${String(SILENCE_MS)}, false)`;

/** Locks of one session of the server. They end with the session, at once where the process has ended. */
export class SessionLocks implements GroupLocks {
  readonly #link: StateLink;
  readonly #gatewayCount: () => number;
  readonly #takenHere = new Set<string>();
  /** Since when this process has taken each lock again and again, without a longer pause. */
  readonly #turns = new Map<string, { readonly beganAt: number }>();
  readonly #pings = setInterval(() => void this.#ping(), PING_MS).unref();
  #opening: Promise<LockSession> | null = null;

  constructor(link: StateLink, gatewayCount: () => number) {
    this.#link = link;
    this.#gatewayCount = gatewayCount;
  }

  /** Polls for the lock, since a statement that waits for it would block the connection for all other locks. */
  async acquire(groupKey: string, timeoutMs: number): Promise<GroupLock | null> {
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * GROWTH)) {
      const lock = await this.#tryLock(groupKey);
      const msLeft = deadline - performance.now();
      if (lock !== null || msLeft <= 0) return lock;
      await sleep(Math.min(msLeft, pauseMs * (0.5 + Math.random())));
    }
  }

  /** Ends the session, and its locks with it. */
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
   * Gives what is called after the release of a lock. The waiters of this process would get the lock each time before those of
   * others, which poll for it, so after a while the process leaves it to the others.
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

/** The lock, whose notes are written by its own session, and so only while it is held. */
async function holdLock(session: LockSession, groupKey: string): Promise<GroupLock> {
  const { clock } = session.state;
  const holder = randomUUID();
  // Where the clock was set back, a note lasts no longer than if it began now.
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

/** A connection that only this process uses. Once it has failed, its locks are lost and it is not used again. */
class LockSession {
  readonly state: LinkedState;
  readonly #link: StateLink;
  /** Resolved when the connection goes back to the pool. */
  readonly #ended = Promise.withResolvers<void>();
  #isLost = false;

  private constructor(link: StateLink, state: LinkedState) {
    this.#link = link;
    this.state = state;
  }

  /** Takes a connection out of the pool until the session ends. Rejects with `StateUnavailable`. */
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

  /** False where another session has the lock. */
  async tryLock(groupKey: string): Promise<boolean> {
    const tryLock = sql<{ is_locked: boolean }>`select pg_try_advisory_lock(${lockKeyOf(groupKey)}) as is_locked`;
    return (await this.query(tryLock))[0]?.is_locked === true;
  }

  /** Runs a statement. After any failure the session ends, so that no unknown lock stays. */
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
    // The second statement fails with the connection, which the pool then drops.
    const endSession = sql`select pg_terminate_backend(pg_backend_pid())`;
    for (let times = 0; times < 2; times += 1) await endSession.execute(this.state.db).catch(() => {});
    this.#ended.resolve();
  }
}
