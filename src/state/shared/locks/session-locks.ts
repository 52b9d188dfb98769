import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { endOfNote } from '../clock-steps.ts';
import type { GroupLock } from '../shared-state.ts';
import type { LockDriver } from './group-locks.ts';
import { LockSession, type LockSessionOptions } from './lock-session.ts';

/** How often the server hears from the session, in milliseconds. */
const PING_MS = 2_000;

/** The server ends a session that it hears nothing from for so long, and its locks with it, in milliseconds. */
const SILENCE_MS = 10_000;

async function openLasting(options: LockSessionOptions): Promise<LockSession> {
  const session = await LockSession.open(options);
  await session.query(options.dialect.endWhenSilent(SILENCE_MS));
  return session;
}

interface Hold {
  readonly session: LockSession;
  readonly groupKey: string;
  readonly clock: RawBuilder<number>;
  readonly unlock: RawBuilder<unknown>;
}

/** Locks of a session of the server, which end with the session: at once where its process has ended. */
export function createSessionLocks(options: LockSessionOptions, clock: RawBuilder<number>): LockDriver {
  const { dialect } = options;
  let opening: Promise<LockSession> | null = null;
  const openSession = async (): Promise<LockSession> => {
    const earlier = opening;
    const session = await earlier?.catch(() => null);
    if (session && !session.isLost) return session;
    // The first of those that find it lost opens the next one.
    if (opening === null || opening === earlier) opening = openLasting(options);
    return opening;
  };
  const ping = async () => {
    const session = await opening?.catch(() => null);
    if (session && !session.isLost) await session.ping();
  };
  const pings = setInterval(() => void ping(), PING_MS).unref();
  return {
    tryLock: async (groupKey) => {
      const session = await openSession();
      const name = `kb-gateway group ${groupKey}`;
      const [answer] = await session.query(dialect.tryLock(name));
      if (answer?.is_locked !== true) return null;
      return holdLock({ session, groupKey, clock, unlock: dialect.unlock(name) });
    },
    close: async () => {
      clearInterval(pings);
      const session = await opening?.catch(() => null);
      await session?.end();
    },
  };
}

/** Notes are written by the session of the lock: what it can write is written while it has the lock. */
async function holdLock({ session, groupKey, clock, unlock }: Hold): Promise<GroupLock> {
  const holder = randomUUID();
  const notes = await session.query(sql<{ settles_in: number }>`
    update group_locks set write_ends_at = ${endOfNote(clock)} where group_key = ${groupKey}
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
      await session.query(unlock).catch(() => {});
    },
  };
}
