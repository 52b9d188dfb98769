import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ScopeState, SharedInvalidation, SharedInvalidations } from '../../../core/shared-state.ts';
import type { LinkedState, StateLink } from './state-link.ts';

export function createReadMarks(link: StateLink): SharedInvalidations {
  const check = link.batchReads(readMarks);
  return {
    check: async (scopes) => {
      link.throwIfDown();
      return Promise.all(scopes.map(check));
    },
    begin: (scope, ms) => beginMark(link, scope, ms),
  };
}

/** A mark belongs to one write and ends by its ID alone. One that is over by then still starts a generation. */
async function beginMark(link: StateLink, scope: string, ms: number): Promise<SharedInvalidation> {
  const markId = randomUUID();
  await link.write(async (state) => {
    await startGeneration(state, scope);
    await sql`
      insert into read_marks (mark_id, scope, ends_at, ms)
      values (${markId}, ${scope}, ${state.clock} + cast(${Math.ceil(ms)} as bigint), ${Math.ceil(ms)})
    `.execute(state.db);
  });
  const end = async (state: LinkedState) => {
    await sql`delete from read_marks where mark_id = ${markId}`.execute(state.db);
    await startGeneration(state, scope);
  };
  return { end: () => link.write(end) };
}

/** Generations are unique among all scopes, so that a scope which was swept gets none a second time. */
async function startGeneration({ db, clock }: LinkedState, scope: string): Promise<void> {
  const { rows } = await sql<{ last: number }>`update read_generations set last = last + 1 returning last`.execute(db);
  const [generation] = rows;
  if (generation === undefined) throw new Error('The generations of the shared state are gone.');
  await sql`
    insert into read_scopes (scope, generation, changed_at) values (${scope}, ${generation.last}, ${clock})
    on conflict (scope) do update set generation = excluded.generation, changed_at = excluded.changed_at
  `.execute(db);
}

/** Gives all scopes another generation. */
export async function startEpoch({ db }: LinkedState): Promise<void> {
  await sql`update read_generations set last = last + 1, epoch = last + 1`.execute(db);
}

interface MarkRow {
  readonly scope: string;
  readonly epoch: number;
  readonly generation: number;
  readonly is_marked: number;
}

async function readMarks({ db, dialect, clock }: LinkedState, scopes: readonly string[]): Promise<ScopeState[]> {
  const rows = [...new Set(scopes)].map((scope) => ({ scope }));
  const asked = dialect.jsonTable({ alias: 'asked', rows, columns: { scope: 'text' } });
  const result = await sql<MarkRow>`
    select asked.scope, g.epoch, coalesce(s.generation, 0) as generation,
      case when exists (select 1 from read_marks as m where m.scope = asked.scope and m.ends_at > ${clock})
        then 1 else 0 end as is_marked
    from ${asked} cross join read_generations as g left join read_scopes as s on s.scope = asked.scope
  `.execute(db);
  const marks = new Map(result.rows.map((row) => [row.scope, row]));
  return scopes.map((scope) => {
    const row = marks.get(scope);
    if (row === undefined) throw new Error(`The shared state gave no mark of the scope ${scope}.`);
    return { generation: Math.max(row.epoch, row.generation), isInvalid: row.is_marked === 1 };
  });
}
