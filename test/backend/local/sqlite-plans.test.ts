import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { caller, openStore } from './store.ts';

/** An index that is not used would not show in a small store, so the plans themselves are held. */
describe('a page of a list', () => {
  it.each([
    ['a project version', {}, {}],
    ['a project version, behind a cursor', {}, { after: ['a1'] }],
    ['a category', { categoryId: 'guides' }, {}],
    ['a category, behind a cursor', { categoryId: 'guides' }, { after: [1, 'a1'] }],
  ])('of %s is found by an index and needs no sorting', async (_what, filter, { after }: { after?: unknown }) => {
    const { backend, database, counted } = await openStore();
    const cursor = after === undefined ? null : Buffer.from(JSON.stringify(after)).toString('base64url');
    const page = { limit: 10, after: cursor };
    const { statements } = await counted(() => backend.listArticles(caller, filter, page));
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${statements[0]}`).execute(database.db);
    const plan = rows.map(({ detail }) => detail);
    // `l` has the few languages, and `agg` the rows of the page itself.
    expect(plan.filter((step) => /^SCAN (?!l$|agg$)/u.test(step))).toEqual([]);
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });
});
