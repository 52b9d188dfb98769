import { err, ok, type Result } from '../../../base/result.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { NO_NOTICES } from '../../../domain/notices.ts';
import type {
  CompletedReaderGroupUpdate,
  ReaderGroupUpdate,
} from '../../../domain/reader-groups/reader-group-updates.ts';
import { insertRows } from '../tables/insert-rows.ts';
import { groupScopeRows } from '../tables/reader-group-rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { changeLockedGroup } from './locked-reader-group.ts';
import { writeMembers } from './reader-group-members.ts';
import { findMissingReferences } from './reader-group-references.ts';
import type { WritableStore } from './transactions.ts';

/**
 * Replaces what the update contains and keeps what it leaves out. Nothing changes when the group or a reference of the
 * update does not exist. The `result` of every success is false, as in the service's own example:
 * see docs/service.md, "Reader group update".
 */
export function updateReaderGroup(
  store: WritableStore,
  update: ReaderGroupUpdate,
): Promise<Result<CompletedReaderGroupUpdate, BackendError>> {
  const { groupId, title, description, readerIds = [], invitedSsoUserIds = [], accessScope } = update;
  return changeLockedGroup(store, groupId, async (transaction) => {
    const rejection = await findMissingReferences(transaction, {
      ...{ title, description, readerIds, invitedSsoUserIds, accessScope },
    });
    if (rejection) return err(rejection);
    await writeGroup(transaction, update);
    await writeScope(transaction, update);
    await writeMembers(transaction, update);
    return ok({ serviceResult: false, ...NO_NOTICES });
  });
}

async function writeGroup(
  { db }: StoreDatabase,
  { groupId, title, description, accessScope }: ReaderGroupUpdate,
): Promise<void> {
  const columns = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(accessScope !== undefined && { access_level: accessScope.level }),
  };
  if (Object.keys(columns).length === 0) return;
  await db.updateTable('reader_groups').set(columns).where('id', '=', groupId).execute();
}

async function writeScope(transaction: StoreDatabase, { groupId, accessScope }: ReaderGroupUpdate): Promise<void> {
  if (accessScope === undefined) return;
  await transaction.db.deleteFrom('reader_group_scopes').where('group_id', '=', groupId).execute();
  await insertRows(transaction, 'reader_group_scopes', groupScopeRows(groupId, accessScope));
}
