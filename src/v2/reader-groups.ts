import { z } from 'zod';
import type { JsonObject } from '../domain/json/json-objects.ts';
import type { ReaderGroup } from '../domain/reader-groups/reader-groups.ts';
import { encodeAccessScope, responseAccessScope } from './access-scopes.ts';
import { lenientText } from './fields.ts';

export const encodeReaderGroup = (group: ReaderGroup): JsonObject => ({
  reader_group_id: group.groupId,
  title: group.title,
  description: group.description,
  associated_readers: group.readerIds,
  access_scope: encodeAccessScope(group.accessScope, []),
  associated_invited_sso_users: group.invitedSsoUserIds,
});

const readerGroup = z
  .object({
    reader_group_id: z.string().min(1),
    title: lenientText,
    description: lenientText,
    associated_readers: z.array(z.string()).nullish(),
    associated_invited_sso_users: z.array(z.string()).nullish(),
    access_scope: responseAccessScope,
  })
  .transform(
    (group): ReaderGroup => ({
      groupId: group.reader_group_id,
      title: group.title ?? '',
      description: group.description,
      readerIds: group.associated_readers ?? [],
      invitedSsoUserIds: group.associated_invited_sso_users ?? [],
      accessScope: group.access_scope,
    }),
  );

/**
 * Null when a member list has the wrong type. Such a list must not be taken for an empty one, since the group may be
 * written back.
 */
export function decodeReaderGroup(payload: unknown): ReaderGroup | null {
  const parsed = readerGroup.safeParse(payload);
  return parsed.success ? parsed.data : null;
}
