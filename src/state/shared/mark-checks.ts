import { sql } from 'kysely';
import { isMissing } from './clock-steps.ts';
import type { ReadMarks, ScopeMark } from './shared-state.ts';
import type { LinkedState, StateLink } from './state-link.ts';

type MarksByScope = ReadonlyMap<string, ScopeMark>;

interface Batch {
  readonly scopes: Set<string>;
  /** Null where a gateway is missing. */
  readonly marks: Promise<MarksByScope | null>;
}

/**
 * Checks that meet go by one statement. A check that begins after a statement was sent goes by the next one, which sees
 * what was committed until then.
 */
export function batchChecks(link: StateLink): ReadMarks['check'] {
  let next: Batch | null = null;
  let running: Promise<unknown> = Promise.resolve();

  const startBatch = (): Batch => {
    const scopes = new Set<string>();
    const marks = running.then(() => {
      next = null;
      return link.read((state) => readMarks(state, [...scopes]));
    });
    running = marks.catch(() => {});
    return { scopes, marks };
  };
  return async (scopes) => {
    link.throwIfDown();
    next ??= startBatch();
    const batch = next;
    for (const scope of scopes) batch.scopes.add(scope);
    const marks = await batch.marks;
    return marks && scopes.map((scope) => marks.get(scope) ?? unreadable(scope));
  };
}

function unreadable(scope: string): never {
  throw new Error(`The shared state gave no mark of the scope ${scope}.`);
}

interface MarkRow {
  readonly scope: string;
  readonly epoch: number;
  readonly generation: number;
  readonly is_marked: number;
  readonly is_missing: number;
}

async function readMarks({ db, dialect, clock }: LinkedState, scopes: readonly string[]): Promise<MarksByScope | null> {
  const rows = scopes.map((scope) => ({ scope }));
  const asked = dialect.jsonTable({ alias: 'asked', rows, columns: { scope: 'text' } });
  const result = await sql<MarkRow>`
    select asked.scope, g.epoch, coalesce(s.generation, 0) as generation,
      case when exists (select 1 from read_marks as m where m.scope = asked.scope and m.ends_at > ${clock})
        then 1 else 0 end as is_marked,
      case when exists (select 1 from gateways where ${isMissing(clock)}) then 1 else 0 end as is_missing
    from ${asked} cross join read_generations as g left join read_scopes as s on s.scope = asked.scope
  `.execute(db);
  if (result.rows.some(({ is_missing }) => is_missing === 1)) return null;
  return new Map(
    result.rows.map(({ scope, epoch, generation, is_marked }) => [
      scope,
      { generation: Math.max(epoch, generation), isMarked: is_marked === 1 },
    ]),
  );
}
