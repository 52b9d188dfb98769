import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../../../../src/core/base/log.ts';
import { KeyedMutex } from '../../../../src/core/base/semaphore.ts';
import { createWriteQueue } from '../../../../src/store/database/write-queue.ts';
import { runInTransaction } from '../../../../src/store/transactions.ts';
import { caller, only, openStore, temporaryFolder } from '../../store.ts';

it('reads from a file what was committed last, while a transaction is open', async () => {
  const { backend, database } = await openStore({ databaseUrl: `sqlite:${join(temporaryFolder(), 'kb.db')}` });
  const titleOf = async () => (await only(backend.articles(caller, [{ articleId: 'a1' }])))?.title;
  const before = await titleOf();
  const store = {
    database,
    log: silentLog,
    lastWrite: { failed: false },
    writeQueue: createWriteQueue(),
    partQueue: createWriteQueue(),
    rowMutex: new KeyedMutex(() => database.waiterQuota),
    callContext: null,
  };
  const written = await runInTransaction(store, async ({ db }) => {
    await db.updateTable('article_versions').set({ title: 'Written' }).where('article_id', '=', 'a1').execute();
    return titleOf();
  });
  expect(written).toEqual({ ok: true, value: before });
  expect(await titleOf()).toBe('Written');
});
