import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { caller, emptyDatabase, openStore, there } from './store.ts';

/** In a store as small as this one PostgreSQL would rather read all of it, which says nothing of a large one. */
const LIKE_A_LARGE_STORE = '?options=-c%20enable_seqscan%3Doff%20-c%20enable_sort%3Doff';

/** The steps of the plan of a statement, whatever its parameters are. */
async function openPlans() {
  const store = await openStore({ databaseUrl: `${await emptyDatabase()}${LIKE_A_LARGE_STORE}` });
  const planOf = async (statement: string | undefined): Promise<readonly string[]> => {
    const { rows } = await sql
      .raw<Record<string, string>>(`explain (generic_plan) ${there(statement)}`)
      .execute(store.database.db);
    return rows.flatMap((row) => Object.values(row));
  };
  return { ...store, planOf };
}

describe('a page of a list', () => {
  it.each([
    ['a project version', {}, {}],
    ['a project version, behind a cursor', {}, { after: ['a1'] }],
    ['a category', { categoryId: 'guides' }, {}],
    ['a category, behind a cursor', { categoryId: 'guides' }, { after: [1, 'a1'] }],
  ])('of %s is found by an index and needs no sorting', async (_what, filter, { after }: { after?: unknown }) => {
    const { backend, counted, planOf } = await openPlans();
    const cursor = after === undefined ? null : Buffer.from(JSON.stringify(after)).toString('base64url');
    const page = { limit: 10, after: cursor };
    const { statements } = await counted(() => backend.listArticles(caller, filter, page));
    const plan = await planOf(statements[0]);
    expect(plan.filter((step) => /Seq Scan|Sort/u.test(step))).toEqual([]);
  });
});
