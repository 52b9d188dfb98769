import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { demoKnowledgeBase } from '../../../src/backend/local/import/demo/demo-knowledge-base.ts';
import { openLocalBackend } from '../../../src/backend/local/local-backend.ts';
import { closeDatabase, openDatabase } from '../../../src/backend/local/tables/store-database.ts';
import { silent } from '../../../src/domain/log.ts';
import { smallKnowledgeBase } from '../../backend/local/small-knowledge-base.ts';
import { caller, databaseToDrop, nodesOf, openStore, there, value } from '../../backend/local/store.ts';
import { SORTED_BY_LANGUAGE } from '../../support/postgres-database.ts';

const NEWER = `insert into kysely_migration values ('9999-from-the-future', '2099-01-01T00:00:00.000Z')`;

describe('openDatabase', () => {
  it('makes the schema once, however many gateways start together over an empty database', async () => {
    const { url } = await databaseToDrop();
    const made: string[] = [];
    const onStatement = (text: string) => {
      if (/^create table (?:project_versions|reader_groups) /u.test(text)) made.push(text);
    };
    const databases = await Promise.all(Array.from({ length: 8 }, () => openDatabase(url, { onStatement })));
    expect(made).toHaveLength(2);
    const { rows } = await sql`select name from kysely_migration`.execute(there(databases[0]).db);
    expect(rows).toEqual([{ name: '0001-initial' }]);
    await Promise.all(databases.map(closeDatabase));
  });

  it('waits for a gateway that changes the schema for longer than for a row', async () => {
    const { url } = await databaseToDrop();
    const first = await openDatabase(url);
    await first.db.connection().execute(async (db) => {
      await sql`select pg_advisory_lock(3853314791062309107)`.execute(db);
      const second = openDatabase(`${url}?lock_timeout=50`);
      const waiting = () => sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db);
      await expect.poll(async () => (await waiting()).rows.length, { timeout: 20_000 }).toBe(1);
      await sql`select pg_sleep(0.2)`.execute(db);
      await sql`select pg_advisory_unlock(3853314791062309107)`.execute(db);
      await closeDatabase(await second);
    });
    await closeDatabase(first);
  });

  it('refuses a database of a newer schema, and leaves it as it is', async () => {
    const { url, run } = await databaseToDrop();
    await closeDatabase(await openDatabase(url));
    await run(NEWER);
    await expect(openDatabase(url)).rejects.toThrow(/written by a newer kb-gateway \(schema 9999-from-the-future\)/u);
  });

  it('says the same when a newer gateway changes the schema while it starts', async () => {
    const { url, run } = await databaseToDrop();
    await closeDatabase(await openDatabase(url));
    // Comes between the look at the schema and the lock. The statement that comes next waits for it.
    const onStatement = async (text: string) => {
      if (text.includes('current_schema() as name')) await run(NEWER);
    };
    await expect(openDatabase(url, { onStatement })).rejects.toThrow(/written by a newer kb-gateway/u);
  });

  it('refuses a database of another program, and leaves it as it is', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table recipes (name text)');
    await expect(openDatabase(url)).rejects.toThrow(/a database of another program/u);
    await run('drop table recipes');
    await closeDatabase(await openDatabase(url));
  });

  it('keeps to its schema of the database, beside another program or another gateway', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table public.recipes (name text); create schema one; create schema two');
    const stores = await Promise.all(
      ['one', 'two'].map((schema) =>
        openLocalBackend({
          databaseUrl: `${url}?options=-c%20search_path%3D${schema}`,
          apiTokens: ['token'],
          log: silent,
        }),
      ),
    );
    const [one, two] = [there(stores[0]), there(stores[1])];
    await one.importKnowledgeBase(smallKnowledgeBase, () => {});
    expect(await two.isEmpty()).toBe(true);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('gateways that start together over an empty database', () => {
  it('put the demo in once', async () => {
    const { url } = await databaseToDrop();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openLocalBackend({ databaseUrl: url, apiTokens: ['token'], log: silent })),
    );
    const summaries = await Promise.all(stores.map((store) => store.importKnowledgeBase(demoKnowledgeBase, () => {})));
    expect(summaries.filter(({ added }) => added.articles > 0)).toHaveLength(1);
    for (const store of stores) {
      const page = value(await store.listReaderGroups(caller, { limit: 100 }));
      expect(nodesOf(page).map(({ groupId }) => groupId)).toEqual(
        demoKnowledgeBase.readerGroups.map(({ groupId }) => groupId),
      );
    }
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe('IDs', () => {
  it('are sorted by their bytes, whatever language the database sorts by', async () => {
    const { url, run } = await databaseToDrop(SORTED_BY_LANGUAGE);
    await run(`do $$ begin assert 'a' < 'B', 'this database does not sort by a language'; end $$`);
    const article = there(smallKnowledgeBase.articles[1]);
    const ids = ['a', 'B', 'ä', 'Z', '_', '-', '10', '9', '\u{1f600}', '\uffee'];
    const articles = ids.map((articleId) => ({ ...article, articleId }));
    const { backend } = await openStore({ databaseUrl: url, knowledgeBase: { ...smallKnowledgeBase, articles } });
    const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = there(value(await backend.listArticles(caller, {}, { limit: 100 })));
    expect(nodesOf(listed).map(({ articleId }) => articleId)).toEqual(byBytes);
    const inCategory = there(value(await backend.listArticles(caller, { categoryId: 'guides' }, { limit: 4 })));
    expect(nodesOf(inCategory).map(({ articleId }) => articleId)).toEqual(byBytes.slice(0, 4));
    const after = there(inCategory.edges.at(-1)).cursor;
    const rest = there(value(await backend.listArticles(caller, { categoryId: 'guides' }, { limit: 100, after })));
    expect(nodesOf(rest).map(({ articleId }) => articleId)).toEqual(byBytes.slice(4));
  });
});
