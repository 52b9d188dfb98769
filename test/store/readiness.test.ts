import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { caller, openStore, value } from './store.ts';

const READY = { ok: true, value: undefined };

const LARGE = Array.from({ length: 50 }, () => ({ articleId: 'a1', content: 'x'.repeat(200_000) }));

describe('checkReady', () => {
  it('succeeds while the store can be read, and fails when it cannot', async () => {
    const { backend, database } = await openStore();
    expect(await backend.checkReady()).toEqual(READY);
    await sql`alter table project_versions rename to elsewhere`.execute(database.db);
    expect(await backend.checkReady()).toEqual({ ok: false, error: 'The store cannot be read.' });
  });

  it('writes nothing while writes succeed', async () => {
    const { backend, counted } = await openStore();
    value(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Now' }]));
    const { statements } = await counted(() => backend.checkReady());
    expect(statements).toHaveLength(1);
  });

  it('fails from the first failed write until a write succeeds', async () => {
    const { backend, database } = await openStore();
    await sql`pragma query_only = on`.execute(database.db);
    expect(await backend.checkReady()).toEqual(READY);
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Never' }])).toMatchObject({
      ok: false,
    });
    expect(await backend.checkReady()).toEqual({ ok: false, error: 'The store cannot be written.' });
    expect(await backend.checkReady()).toEqual({ ok: false, error: 'The store cannot be written.' });
    await sql`pragma query_only = off`.execute(database.db);
    expect(await backend.checkReady()).toEqual(READY);
  });

  it('leaves no row of its test write', async () => {
    const { backend, database, counted } = await openStore();
    await sql`pragma max_page_count = 1`.execute(database.db);
    expect(await backend.bulkUpdateArticles(caller, LARGE)).toMatchObject({ ok: false });
    const before = await database.db.selectFrom('invited_sso_users').selectAll().orderBy('id').execute();
    const { value: ready, statements } = await counted(() => backend.checkReady());
    expect(ready).toEqual(READY);
    expect(statements.length).toBeGreaterThan(1);
    expect(await database.db.selectFrom('invited_sso_users').selectAll().orderBy('id').execute()).toEqual(before);
    const { statements: next } = await counted(() => backend.checkReady());
    expect(next).toHaveLength(1);
  });
});
