import { type RawBuilder, sql } from 'kysely';
import type { LinkedState } from './state-link.ts';

/*
 * The clock of the state may be set back. A time that was written before then lies further ahead than any that is written
 * now, and is moved to where it would lie if it were written now: so nothing lasts longer after the step than before it.
 */

/** A gateway that has not told for so long that it lives is missing. */
export const GATEWAY_ALIVE_MS = 4_000;

/** The clocks of processes and of the state run alike for `GATEWAY_ALIVE_MS` but for this. */
export const CLOCK_MARGIN_MS = 500;

const isAhead = (clock: RawBuilder<number>) =>
  sql`alive_until > ${clock} + cast(${GATEWAY_ALIVE_MS + CLOCK_MARGIN_MS} as bigint)`;

/** True for a row of a gateway whose time has ended, or tells nothing since the clock was set back. */
export const isMissing = (clock: RawBuilder<number>) => sql`(alive_until <= ${clock} or ${isAhead(clock)})`;

/** The end of the noted write of a group. */
export const endOfNote = (clock: RawBuilder<number>) => sql`
  case when group_locks.write_ends_at > ${clock} + group_locks.write_ms
    then ${clock} + group_locks.write_ms else group_locks.write_ends_at end
`;

/** All gateways are missing after a step until they tell again that they live. */
export async function followClock({ db, clock }: LinkedState): Promise<void> {
  await sql`
    update gateways
    set alive_until = ${clock}, started_at = case when started_at > ${clock} then ${clock} else started_at end
    where alive_until > ${clock} and exists (select 1 from gateways where ${isAhead(clock)})
  `.execute(db);
  await sql`update read_marks set ends_at = ${clock} + ms where ends_at > ${clock} + ms`.execute(db);
}
