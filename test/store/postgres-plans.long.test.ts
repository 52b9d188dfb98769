import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { LIST_PAGES, pageOf } from './list-pages.ts';
import { caller, databaseToDrop, openStore, present } from './store.ts';

/** PostgreSQL scans small tables, so the plans of a large store show only without scans. */
const LIKE_A_LARGE_STORE = ['enable_seqscan=off', 'enable_sort=off', 'plan_cache_mode=force_generic_plan'];

/** The steps of the plan of a statement for any parameters, in a database where no other test has left traces. */
async function openPlans() {
  const options = encodeURIComponent(LIKE_A_LARGE_STORE.map((setting) => `-c ${setting}`).join(' '));
  const store = await openStore({ databaseUrl: `${(await databaseToDrop()).url}?options=${options}` });
  const planOf = (statement: string): Promise<readonly string[]> =>
    store.database.db.connection().execute(async (db) => {
      const parameters = new Set(statement.match(/\$\d+/gu));
      const nulls = Array.from(parameters, () => 'null').join(', ');
      await sql.raw(`prepare page as ${statement}`).execute(db);
      const { rows } = await sql.raw<Record<string, string>>(`explain execute page(${nulls})`).execute(db);
      return rows.flatMap((row) => Object.values(row));
    });
  return { ...store, planOf };
}

describe('a page of a list', () => {
  it.each(LIST_PAGES)('of %s is found by an index and needs no sorting', async (_what, filter, page) => {
    const { backend, counted, planOf } = await openPlans();
    const { statements } = await counted(() => backend.listArticles(caller, filter, pageOf(page)));
    const plan = await planOf(present(statements[0]));
    expect(plan.filter((step) => /Seq Scan|Sort/u.test(step))).toEqual([]);
  });
});

describe('an article', () => {
  it('is found by its slug by an index', async () => {
    const { backend, counted, planOf } = await openPlans();
    const { statements } = await counted(() => backend.articleBySlug(caller, { slug: 'slug-a1' }));
    expect(await planOf(present(statements[0]))).toContainEqual(expect.stringContaining('articles_by_slug'));
  });
});
