import { sql } from 'kysely';
import type { State } from './state-access.ts';
import { StateUnavailable } from './state-unavailable.ts';

/** True for an owner whose time is not over. The expression gives the owner. */
export const isAlive = ({ clock }: State, owner: string) =>
  sql<boolean>`exists (select 1 from job_owners as o where o.owner = ${sql.ref(owner)} and o.alive_until > ${clock})`;

export async function keepOwnerAlive(state: State, owner: string, forMs: number): Promise<void> {
  await sql`
    insert into job_owners (owner, alive_until) values (${owner}, ${state.clock} + cast(${forMs} as bigint))
    on conflict (owner) do update set alive_until = excluded.alive_until
  `.execute(state.db);
}

/** Throws `StateUnavailable` for a process that nobody else knows to live: others would take over what it begins. */
export async function requireAlive(state: State, owner: string): Promise<void> {
  const { rows } = await sql`
    select 1 from job_owners where owner = ${owner} and alive_until > ${state.clock}
  `.execute(state.db);
  if (rows.length === 0) throw new StateUnavailable('This process has not told for too long that it lives.');
}
