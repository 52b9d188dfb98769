import { isObject, type JsonObject } from '../../core/base/json.ts';
import type { InvitedSsoUser, Reader } from '../../core/reader-groups/reader-groups.ts';
import { isTextList, lenientBoolean, lenientId, lenientText } from './fields.ts';

/** An entry of `GET /v2/Readers`, which lists readers and invited users: see docs/service.md, "Readers". */
export type ReaderEntry =
  | { readonly kind: 'reader'; readonly reader: Reader }
  | { readonly kind: 'invited'; readonly user: InvitedSsoUser };

/** Decodes an entry; null where it can't be read. */
export function decodeReaderEntry(entry: unknown): ReaderEntry | null {
  const id = isObject(entry) ? lenientId(entry['reader_id']) : null;
  if (!isObject(entry) || id === null) return null;
  const email = lenientText(entry['email']);
  if (lenientBoolean(entry['is_invite_sso_user'])) return { kind: 'invited', user: { invitationId: id, email } };
  const groupIds = entry['associated_reader_groups'];
  return {
    kind: 'reader',
    reader: {
      readerId: id,
      firstName: lenientText(entry['first_name']),
      lastName: lenientText(entry['last_name']),
      email,
      groupIds: isTextList(groupIds) ? groupIds : [],
    },
  };
}

/** Encodes a reader or an invited user. */
export function encodeReaderEntry(entry: ReaderEntry): JsonObject {
  const invited = entry.kind === 'invited';
  return {
    reader_id: invited ? entry.user.invitationId : entry.reader.readerId,
    first_name: invited ? null : entry.reader.firstName,
    last_name: invited ? null : entry.reader.lastName,
    email: invited ? entry.user.email : entry.reader.email,
    access_scope: null,
    associated_reader_groups: invited ? [] : (entry.reader.groupIds ?? []),
    is_invite_sso_user: invited,
    last_login_at: null,
  };
}
