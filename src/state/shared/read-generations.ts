import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LinkedState } from './state-link.ts';

/** Generations are unique among all scopes, so that a scope which was swept gets none a second time. */
export async function startGeneration({ db, clock }: LinkedState, scopes: readonly string[]): Promise<void> {
  const { rows } = await sql<{ last: number }>`update read_generations set last = last + 1 returning last`.execute(db);
  const [generation] = rows;
  if (generation === undefined) throw new Error('The generations of the shared state are gone.');
  for (const scope of scopes) {
    await sql`
      insert into read_scopes (scope, generation, changed_at) values (${scope}, ${generation.last}, ${clock})
      on conflict (scope) do update set generation = excluded.generation, changed_at = excluded.changed_at
    `.execute(db);
  }
}

/** Gives all scopes another generation. */
export async function startEpoch({ db }: LinkedState): Promise<void> {
  await sql`update read_generations set last = last + 1, epoch = last + 1`.execute(db);
}

export interface NewMark {
  readonly scope: string;
  readonly ms: number;
}

/** Marks scopes. The results are the IDs of the marks. */
export async function insertMarks(state: LinkedState, marks: readonly NewMark[]): Promise<readonly string[]> {
  await startGeneration(
    state,
    marks.map(({ scope }) => scope),
  );
  const ids: string[] = [];
  for (const { scope, ms } of marks) {
    const markId = randomUUID();
    await sql`
      insert into read_marks (mark_id, scope, ends_at, ms)
      values (${markId}, ${scope}, ${state.clock} + cast(${Math.ceil(ms)} as bigint), ${Math.ceil(ms)})
    `.execute(state.db);
    ids.push(markId);
  }
  return ids;
}
