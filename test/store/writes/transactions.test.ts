import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../src/core/base/log.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, openStore, temporaryFolder, value } from '../store.ts';

const UNAVAILABLE = {
  ok: false,
  error: { kind: 'unavailable', message: 'The store cannot be written.', serviceErrors: [] },
};

const LARGE = Array.from({ length: 50 }, () => ({ articleId: 'a1', content: 'x'.repeat(200_000) }));

const GROUP = { groupId: 'none', title: 'T', accessScope: { level: 'PROJECT' } } as const;

describe('a write', () => {
  it('runs no other statement between its begin and its commit', async () => {
    const { backend, counted } = await openStore();
    const update = (title: string) => backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title, hidden: true }]);
    const reads = [
      () => backend.articles(caller, [{ articleId: 'a1' }]),
      () => backend.projectVersions(caller),
      () => backend.listReaders(caller, null, { limit: 5 }),
    ];
    const { statements: ofReads } = await counted(() => Promise.all(reads.map((read) => read())));
    const { statements } = await counted(() =>
      Promise.all(['One', 'Two', 'Three'].flatMap((title) => [update(title), ...reads.map((read) => read())])),
    );
    const spans = statements.flatMap((text, begin) =>
      text.startsWith('begin') ? [statements.slice(begin + 1, statements.indexOf('commit', begin))] : [],
    );
    expect(spans).toHaveLength(3);
    for (const span of spans) {
      expect(span).toHaveLength(7);
      for (const text of span) expect([...ofReads, 'begin immediate']).not.toContain(text);
    }
  });

  it('is rolled back where its lease is late before the commit', async () => {
    const { backend, counted } = await openStore();
    const asked: string[] = [];
    const lease = { isExpired: () => asked.push('late') > 0 };
    const { statements } = await counted(async () => {
      const written = await backend.bulkUpdateArticles({ ...caller, lease }, [{ articleId: 'a1', title: 'Never' }]);
      expect(written).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    });
    expect([asked, statements.at(-1)]).toEqual([['late'], 'rollback']);
    const [article] = await backend.articles(caller, [{ articleId: 'a1' }]);
    expect(article).not.toMatchObject({ value: { title: 'Never' } });
  });

  it('of articles with long contents has a statement for some 2 MB of them, whatever it changes', async () => {
    const { backend, counted } = await openStore();
    const ids = ['a1', 'a2', 'a3', 'b1'];
    const writes = async (change: { readonly title?: string; readonly content?: string }) => {
      const { statements } = await counted(() =>
        backend.bulkUpdateArticles(
          caller,
          ids.map((articleId) => ({ articleId, ...change })),
        ),
      );
      return statements.filter((text) => text.startsWith('update "article_versions"')).length;
    };
    expect(await writes({ content: 'x'.repeat(800_000) })).toBe(2);
    expect(await writes({ title: 'Renamed' })).toBe(2);
    expect(await writes({ content: 'short' })).toBe(2);
    expect(await writes({ title: 'Renamed again' })).toBe(1);
  });

  it('is visible to reads as a whole or not at all', async () => {
    const { backend } = await openStore();
    const ids = ['a1', 'a2', 'a3', 'b1', 'w1'];
    const titlesOf = async () => {
      const found = await backend.articles(
        caller,
        ids.map((articleId) => ({ articleId })),
      );
      return new Set(found.map((result) => value(result)?.title?.split(' ')[0]));
    };
    await backend.bulkUpdateArticles(
      caller,
      ids.map((articleId) => ({ articleId, title: 'Round 0' })),
    );
    const rounds = Array.from({ length: 20 }, (_, round) => [
      backend.bulkUpdateArticles(
        caller,
        ids.map((articleId) => ({ articleId, title: `${round}` })),
      ),
      titlesOf(),
    ]).flat();
    for (const seen of await Promise.all(rounds)) if (seen instanceof Set) expect(seen.size).toBe(1);
  });

  it('to a full disk is unavailable and changes nothing, and the next one succeeds', async () => {
    const logged: unknown[][] = [];
    const log: Log = (...line) => logged.push(line);
    const { backend, database } = await openStore({ log });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 2}`).execute(database.db);
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a2', title: 'Never' }, ...LARGE])).toEqual(
      UNAVAILABLE,
    );
    expect(value((await backend.articles(caller, [{ articleId: 'a2' }]))[0])).toMatchObject({ title: 'a2 en 1' });
    expect(await backend.updateReaderGroup(caller, GROUP)).toMatchObject({ ok: true });
    expect(logged).toEqual([
      [
        'error',
        'The store cannot be written.',
        { code: 'SQLITE_FULL', committing: false, requestId: caller.request.id },
      ],
    ]);
  });

  it('to a read-only store is unavailable', async () => {
    const { backend, database } = await openStore();
    await sql`pragma query_only = on`.execute(database.db);
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Never' }])).toEqual(UNAVAILABLE);
  });

  it('throws on a bug, and changes nothing', async () => {
    const { backend, database } = await openStore();
    await sql`alter table article_versions rename to elsewhere`.execute(database.db);
    const update = backend.bulkUpdateArticles(caller, [{ articleId: 'a1', hidden: true }]);
    await expect(update).rejects.toThrow('no such table');
    await sql`alter table elsewhere rename to article_versions`.execute(database.db);
    expect(value((await backend.articles(caller, [{ articleId: 'a1' }]))[0])).toMatchObject({ hidden: false });
  });
});

describe('an import', () => {
  it('stores nothing when the store is full', async () => {
    const nothing = { project_versions: [], languages: [], categories: [], articles: [], readers: [] };
    const { backend, database } = await openStore({
      knowledgeBase: { ...nothing, team_accounts: [], invited_sso_users: [], reader_groups: [] },
    });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 1}`).execute(database.db);
    const articles = smallKnowledgeBase.articles.map((article) => ({
      ...article,
      versions: article.versions.map((version) => ({ ...version, content: 'x'.repeat(10_000) })),
    }));
    await expect(backend.importKnowledgeBase({ ...smallKnowledgeBase, articles }, () => {})).rejects.toThrow(
      'Nothing was imported: The store cannot be written.',
    );
    expect(await backend.isEmpty()).toBe(true);
  });
});

describe('closing', () => {
  it('waits for the in-flight write', async () => {
    const databaseUrl = `sqlite:${join(temporaryFolder(), 'kb.db')}`;
    const { backend } = await openStore({ databaseUrl });
    const updated = backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Just in time' }]);
    await Promise.all([updated, backend.close()]);
    expect(value(await updated).outcomes[0]).toMatchObject({ kind: 'updated' });
    const again = await openStore({ databaseUrl });
    expect(value((await again.backend.articles(caller, [{ articleId: 'a1' }]))[0])).toMatchObject({
      title: 'Just in time',
    });
  });
});
