import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Log, silentLog } from '../../../../src/core/base/log.ts';
import { createLocalBackend } from '../../../../src/store/local-backend.ts';
import { openStoreDatabase } from '../../../../src/store/tables/store-database.ts';
import { smallKnowledgeBase } from '../../small-knowledge-base.ts';
import { caller, only, openStore, temporaryFolder } from '../../store.ts';

const GONE = { ok: false, error: expect.stringMatching(/removed or replaced/u) };
const CANNOT_WRITE = { ok: false, error: { kind: 'unavailable', message: 'The store cannot be written.' } };
const UPDATED = { ok: true, value: { outcomes: [{ kind: 'updated' }] } };

async function openFile() {
  const path = join(temporaryFolder(), 'kb.db');
  const logged: unknown[][] = [];
  const log: Log = (...line) => logged.push(line);
  const store = await openStore({ databaseUrl: `sqlite:${path}`, log });
  const update = (title = 'Now') => store.backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title }]);
  expect(await update()).toMatchObject(UPDATED);
  return { ...store, path, logged, update };
}

const FILES = ['', '-wal', '-shm'];

const remove = (path: string, suffixes = FILES) => {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true });
};

describe('a store whose files are removed while it is open', () => {
  it.each([
    ['are removed', (path: string) => remove(path)],
    ['are moved', (path: string) => renameSync(path, `${path}.moved`)],
    ['lose the log, which has the last commits', (path: string) => remove(path, ['-wal'])],
    [
      'are replaced by a backup',
      (path: string) => {
        copyFileSync(path, `${path}.backup`);
        renameSync(`${path}.backup`, path);
      },
    ],
  ])('acknowledges no write once they %s, and is not ready', async (_how, lose) => {
    const { backend, path, logged, update } = await openFile();
    expect(await backend.checkReady()).toEqual({ ok: true, value: undefined });
    lose(path);
    expect(await backend.checkReady()).toMatchObject(GONE);
    expect(await update('Never')).toMatchObject(CANNOT_WRITE);
    expect(logged).toEqual([
      ['error', 'The store cannot be written.', { code: 'FILES_GONE', committing: true, requestId: caller.request.id }],
    ]);
    expect((await only(backend.articles(caller, [{ articleId: 'a1' }])))?.title).toBe('Now');
  });

  it('reports an unknown outcome when they are removed during the commit', async () => {
    const path = join(temporaryFolder(), 'kb.db');
    let isLeaving = false;
    // `onStatement` gets a statement after it ran, and before its result is used.
    const onStatement = (text: string) => {
      if (isLeaving && text === 'commit') remove(path);
    };
    const database = await openStoreDatabase(`sqlite:${path}`, { onStatement });
    const backend = createLocalBackend(database, { apiTokens: ['token'], log: silentLog });
    onTestFinished(() => backend.close());
    await backend.importKnowledgeBase(smallKnowledgeBase, () => {});
    isLeaving = true;
    const update = [{ articleId: 'a1', title: 'Perhaps' }];
    expect(await backend.bulkUpdateArticles(caller, update)).toMatchObject({
      ok: true,
      value: { outcomes: [{ kind: 'unknown', articleId: 'a1' }] },
    });
    const group = { groupId: 'none', title: 'Never', accessScope: { level: 'NONE' } } as const;
    expect(await backend.updateReaderGroup(caller, group)).toMatchObject(CANNOT_WRITE);
  });

  it('recovers once they are back in their place', async () => {
    const { backend, path, update } = await openFile();
    for (const suffix of FILES) if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.moved${suffix}`);
    expect(await update('Never')).toMatchObject(CANNOT_WRITE);
    for (const suffix of FILES) {
      if (existsSync(`${path}.moved${suffix}`)) renameSync(`${path}.moved${suffix}`, path + suffix);
    }
    expect(await backend.checkReady()).toEqual({ ok: true, value: undefined });
    expect(await update('Back')).toMatchObject(UPDATED);
    await backend.close();
    const reopened = new DatabaseSync(path);
    expect(reopened.prepare(`select count(*) as n from article_versions where title = 'Back'`).get()).toEqual({ n: 1 });
    reopened.close();
  });
});
