import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/core/base/log.ts';
import { demoKnowledgeBase } from '../../../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../../../src/store/local-backend.ts';
import { openStoreDatabase } from '../../../../src/store/tables/store-database.ts';
import { SORTED_BY_LANGUAGE } from '../../../support/postgres-database.ts';
import { smallKnowledgeBase } from '../../small-knowledge-base.ts';
import { caller, databaseToDrop, nodesOf, openStore, present, value } from '../../store.ts';

const NEWER = `insert into kysely_migration values ('9999-from-the-future', '2099-01-01T00:00:00.000Z')`;

describe('openDatabase', () => {
  it('creates the schema once when several gateways start together over an empty database', async () => {
    const { url } = await databaseToDrop();
    const made: string[] = [];
    const onStatement = (text: string) => {
      if (/^create table (?:project_versions|reader_groups) /u.test(text)) made.push(text);
    };
    const databases = await Promise.all(Array.from({ length: 8 }, () => openStoreDatabase(url, { onStatement })));
    expect(made).toHaveLength(2);
    const { rows } = await sql`select name from kysely_migration order by name`.execute(present(databases[0]).db);
    expect(rows).toEqual([
      { name: '0001-initial' },
      { name: '0002-store-properties' },
      { name: '0003-article-slugs' },
      { name: '0004-article-lists' },
      { name: '0005-article-words' },
      { name: '0006-article-words' },
      { name: '0007-bounded-words' },
      { name: '0008-publication' },
      { name: '0009-forks' },
    ]);
    await Promise.all(databases.map((database) => database.close()));
  });

  it('waits longer for the migrations of another gateway than for a row', async () => {
    const { url } = await databaseToDrop();
    const first = await openStoreDatabase(url);
    await first.db.connection().execute(async (db) => {
      await sql`select pg_advisory_lock(3853314791062309107)`.execute(db);
      const second = openStoreDatabase(`${url}?lock_timeout=50`);
      const waiting = () => sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db);
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
      await sql`select pg_sleep(0.2)`.execute(db);
      await sql`select pg_advisory_unlock(3853314791062309107)`.execute(db);
      await (await second).close();
    });
    await first.close();
  });

  it('rejects a database of a newer schema, and does not change it', async () => {
    const { url, run } = await databaseToDrop();
    await (await openStoreDatabase(url)).close();
    await run(NEWER);
    await expect(openStoreDatabase(url)).rejects.toThrow(
      /written by a newer kb-gateway \(schema 9999-from-the-future\)/u,
    );
  });

  it('rejects it as well when a newer gateway migrates during the start', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop();
    await (await openStoreDatabase(url)).close();
    // Runs between the check of the schema and the lock. The next statement waits for it.
    const onStatement = async (text: string) => {
      if (text.includes('current_schema() as name')) await run(NEWER);
    };
    await expect(openStoreDatabase(url, { onStatement })).rejects.toThrow(/written by a newer kb-gateway/u);
  });

  it('rejects a database of another program, and does not change it', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table recipes (name text)');
    await expect(openStoreDatabase(url)).rejects.toThrow(/a database of another program/u);
    await run('drop table recipes');
    await (await openStoreDatabase(url)).close();
  });

  it('takes a database that has tables of extensions alone for an empty one', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table spatial_ref_sys (srid integer); alter extension plpgsql add table spatial_ref_sys');
    await (await openStoreDatabase(url)).close();
    await (await openStoreDatabase(url)).close();
  });

  it('rejects an empty database whose encoding lacks letters', async () => {
    const { url } = await databaseToDrop(`template template0 encoding 'LATIN1' locale 'C'`);
    await expect(openStoreDatabase(url)).rejects.toThrow(
      'DATABASE_URL names a database with the encoding LATIN1, which lacks letters that articles may have. Create it with the encoding UTF8.',
    );
  });

  it('uses its own schema of the database, next to another program or another gateway', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop();
    await run('create table public.recipes (name text); create schema one; create schema two');
    const stores = await Promise.all(
      ['one', 'two'].map((schema) =>
        openLocalBackend({
          databaseUrl: `${url}?options=-c%20search_path%3D${schema}`,
          apiTokens: ['token'],
          log: silentLog,
        }),
      ),
    );
    const [one, two] = [present(stores[0]), present(stores[1])];
    await one.importKnowledgeBase(smallKnowledgeBase, () => {});
    expect(await two.isEmpty()).toBe(true);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('gateways that start together over an empty database', () => {
  it('store the demo once', async () => {
    const { url } = await databaseToDrop();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openLocalBackend({ databaseUrl: url, apiTokens: ['token'], log: silentLog })),
    );
    await Promise.all(stores.map((store) => store.importDemo(demoKnowledgeBase)));
    for (const store of stores) {
      const page = value(await store.listReaderGroups(caller, { limit: 100 }));
      expect(nodesOf(page).map(({ groupId }) => groupId)).toEqual(
        demoKnowledgeBase.reader_groups.map(({ groupId }) => groupId),
      );
    }
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe('IDs', () => {
  it('are sorted by their bytes in every locale of the database', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop(SORTED_BY_LANGUAGE);
    await run(`do $$ begin assert 'a' < 'B', 'this database does not sort by a language'; end $$`);
    const article = present(smallKnowledgeBase.articles[1]);
    const ids = ['a', 'B', 'ä', 'Z', '_', '-', '10', '9', '\u{1f600}', '\uffee'];
    const articles = ids.map((articleId) => ({ ...article, id: articleId }));
    const { backend } = await openStore({ databaseUrl: url, knowledgeBase: { ...smallKnowledgeBase, articles } });
    const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = present(value(await backend.listArticles(caller, {}, { limit: 100 })));
    expect(nodesOf(listed).map(({ articleId }) => articleId)).toEqual(byBytes);
    const inCategory = present(value(await backend.listArticles(caller, { categoryId: 'guides' }, { limit: 4 })));
    expect(nodesOf(inCategory).map(({ articleId }) => articleId)).toEqual(byBytes.slice(0, 4));
    const after = present(inCategory.edges.at(-1)).cursor;
    const rest = present(value(await backend.listArticles(caller, { categoryId: 'guides' }, { limit: 100, after })));
    expect(nodesOf(rest).map(({ articleId }) => articleId)).toEqual(byBytes.slice(4));
  });
});
