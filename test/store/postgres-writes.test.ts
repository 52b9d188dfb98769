import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/core/base/log.ts';
import { caller, databaseToDrop, emptyDatabase, only, openStore } from './store.ts';

const CANNOT_WRITE = { ok: false, error: { kind: 'unavailable', message: 'The store cannot be written.' } };

async function openLogged(databaseUrl: string) {
  const logged: unknown[][] = [];
  const log: Log = (...line) => logged.push(line);
  const store = await openStore({ databaseUrl, log });
  const { backend } = store;
  const update = (title: string, ...articleIds: readonly string[]) =>
    backend.bulkUpdateArticles(
      caller,
      articleIds.map((articleId) => ({ articleId, title })),
    );
  const title = async (articleId: string) => (await only(backend.articles(caller, [{ articleId }])))?.title;
  return { ...store, logged, update, title };
}

describe('a write to rows that another program has locked', () => {
  it('is unavailable after the lock timeout, and affects no other call', async () => {
    const { database, update, logged } = await openLogged(`${await emptyDatabase()}?lock_timeout=50`);
    await database.db.transaction().execute(async (db) => {
      await sql`select 1 from articles where id = 'a1' for update`.execute(db);
      expect(await update('Never', 'a2', 'a1')).toMatchObject(CANNOT_WRITE);
      expect(await update('Meanwhile', 'a2')).toMatchObject({ ok: true });
    });
    expect(logged).toEqual([
      ['error', 'The store cannot be written.', { code: '55P03', committing: false, requestId: expect.any(String) }],
    ]);
    expect(await update('Now', 'a2', 'a1')).toMatchObject({ ok: true });
  });

  it('is retried after a deadlock', async () => {
    // A waiting statement searches for a deadlock once, after this time, when the other program waits too.
    const settings = '?options=-c%20deadlock_timeout%3D1s';
    const { database, update, title, logged } = await openLogged(`${await emptyDatabase()}${settings}`);
    const blocked = () =>
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database.db,
      );
    let updated: ReturnType<typeof update> | undefined;
    await database.db.transaction().execute(async (db) => {
      await sql`set local deadlock_timeout = '1min'`.execute(db);
      await sql`select 1 from articles where id = 'a2' for update`.execute(db);
      updated = update('Ours', 'a1', 'a2');
      await expect.poll(async () => (await blocked()).rows.length).toBe(1);
      // Each has a lock that the other waits for.
      await sql`select 1 from articles where id = 'a1' for update`.execute(db);
      await sql`update article_versions set title = 'Theirs' where article_id in ('a1', 'a2')`.execute(db);
    });
    expect(await updated).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }, { kind: 'updated' }] } });
    expect([await title('a1'), await title('a2')]).toEqual(['Ours', 'Ours']);
    expect(logged).toEqual([]);
  });

  it('makes a translation once where two updates name it at the same time', async () => {
    const { backend, database } = await openLogged(await emptyDatabase());
    const updates = ['Eins', 'Zwei', 'Drei'].map((title) =>
      backend.bulkUpdateArticles(caller, [{ articleId: 'a2', languageCode: 'de', title }]),
    );
    for (const updated of await Promise.all(updates))
      expect(updated).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }] } });
    const { rows } = await sql`select 1 from article_words where article_id = 'a2' and language_code = 'de'`.execute(
      database.db,
    );
    expect(rows).toHaveLength(1);
  });

  it('gets the lock when the other transaction has been idle for too long', async () => {
    const { database, update } = await openLogged(`${await emptyDatabase()}?lock_timeout=60000`);
    const hanging = database.db.transaction().execute(async (db) => {
      await sql`set local idle_in_transaction_session_timeout = 50`.execute(db);
      await sql`select 1 from articles for update`.execute(db);
      expect(await update('Ours', 'a1')).toMatchObject({ ok: true });
      await sql`select 1`.execute(db);
    });
    await expect(hanging).rejects.toThrow();
  });
});

describe('a write with serialization failures', () => {
  /** Counts the attempts, and fails the given number of them with a serialization failure. */
  async function openConflicting(attempts: number) {
    const { url } = await databaseToDrop();
    const store = await openLogged(url);
    const { db } = store.database;
    await sql`create sequence attempts`.execute(db);
    await sql`
      create function conflict() returns trigger language plpgsql as $$
      begin
        if nextval('attempts') <= ${sql.lit(attempts)} then
          raise exception 'could not serialize access' using errcode = '40001';
        end if;
        return new;
      end $$
    `.execute(db);
    await sql`create trigger conflict before update on article_versions for each row execute function conflict()`.execute(
      db,
    );
    const made = async () => (await sql<{ n: number }>`select last_value as n from attempts`.execute(db)).rows[0]?.n;
    return { ...store, made };
  }

  it('is retried until it succeeds, and is applied once', async () => {
    const { update, title, made, logged } = await openConflicting(3);
    expect(await update('Now', 'a1')).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }] } });
    expect(await made()).toBe(4);
    expect(await title('a1')).toBe('Now');
    expect(logged).toEqual([]);
  });

  it('fails after five attempts', { tags: 'long' }, async () => {
    const { update, title, made, logged } = await openConflicting(100);
    expect(await update('Never', 'a1')).toMatchObject(CANNOT_WRITE);
    expect(await made()).toBe(5);
    expect(await title('a1')).toBe('a1 en 2');
    expect(logged).toEqual([
      ['error', 'The store cannot be written.', { code: '40001', committing: false, requestId: expect.any(String) }],
    ]);
  });
});

describe('a statement that takes too long', () => {
  it('is ended, and the write is unavailable', { tags: 'long' }, async () => {
    const { url } = await databaseToDrop();
    const { database, update, logged } = await openLogged(`${url}?statement_timeout=1000`);
    await sql`
      create function sleep() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end'
    `.execute(database.db);
    await sql`create trigger sleep before update on article_versions for each row execute function sleep()`.execute(
      database.db,
    );
    expect(await update('Never', 'a1')).toMatchObject(CANNOT_WRITE);
    expect(logged).toEqual([
      ['error', 'The store cannot be written.', { code: '57014', committing: false, requestId: expect.any(String) }],
    ]);
  });
});
