import { type BackendError, readerGroupNotFound, rejected, UNKNOWN_READER_GROUP } from '../../../domain/errors.ts';
import { type Notices, serviceError } from '../../../domain/notices.ts';
import {
  applyMembersChange,
  changesNothing,
  type MembersChange,
  type MembersChanged,
} from '../../../domain/reader-groups/reader-group-members.ts';
import type { ReaderGroupUpdate, ReaderGroupUpdated } from '../../../domain/reader-groups/reader-group-updates.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { findReaderGroup } from '../reads/reader-groups.ts';
import { insertRows } from '../tables/insert-rows.ts';
import { groupInvitedRows, groupReaderRows, groupScopeRows } from '../tables/reader-group-rows.ts';
import type { Database } from '../tables/store-database.ts';
import { missingReferences, type References } from './reader-group-references.ts';
import { lockRows } from './row-locks.ts';
import { type Writable, write } from './transactions.ts';

const NO_NOTICES: Notices = { warnings: [], information: [], extensionData: null };

/**
 * Replaces what the update states and keeps what it leaves out, in one transaction: no other update comes in between.
 * Nothing changes where the group or anything that the update names does not exist. The `result` of every success is
 * false, as in the service's own example (spec, endpoint 2).
 */
export async function updateReaderGroup(
  store: Writable,
  update: ReaderGroupUpdate,
): Promise<Result<ReaderGroupUpdated, BackendError>> {
  const { readerIds = [], invitedSsoUserIds = [], accessScope } = update;
  const work = async (within: Database): Promise<Result<ReaderGroupUpdated, BackendError>> => {
    await lockRows(within, 'reader_groups', [update.groupId]);
    if ((await findReaderGroup(within, update.groupId)) === null) return err(unknownGroup());
    const rejection = await rejectionOf(within, { readerIds, invitedSsoUserIds, accessScope });
    if (rejection) return err(rejection);
    await writeGroup(within, update);
    await writeScopes(within, update);
    await writeMembers(within, update);
    return ok({ serviceResult: false, ...NO_NOTICES });
  };
  const written = await write(store, work, { row: update.groupId });
  return written.ok ? written.value : written;
}

/** The same for its members alone: who is in the group is read and written in one transaction. */
export async function changeReaderGroupMembers(
  store: Writable,
  change: MembersChange,
): Promise<Result<MembersChanged, BackendError>> {
  const { groupId, addReaderIds, addInvitedSsoUserIds } = change;
  const work = async (within: Database): Promise<Result<MembersChanged, BackendError>> => {
    await lockRows(within, 'reader_groups', [groupId]);
    const group = await findReaderGroup(within, groupId);
    if (group === null) return err(unknownGroup());
    const added = { readerIds: addReaderIds, invitedSsoUserIds: addInvitedSsoUserIds, accessScope: null };
    const rejection = await rejectionOf(within, added);
    if (rejection) return err(rejection);
    const { members, report } = applyMembersChange(group, change);
    if (!changesNothing(report)) await writeMembers(within, { groupId, ...members });
    return ok({ report, ...NO_NOTICES });
  };
  const written = await write(store, work, { row: groupId });
  return written.ok ? written.value : written;
}

/** In the service's own words. */
const unknownGroup = (): BackendError => readerGroupNotFound([serviceError(UNKNOWN_READER_GROUP)]);

async function rejectionOf(within: Database, references: References): Promise<BackendError | null> {
  const findings = await missingReferences(within, references);
  if (findings.length === 0) return null;
  const serviceErrors = findings.map((finding) => serviceError(finding));
  return rejected({ httpStatus: 400, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });
}

async function writeGroup({ db }: Database, { groupId, title, description, accessScope }: ReaderGroupUpdate) {
  await db
    .updateTable('reader_groups')
    .set({ title, access_level: accessScope.level, ...(description !== undefined && { description }) })
    .where('id', '=', groupId)
    .execute();
}

async function writeScopes(within: Database, { groupId, accessScope }: ReaderGroupUpdate): Promise<void> {
  await within.db.deleteFrom('reader_group_scopes').where('group_id', '=', groupId).execute();
  await insertRows(within, 'reader_group_scopes', groupScopeRows(groupId, accessScope));
}

type Members = Pick<ReaderGroupUpdate, 'groupId' | 'readerIds' | 'invitedSsoUserIds'>;

async function writeMembers(within: Database, { groupId, readerIds, invitedSsoUserIds }: Members): Promise<void> {
  if (readerIds !== undefined) {
    await within.db.deleteFrom('reader_group_readers').where('group_id', '=', groupId).execute();
    await insertRows(within, 'reader_group_readers', groupReaderRows(groupId, readerIds));
  }
  if (invitedSsoUserIds !== undefined) {
    await within.db.deleteFrom('reader_group_invited_sso_users').where('group_id', '=', groupId).execute();
    await insertRows(within, 'reader_group_invited_sso_users', groupInvitedRows(groupId, invitedSsoUserIds));
  }
}
