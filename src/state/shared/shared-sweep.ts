import { sql } from 'kysely';
import { startEpoch } from './read-generations.ts';
import type { StateLink } from './state-link.ts';

/** Budgets that have not changed for so long are those of a minute that is over. */
const BUDGET_KEEP_MS = 15 * 60_000;
const SCOPE_KEEP_MS = 60 * 60_000;

/** Rows of one kind that are left after a sweep, and those that one sweep deletes. */
const MAX_ROWS = 10_000;
const MAX_DELETED = 10_000;

/** Deletes what nobody needs any more. Rejects with `StateUnavailable`. */
export async function sweepShared(link: StateLink): Promise<void> {
  await link.write(async ({ db, clock }) => {
    await sql`
      delete from token_budgets where changed_at <= ${clock} - cast(${BUDGET_KEEP_MS} as bigint) or token_key in (
        select token_key from token_budgets order by changed_at desc limit ${MAX_DELETED} offset ${MAX_ROWS}
      )
    `.execute(db);
  });
  await link.write(async ({ db, clock }) => {
    await sql`
      delete from group_locks where write_ends_at <= ${clock}
    `.execute(db);
    await sql`delete from read_marks where ends_at <= ${clock}`.execute(db);
  });
  await link.write(async (state) => {
    const { rows } = await sql`
      delete from read_scopes where (
        changed_at <= ${state.clock} - cast(${SCOPE_KEEP_MS} as bigint) or scope in (
          select scope from read_scopes order by changed_at desc limit ${MAX_DELETED} offset ${MAX_ROWS}
        )
      ) and not exists (select 1 from read_marks as m where m.scope = read_scopes.scope) returning scope
    `.execute(state.db);
    // A scope without a row has the generation of the epoch, which must be another than before it was marked.
    if (rows.length > 0) await startEpoch(state);
  });
}
