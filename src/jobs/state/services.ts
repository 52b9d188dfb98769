import { sql } from 'kysely';
import { serviceUrlOf } from '../../core/base/network.ts';
import { type State, type StateAccess, writeState } from './state-access.ts';

/** Stands for the embedded store, which has no URL. */
const EMBEDDED_STORE = 'the embedded store';

/** The most other services that a warning names. */
const MAX_NAMED = 10;

/** The name of the service in the state. */
export const serviceNameOf = (serviceUrl: string | null): string =>
  serviceUrl === null ? EMBEDDED_STORE : serviceUrlOf(serviceUrl);

/** Records the service of this gateway, and warns of others in the same state. */
export async function enterService(access: StateAccess): Promise<void> {
  const { service } = access;
  const others = await writeState(access, async (state) => {
    const { rows } = await sql<{ service: string }>`
      select service from state_services order by used_at desc, service limit ${MAX_NAMED + 1}
    `.execute(state.db);
    await noteService(state);
    return rows.flatMap((row) => (row.service === service ? [] : [row.service])).slice(0, MAX_NAMED);
  });
  if (others.length > 0) access.log('warn', 'the state is also that of other services', { service, others });
}

async function noteService({ db, clock, service }: State): Promise<void> {
  await sql`
    insert into state_services (service, used_at) values (${service}, ${clock})
    on conflict (service) do update set used_at = excluded.used_at
  `.execute(db);
}

/** Deletes services of which no job or key is left: a job may be paused for `keepMs`, and be kept for as long after that. */
export async function sweepServices(state: State, keepMs: number): Promise<void> {
  await noteService(state);
  await sql`
    delete from state_services
    where service <> ${state.service} and used_at <= ${state.clock} - cast(${2 * keepMs} as bigint)
  `.execute(state.db);
}
