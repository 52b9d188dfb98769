import { isObject, type JsonObject } from '../base/json/json-objects.ts';
import type { ReaderGroup } from '../domain/reader-groups/reader-groups.ts';
import { encodeAccessScope, responseAccessScope } from './access-scopes.ts';
import { isTextList, lenientId, lenientText } from './fields.ts';

export const encodeReaderGroup = (group: ReaderGroup): JsonObject => ({
  reader_group_id: group.groupId,
  title: group.title,
  description: group.description,
  associated_readers: group.readerIds,
  access_scope: encodeAccessScope(group.accessScope, []),
  associated_invited_sso_users: group.invitedSsoUserIds,
});

/**
 * Null when a member list has the wrong type. Such a list must not be taken for an empty one, since the group may be
 * written back.
 */
export function decodeReaderGroup(entry: unknown): ReaderGroup | null {
  const groupId = isObject(entry) ? lenientId(entry['reader_group_id']) : null;
  if (!isObject(entry) || groupId === null) return null;
  const readerIds = entry['associated_readers'] ?? [];
  const invitedSsoUserIds = entry['associated_invited_sso_users'] ?? [];
  if (!isTextList(readerIds) || !isTextList(invitedSsoUserIds)) return null;
  return {
    groupId,
    title: lenientText(entry['title']) ?? '',
    description: lenientText(entry['description']),
    readerIds,
    invitedSsoUserIds,
    accessScope: responseAccessScope.parse(entry['access_scope']),
  };
}
