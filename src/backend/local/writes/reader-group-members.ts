import { err, ok, type Result } from '../../../base/result.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { NO_NOTICES } from '../../../domain/notices.ts';
import {
  applyMembersUpdate,
  type CompletedMembersUpdate,
  changesNothing,
  type MembersUpdate,
} from '../../../domain/reader-groups/reader-group-members.ts';
import type { ReaderGroupUpdate } from '../../../domain/reader-groups/reader-group-updates.ts';
import { insertRows } from '../tables/insert-rows.ts';
import { groupInvitedSsoUserRows, groupReaderRows } from '../tables/reader-group-rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { changeLockedGroup } from './locked-reader-group.ts';
import { findMissingReferences } from './reader-group-references.ts';
import type { WritableStore } from './transactions.ts';

/** Reads and writes the members of a group in one transaction. Nothing changes when an added member does not exist. */
export function changeReaderGroupMembers(
  store: WritableStore,
  update: MembersUpdate,
): Promise<Result<CompletedMembersUpdate, BackendError>> {
  const { groupId, addReaderIds, addInvitedSsoUserIds } = update;
  const added = { readerIds: addReaderIds, invitedSsoUserIds: addInvitedSsoUserIds };
  return changeLockedGroup(store, groupId, async (transaction, group) => {
    const rejection = await findMissingReferences(transaction, added);
    if (rejection) return err(rejection);
    const { members, changes } = applyMembersUpdate(group, update);
    if (!changesNothing(changes)) await writeMembers(transaction, { groupId, ...members });
    return ok({ ...changes, ...NO_NOTICES });
  });
}

type MemberLists = Pick<ReaderGroupUpdate, 'groupId' | 'readerIds' | 'invitedSsoUserIds'>;

/** Replaces the lists that are given and keeps the others. */
export async function writeMembers(
  transaction: StoreDatabase,
  { groupId, readerIds, invitedSsoUserIds }: MemberLists,
): Promise<void> {
  const { db } = transaction;
  if (readerIds !== undefined) {
    await db.deleteFrom('reader_group_readers').where('group_id', '=', groupId).execute();
    await insertRows(transaction, 'reader_group_readers', groupReaderRows(groupId, readerIds));
  }
  if (invitedSsoUserIds !== undefined) {
    const rows = groupInvitedSsoUserRows(groupId, invitedSsoUserIds);
    await db.deleteFrom('reader_group_invited_sso_users').where('group_id', '=', groupId).execute();
    await insertRows(transaction, 'reader_group_invited_sso_users', rows);
  }
}
