import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { caller, openStore, temporaryFolder, value } from '../../store.ts';

const UNAVAILABLE = {
  ok: false,
  error: { kind: 'unavailable', message: 'The store cannot be written.', serviceErrors: [] },
};
const READY = { ok: true, value: undefined };
const UNWRITABLE = { ok: false, error: 'The store cannot be written.' };

const GROUP = { groupId: 'none', title: 'T', accessScope: { level: 'PROJECT' } } as const;

/** A store over a file, and a function that locks the file by another connection. */
async function openStoreWithLocks() {
  const path = join(temporaryFolder(), 'kb.db');
  const { backend, database } = await openStore({ databaseUrl: `sqlite:${path}` });
  const lock = (statement: string): DatabaseSync => {
    const other = new DatabaseSync(path);
    onTestFinished(() => {
      if (other.isOpen) other.close();
    });
    other.exec(statement);
    return other;
  };
  const titleOf = async (articleId: string) => value((await backend.articles(caller, [{ articleId }]))[0])?.title;
  return { backend, database, lock, titleOf };
}

async function openLockedStore() {
  const { lock, ...store } = await openStoreWithLocks();
  return { ...store, other: lock('begin immediate') };
}

describe('a write while another process writes', () => {
  it('blocks no reader, and succeeds after the other has ended', async () => {
    const { backend, other, titleOf } = await openLockedStore();
    let ended = 0;
    const writes = ['First', 'Second', 'Third'].map(async (title) => {
      const result = await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title }]);
      ended += 1;
      return value(result).outcomes[0]?.kind;
    });
    for (let read = 0; read < 20; read += 1) expect(await titleOf('a1')).toBe('a1 en 2');
    expect(await backend.checkReady()).toEqual(READY);
    expect(ended).toBe(0);
    other.exec('commit');
    expect(await Promise.all(writes)).toEqual(['updated', 'updated', 'updated']);
    expect(await titleOf('a1')).toBe('Third');
  });

  it('is unavailable and changes nothing when the other does not end', async () => {
    const { backend, other, titleOf } = await openLockedStore();
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

  it('is waited for when the store is closed', async () => {
    const { backend, other } = await openLockedStore();
    const update = backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Just in time' }]);
    const closed = backend.close();
    other.exec('commit');
    expect(value(await update).outcomes[0]).toMatchObject({ kind: 'updated' });
    await closed;
  });

  it('makes a store ready again without a write of a caller', async () => {
    const { backend, other } = await openLockedStore();
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Never' }])).toEqual(UNAVAILABLE);
    expect(await backend.checkReady()).toEqual(UNWRITABLE);
    other.close();
    expect(await backend.checkReady()).toEqual(READY);
  });
});
