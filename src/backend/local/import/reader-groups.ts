import type { ReaderGroupReplacement } from '../../../domain/reader-groups/reader-group-updates.ts';
import { insertNew, insertRows } from '../tables/insert-rows.ts';
import { groupInvitedRows, groupReaderRows, groupScopeRows } from '../tables/reader-group-rows.ts';
import { chunksOf, type ImportStep, nextPosition } from './insert-in-chunks.ts';

/** Groups with their members and scopes. A group that is there already keeps its own. */
export async function addReaderGroups(
  { within, advance }: ImportStep,
  groups: readonly ReaderGroupReplacement[],
): Promise<number> {
  const firstPosition = await nextPosition(within, 'reader_groups');
  const rows = groups.map((group, index) => ({ group, row: groupRow(group, firstPosition + index) }));
  let count = 0;
  for (const chunk of chunksOf(rows, ({ group }) => CHARACTERS_OF_ID * membersOf(group))) {
    const ids = new Set(
      await insertNew(
        within,
        'reader_groups',
        chunk.map(({ row }) => row),
      ),
    );
    const added = chunk.flatMap(({ group }) => (ids.has(group.groupId) ? [group] : []));
    const readers = added.flatMap(({ groupId, readerIds }) => groupReaderRows(groupId, readerIds));
    const invited = added.flatMap((group) => groupInvitedRows(group.groupId, group.invitedSsoUserIds));
    const scopes = added.flatMap(({ groupId, accessScope }) => groupScopeRows(groupId, accessScope));
    await insertRows(within, 'reader_group_readers', readers);
    await insertRows(within, 'reader_group_invited_sso_users', invited);
    await insertRows(within, 'reader_group_scopes', scopes);
    count += added.length;
    advance(chunk.length);
  }
  return count;
}

/** About what an ID adds to a statement: the rows of members are what makes a chunk of groups large. */
const CHARACTERS_OF_ID = 100;

const membersOf = ({ readerIds, invitedSsoUserIds }: ReaderGroupReplacement): number =>
  readerIds.length + invitedSsoUserIds.length;

const groupRow = ({ groupId, title, description, accessScope }: ReaderGroupReplacement, position: number) => ({
  id: groupId,
  position,
  title,
  description,
  access_level: accessScope.level,
});
