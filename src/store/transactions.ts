import { sql } from 'kysely';
import type { Log } from '../core/base/log.ts';
import { err, type Result } from '../core/base/result.ts';
import { type KeyedMutex, NotBegun } from '../core/base/semaphore.ts';
import type { BackendError } from '../core/errors.ts';
import { abortReasonOf, type CallContext, waiterOf } from './database/call-context.ts';
import { runTransaction, type TransactionResult } from './database/transactions.ts';
import type { WriteQueue } from './database/write-queue.ts';
import { toStoreError } from './errors.ts';
import { defineIdStatement } from './tables/rows.ts';
import type { StoreDatabase } from './tables/tables.ts';

export interface WritableStore {
  readonly database: StoreDatabase;
  readonly log: Log;
  /** True after a failed write. The store is not ready until a write succeeds. */
  readonly lastWrite: { failed: boolean };
  /** Orders all writes when the dialect allows one writer at a time. */
  readonly writeQueue: WriteQueue;
  /**
   * Orders the parts of long writes together with their preparation. Waiting parts do nothing on the event loop, so
   * that the open transaction ends soon, and at most one part waits among the writes of others.
   */
  readonly partQueue: WriteQueue;
  /** Orders the writes of each row when the dialect allows many writers. */
  readonly rowMutex: KeyedMutex;
  /** The context of the call; null when no call caused the write. */
  readonly callContext: CallContext | null;
}

/** A write begins only when its call has so much time left, in milliseconds. */
const MIN_TIME_LEFT_MS = 1_000;

interface WriteOptions {
  /** The ID of the row that the write changes; absent when it changes several. */
  readonly row?: string;
  readonly busyTimeoutMs?: number;
}

type TransactionWork<T> = (transaction: StoreDatabase) => Promise<T>;

/** Runs `work` in one transaction (`runTransaction`). Changes of a successful write survive a crash. */
export async function runInTransaction<T>(
  store: WritableStore,
  work: TransactionWork<T>,
  options: WriteOptions = {},
): Promise<Result<T, BackendError>> {
  const written = await runInTurn(store, work, options);
  if (written.ok || written.error.failure.kind !== 'aborted') store.lastWrite.failed = !written.ok;
  return written.ok ? written : err(toStoreError({ ...store, ...written.error }));
}

/** At most one write of a row waits in the database server. The others of this process wait here. */
async function runInTurn<T>(
  { database, writeQueue, rowMutex, callContext }: WritableStore,
  work: TransactionWork<T>,
  { row, ...options }: WriteOptions,
): Promise<TransactionResult<T>> {
  const run = () =>
    runTransaction({ database, callContext, writeQueue, minTimeLeftMs: MIN_TIME_LEFT_MS, ...options }, work);
  if (database.dialect.hasOneWriter || row === undefined || callContext === null) return run();
  const written = await rowMutex.run(row, waiterOf(callContext), run);
  if (!(written instanceof NotBegun)) return written;
  return err({ failure: { kind: 'aborted', code: abortReasonOf(written) }, committing: false, cause: written });
}

const defineLock = (table: 'articles' | 'reader_groups') =>
  defineIdStatement(
    ({ dialect }, ids) => sql`select count(*) from (
      select 1 from ${sql.table(table)} where id in ${ids} order by id ${dialect.rowLock}
    ) as locked`,
  );

const LOCKS = { articles: defineLock('articles'), reader_groups: defineLock('reader_groups') } as const;

/**
 * Locks rows until the transaction ends. Every write begins with this: it locks all its rows by one statement, in the
 * order of their IDs, so that no two writes deadlock, and a write reads what the one before it has committed.
 */
export async function lockRows(
  transaction: StoreDatabase,
  table: keyof typeof LOCKS,
  ids: readonly string[],
): Promise<void> {
  if (transaction.dialect.rowLock !== null) await LOCKS[table](transaction, ids);
}

/** Allows one import or create at a time, since two would choose the same numbers and slugs. */
export const lockNewEntries = async ({ db, dialect }: StoreDatabase): Promise<void> => {
  await dialect.lockName?.('import').execute(db);
};
