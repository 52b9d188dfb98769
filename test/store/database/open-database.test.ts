import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStoreDatabase } from '../../../src/store/tables/store-database.ts';
import { caller, openStore, temporaryFolder, value } from '../store.ts';

/** The file of a store that was closed properly. */
async function closedStore(): Promise<string> {
  const path = join(temporaryFolder(), 'kb.db');
  await (await openStoreDatabase(`sqlite:${path}`)).close();
  return path;
}

/** Opening fails with the message, does not change the file, and leaves no other file. */
async function expectRefusal(path: string, message: RegExp): Promise<void> {
  const before = readFileSync(path);
  await expect(openStoreDatabase(`sqlite:${path}`)).rejects.toThrow(message);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(join(path, '..'))).toEqual(['kb.db']);
}

describe('openDatabase', () => {
  it('creates the folder of a new file', async () => {
    const path = join(temporaryFolder(), 'some', 'where', 'kb.db');
    await (await openStoreDatabase(`sqlite:${path}`)).close();
    expect(existsSync(path)).toBe(true);
  });

  it('keeps its rows in the file', async () => {
    const databaseUrl = `sqlite:${join(temporaryFolder(), 'kb.db')}`;
    const { backend } = await openStore({ databaseUrl });
    value(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Kept' }]));
    const again = await openStore({ databaseUrl });
    const [article] = await again.backend.articles(caller, [{ articleId: 'a1' }]);
    expect(value(article)).toMatchObject({ title: 'Kept' });
  });

  it('opens a new store in memory each time', async () => {
    const first = await openStore();
    await first.backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Only here' }]);
    const second = await openStore();
    expect(value((await second.backend.articles(caller, [{ articleId: 'a1' }]))[0])).toMatchObject({
      title: 'a1 en 2',
    });
  });

  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['busy_timeout', 0],
  ])('sets %s to %s, so that acknowledged writes last and nothing blocks', async (setting, expected) => {
    const { database } = await openStore({ databaseUrl: `sqlite:${join(temporaryFolder(), 'kb.db')}` });
    const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${setting}`).execute(database.db);
    expect(Object.values(rows[0] ?? {})).toEqual([expected]);
  });

  it('waits for another process that writes at that moment', async () => {
    const path = await closedStore();
    const code = `const { DatabaseSync } = require('node:sqlite');
      const { parentPort, workerData } = require('node:worker_threads');
      const database = new DatabaseSync(workerData);
      database.exec('begin immediate');
      parentPort.postMessage('locked');
      setTimeout(() => database.close(), 300);`;
    const other = new Worker(code, { eval: true, workerData: path });
    await once(other, 'message');
    await (await openStoreDatabase(`sqlite:${path}`)).close();
  });

  it('waits for a transaction of this process, which goes on meanwhile', async () => {
    const path = await closedStore();
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const statements: string[] = [];
    const opening = openStoreDatabase(`sqlite:${path}`, { onStatement: (text) => statements.push(text) });
    await expect.poll(() => statements).toContain('begin immediate');
    other.exec('commit');
    await (await opening).close();
    other.close();
  });

  it.each(['', 'kb.db', 'sqlite:', 'mysql://host/kb', 'file:kb.db'])('refuses the URL %j', async (url) => {
    await expect(openStoreDatabase(url)).rejects.toThrow('DATABASE_URL must be');
  });

  it('rejects a file that is no database, and does not change it', async () => {
    const path = join(temporaryFolder(), 'kb.db');
    writeFileSync(path, 'This is a shopping list: '.repeat(1000));
    await expectRefusal(path, /kb\.db cannot be opened: file is not a database/u);
  });

  it('rejects a truncated database, and does not change it', async () => {
    const path = await closedStore();
    writeFileSync(path, readFileSync(path).subarray(0, 3 * 4096 + 17));
    await expectRefusal(path, /kb\.db cannot be opened: database disk image is malformed/u);
  });

  it('rejects a database of a newer schema, and does not change it', async () => {
    const path = await closedStore();
    const newer = new DatabaseSync(path);
    newer.exec(`insert into kysely_migration values ('9999-from-the-future', '2099-01-01T00:00:00.000Z')`);
    newer.close();
    await expectRefusal(path, /written by a newer kb-gateway \(schema 9999-from-the-future\)/u);
  });

  it('rejects a database from before the first release, and does not change it', async () => {
    const path = await closedStore();
    const earlier = new DatabaseSync(path);
    earlier.exec(`delete from kysely_migration where name >= '0006'`);
    earlier.close();
    await expectRefusal(path, /before its first release \((?:table|index) \w+ already exists\)/u);
  });

  it('rejects a database of another program, and does not change it', async () => {
    const path = join(temporaryFolder(), 'kb.db');
    const other = new DatabaseSync(path);
    other.exec('create table recipes (name text)');
    other.close();
    await expectRefusal(path, /a database of another program/u);
  });

  it('fails with a message when the folder cannot be created', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(openStoreDatabase(`sqlite:${join(file, 'below', 'kb.db')}`)).rejects.toThrow(
      /kb\.db cannot be opened: E/u,
    );
  });

  it('rejects a path that is no file', async () => {
    const path = join(temporaryFolder(), 'kb.db');
    mkdirSync(path);
    await expect(openStoreDatabase(`sqlite:${path}`)).rejects.toThrow(/kb\.db cannot be opened/u);
  });
});

describe('the schema', () => {
  it('is created in one transaction, so that half of it never stays', async () => {
    const statements: string[] = [];
    const database = await openStoreDatabase('sqlite::memory:', { onStatement: (text) => statements.push(text) });
    await database.close();
    const begin = statements.indexOf('begin immediate');
    const commit = statements.indexOf('commit');
    const made = statements.flatMap((text, index) =>
      /^create (?:table|index|unique index) (?!if)/u.test(text) ? [index] : [],
    );
    expect(made.length).toBeGreaterThan(10);
    for (const index of made) expect(begin < index && index < commit).toBe(true);
  });

  it('rejects references to another project version', async () => {
    const { database } = await openStore();
    const move = database.db.updateTable('articles').set({ category_id: 'francais' }).where('id', '=', 'a1');
    await expect(move.execute()).rejects.toThrow('FOREIGN KEY constraint failed');
  });

  it('rejects a second default', async () => {
    const { database } = await openStore();
    await expect(database.db.updateTable('project_versions').set({ is_default: 1 }).execute()).rejects.toThrow(
      'UNIQUE',
    );
    await expect(database.db.updateTable('languages').set({ is_default: 1 }).execute()).rejects.toThrow('UNIQUE');
  });
});
