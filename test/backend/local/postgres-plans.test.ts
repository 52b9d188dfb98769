import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { LIST_PAGES, pageOf } from './list-pages.ts';
import { caller, emptyDatabase, openStore, there } from './store.ts';

/** In a store as small as this one PostgreSQL would rather read all of it, which says nothing of a large one. */
const LIKE_A_LARGE_STORE = ['enable_seqscan=off', 'enable_sort=off', 'plan_cache_mode=force_generic_plan'];

/** The steps of the plan of a statement, whatever its parameters are. */
async function openPlans() {
  const options = encodeURIComponent(LIKE_A_LARGE_STORE.map((setting) => `-c ${setting}`).join(' '));
  const store = await openStore({ databaseUrl: `${await emptyDatabase()}?options=${options}` });
  const planOf = (statement: string): Promise<readonly string[]> =>
    store.database.db.connection().execute(async (db) => {
      const parameters = new Set(statement.match(/\$\d+/gu));
      const nulls = Array.from(parameters, () => 'null').join(', ');
      await sql.raw(`prepare asked as ${statement}`).execute(db);
      const { rows } = await sql.raw<Record<string, string>>(`explain execute asked(${nulls})`).execute(db);
      return rows.flatMap((row) => Object.values(row));
    });
  return { ...store, planOf };
}

describe('a page of a list', () => {
  it.each(LIST_PAGES)('of %s is found by an index and needs no sorting', async (_what, filter, page) => {
    const { backend, counted, planOf } = await openPlans();
    const { statements } = await counted(() => backend.listArticles(caller, filter, pageOf(page)));
    const plan = await planOf(there(statements[0]));
    expect(plan.filter((step) => /Seq Scan|Sort/u.test(step))).toEqual([]);
  });
});
