import type { WholeReaderGroupUpdate } from '../../../domain/reader-groups/reader-group-updates.ts';
import { insertNewRows, insertRows } from '../tables/insert-rows.ts';
import { groupInvitedSsoUserRows, groupReaderRows, groupScopeRows } from '../tables/reader-group-rows.ts';
import { chunksBySize, type ImportContext, nextPosition } from './insert-in-chunks.ts';

/** Adds groups with their members and scopes. Groups that exist already are skipped with theirs. */
export async function addReaderGroups(
  { transaction, reportProgress }: ImportContext,
  groups: readonly WholeReaderGroupUpdate[],
): Promise<number> {
  const firstPosition = await nextPosition(transaction, 'reader_groups');
  const rows = groups.map((group, index) => ({ group, row: groupRow(group, firstPosition + index) }));
  let count = 0;
  for (const chunk of chunksBySize(rows, ({ group }) => CHARACTERS_PER_MEMBER * memberCountOf(group))) {
    const ids = new Set(
      await insertNewRows(
        transaction,
        'reader_groups',
        chunk.map(({ row }) => row),
      ),
    );
    const added = chunk.flatMap(({ group }) => (ids.has(group.groupId) ? [group] : []));
    const readers = added.flatMap(({ groupId, readerIds }) => groupReaderRows(groupId, readerIds));
    const invited = added.flatMap((group) => groupInvitedSsoUserRows(group.groupId, group.invitedSsoUserIds));
    const scopes = added.flatMap(({ groupId, accessScope }) => groupScopeRows(groupId, accessScope));
    await insertRows(transaction, 'reader_group_readers', readers);
    await insertRows(transaction, 'reader_group_invited_sso_users', invited);
    await insertRows(transaction, 'reader_group_scopes', scopes);
    count += added.length;
    reportProgress(chunk.length);
  }
  return count;
}

/** About the length of a member's row in a statement. Members make a chunk of groups large. */
const CHARACTERS_PER_MEMBER = 100;

const memberCountOf = ({ readerIds, invitedSsoUserIds }: WholeReaderGroupUpdate): number =>
  readerIds.length + invitedSsoUserIds.length;

const groupRow = ({ groupId, title, description, accessScope }: WholeReaderGroupUpdate, position: number) => ({
  id: groupId,
  position,
  title,
  description,
  access_level: accessScope.level,
});
