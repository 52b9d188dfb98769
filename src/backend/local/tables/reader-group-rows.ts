import type { AccessScope } from '../../../domain/reader-groups/access-scopes.ts';
import { toScopeColumns } from './access-scopes.ts';
import type { Tables } from './tables.ts';

/** Rows of the lists of a group. Positions count from 0 in the given order; a repeated member ID is stored once. */

export const groupScopeRows = (groupId: string, scope: AccessScope): readonly Tables['reader_group_scopes'][] =>
  toScopeColumns(scope).map((columns, position) => ({ group_id: groupId, position, ...columns }));

export const groupReaderRows = (
  groupId: string,
  readerIds: readonly string[],
): readonly Tables['reader_group_readers'][] =>
  [...new Set(readerIds)].map((id, position) => ({ group_id: groupId, position, reader_id: id }));

export const groupInvitedSsoUserRows = (
  groupId: string,
  invitationIds: readonly string[],
): readonly Tables['reader_group_invited_sso_users'][] =>
  [...new Set(invitationIds)].map((id, position) => ({ group_id: groupId, position, invited_sso_user_id: id }));
