import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { LIST_PAGES, pageOf } from './list-pages.ts';
import { caller, openStore } from './store.ts';

/** A small store is fast without an index too, so the plans themselves are tested. */
describe('a page of a list', () => {
  it.each(LIST_PAGES)('of %s is found by an index and needs no sorting', async (_what, filter, page) => {
    const { backend, database, counted } = await openStore();
    const { statements } = await counted(() => backend.listArticles(caller, filter, pageOf(page)));
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${statements[0]}`).execute(database.db);
    const plan = rows.map(({ detail }) => detail);
    // `l` are the few languages, `agg` the rows of the page itself.
    expect(plan.filter((step) => /^SCAN (?!l$|agg$)/u.test(step))).toEqual([]);
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });
});

describe('an article', () => {
  it('is found by its slug by an index', async () => {
    const { backend, database, counted } = await openStore();
    const { statements } = await counted(() => backend.articleBySlug(caller, { slug: 'slug-a1' }));
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${statements[0]}`).execute(database.db);
    expect(rows.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('articles_by_slug'));
  });
});
