import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { caller, openStore, temporaryFolder, value } from '../../backend/local/store.ts';

const UNAVAILABLE = {
  ok: false,
  error: { kind: 'unavailable', message: 'The store cannot be written.', serviceErrors: [] },
};
const READY = { ok: true, value: undefined };
const UNWRITABLE = { ok: false, error: 'The store cannot be written.' };

const GROUP = { groupId: 'none', title: 'T', accessScope: { level: 'PROJECT' } } as const;

/** A store over a file, and how another connection takes hold of that. */
async function openStoreBeside() {
  const path = join(temporaryFolder(), 'kb.db');
  const { backend, database } = await openStore({ databaseUrl: `sqlite:${path}` });
  const hold = (statement: string): DatabaseSync => {
    const other = new DatabaseSync(path);
    onTestFinished(() => {
      if (other.isOpen) other.close();
    });
    other.exec(statement);
    return other;
  };
  const titleOf = async (articleId: string) => value((await backend.articles(caller, [{ articleId }]))[0])?.title;
  return { backend, database, hold, titleOf };
}

async function openHeldStore() {
  const { hold, ...store } = await openStoreBeside();
  return { ...store, other: hold('begin immediate') };
}

describe('a write while another process writes', () => {
  it('holds up no reader, and is made once the other lets go', async () => {
    const { backend, other, titleOf } = await openHeldStore();
    let ended = 0;
    const writes = ['First', 'Second', 'Third'].map(async (title) => {
      const answer = await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title }]);
      ended += 1;
      return value(answer).outcomes[0]?.kind;
    });
    for (let read = 0; read < 20; read += 1) expect(await titleOf('a1')).toBe('a1 en 2');
    expect(await backend.checkReady()).toEqual(READY);
    expect(ended).toBe(0);
    other.exec('commit');
    expect(await Promise.all(writes)).toEqual(['updated', 'updated', 'updated']);
    expect(await titleOf('a1')).toBe('Third');
  });

  it('is unavailable and changes nothing where the other never lets go', async () => {
    const { backend, other, titleOf } = await openHeldStore();
    const update = () => backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Never' }]);
    const writes = [update(), backend.updateReaderGroup(caller, GROUP), update()];
    expect(await Promise.all(writes)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
    expect(await backend.checkReady()).toEqual(UNWRITABLE);
    const late = backend.bulkUpdateArticles(caller, [{ articleId: 'a2', title: 'Late' }]);
    let isLateEnded = false;
    late.then(() => {
      isLateEnded = true;
    });
    expect(await backend.checkReady()).toEqual(UNWRITABLE);
    expect(isLateEnded).toBe(false);
    other.close();
    expect(value(await late).outcomes[0]).toMatchObject({ kind: 'updated' });
    expect(await backend.checkReady()).toEqual(READY);
    expect(await titleOf('a1')).toBe('a1 en 2');
  });

  it('is waited for by a store that is closed', async () => {
    const { backend, other } = await openHeldStore();
    const update = backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Just in time' }]);
    const closed = backend.close();
    other.exec('commit');
    expect(value(await update).outcomes[0]).toMatchObject({ kind: 'updated' });
    await closed;
  });

  it('makes a store that was not ready ready again without a write', async () => {
    const { backend, other } = await openHeldStore();
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Never' }])).toEqual(UNAVAILABLE);
    expect(await backend.checkReady()).toEqual(UNWRITABLE);
    other.close();
    expect(await backend.checkReady()).toEqual(READY);
  });
});

describe('a read while another process keeps everybody out', () => {
  /** Without a write-ahead log readers are kept out too; with it, only while a process recovers the file. */
  const openLockedStore = async () => {
    const { backend, database, hold } = await openStoreBeside();
    await sql`pragma journal_mode = delete`.execute(database.db);
    return { backend, other: hold('begin exclusive') };
  };

  it('is answered once the other lets go', async () => {
    const { backend, other } = await openLockedStore();
    const read = backend.articles(caller, [{ articleId: 'a1' }]);
    await setImmediate();
    other.close();
    expect(value((await read)[0])).toMatchObject({ title: 'a1 en 2' });
  });

  it('is unavailable where the other never lets go, and the next ones at once', async () => {
    const { backend, other } = await openLockedStore();
    const read = () => backend.articles(caller, [{ articleId: 'a1' }]);
    const answers = await Promise.all(Array.from({ length: 50 }, read));
    for (const [answer] of answers) expect(answer).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(await backend.checkReady()).toEqual({ ok: false, error: 'The store cannot be read.' });
    other.close();
    expect(value((await read())[0])).toMatchObject({ title: 'a1 en 2' });
  });
});
