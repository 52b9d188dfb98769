import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { StateUnavailable } from '../../state-unavailable.ts';
import { endOfNote } from '../clock-steps.ts';
import type { GroupLock } from '../shared-state.ts';
import type { StateLink } from '../state-link.ts';
import type { LockDriver } from './group-locks.ts';

/** A lock of a process that has ended is free after so long, in milliseconds. */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;

interface Lease {
  readonly link: StateLink;
  readonly groupKey: string;
  readonly holder: string;
}

/** Locks as rows with a lease, for a database without sessions. */
export const createLeaseLocks = (link: StateLink): LockDriver => ({
  tryLock: async (groupKey) => {
    const lease: Lease = { link, groupKey, holder: randomUUID() };
    const settlesInMs = await take(lease);
    return settlesInMs === null ? null : holdLease(lease, settlesInMs);
  },
  close: async () => {},
});

const take = ({ link, groupKey, holder }: Lease): Promise<number | null> =>
  link.write(async ({ db, clock }) => {
    const { rows } = await sql<{ settles_in: number }>`
      insert into group_locks (group_key, holder, held_until, write_ends_at, write_ms)
      values (${groupKey}, ${holder}, ${clock} + cast(${LEASE_MS} as bigint), 0, 0)
      on conflict (group_key) do update
        set holder = excluded.holder, held_until = excluded.held_until, write_ends_at = ${endOfNote(clock)}
        where group_locks.held_until <= ${clock}
      returning write_ends_at - ${clock} as settles_in
    `.execute(db);
    const [row] = rows;
    if (row !== undefined) return Math.max(0, row.settles_in);
    const leaseEndsAt = sql`${clock} + cast(${LEASE_MS} as bigint)`;
    await sql`
      update group_locks set held_until = ${leaseEndsAt} where group_key = ${groupKey} and held_until > ${leaseEndsAt}
    `.execute(db);
    return null;
  });

function holdLease(lease: Lease, settlesInMs: number): GroupLock {
  // A renewal that fails is made up for by the next one, or the lock is lost, which the next note tells.
  const renewal = setInterval(() => void renew(lease).catch(() => {}), RENEWAL_MS).unref();
  return {
    settlesInMs,
    noteWrite: async (ms) => {
      if (!(await renew(lease, ms))) throw new StateUnavailable('The lock of the reader group was lost.');
    },
    endWrite: () => endNote(lease),
    release: async () => {
      clearInterval(renewal);
      await giveBack(lease).catch(() => {});
    },
  };
}

/** Renews the lease while it lasts, and notes a write where there is one. False where the lock was lost. */
const renew = ({ link, groupKey, holder }: Lease, writeMs: number | null = null): Promise<boolean> =>
  link.write(async ({ db, clock }) => {
    const ms = writeMs === null ? null : sql`cast(${Math.ceil(writeMs)} as bigint)`;
    const note = ms === null ? sql`` : sql`, write_ends_at = ${clock} + ${ms}, write_ms = ${ms}`;
    const { rows } = await sql`
      update group_locks set held_until = ${clock} + cast(${LEASE_MS} as bigint)${note}
      where group_key = ${groupKey} and holder = ${holder} and held_until > ${clock} returning holder
    `.execute(db);
    return rows.length > 0;
  });

const endNote = ({ link, groupKey, holder }: Lease): Promise<void> =>
  link.write(async ({ db }) => {
    await sql`
      update group_locks set write_ends_at = 0 where group_key = ${groupKey} and holder = ${holder}
    `.execute(db);
  });

/** The row stays while it has a note. */
const giveBack = ({ link, groupKey, holder }: Lease): Promise<void> =>
  link.write(async ({ db, clock }) => {
    const isOwn = sql`group_key = ${groupKey} and holder = ${holder}`;
    await sql`update group_locks set held_until = 0 where ${isOwn}`.execute(db);
    await sql`delete from group_locks where ${isOwn} and write_ends_at <= ${clock}`.execute(db);
  });
