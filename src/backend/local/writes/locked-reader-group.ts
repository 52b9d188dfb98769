import { err, type Result } from '../../../base/result.ts';
import { type BackendError, readerGroupNotFound, UNKNOWN_READER_GROUP_TEXT } from '../../../domain/errors.ts';
import { createServiceError } from '../../../domain/notices.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import { findReaderGroup } from '../reads/reader-groups.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { lockRows } from './row-locks.ts';
import { runInTransaction, type WritableStore } from './transactions.ts';

/** Runs `work` in a transaction that has locked the group. An unknown group is an error with the service's own text. */
export async function changeLockedGroup<T>(
  store: WritableStore,
  groupId: string,
  work: (transaction: StoreDatabase, group: ReaderGroup) => Promise<Result<T, BackendError>>,
): Promise<Result<T, BackendError>> {
  const changeGroup = async (transaction: StoreDatabase): Promise<Result<T, BackendError>> => {
    await lockRows(transaction, 'reader_groups', [groupId]);
    const group = await findReaderGroup(transaction, groupId);
    if (group === null) return err(readerGroupNotFound([createServiceError(UNKNOWN_READER_GROUP_TEXT)]));
    return work(transaction, group);
  };
  const written = await runInTransaction(store, changeGroup, { row: groupId });
  return written.ok ? written.value : written;
}
