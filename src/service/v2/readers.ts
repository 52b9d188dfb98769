import type { JsonObject } from '../../core/base/json.ts';
import type { InvitedSsoUser, Reader } from '../../core/reader-groups/reader-groups.ts';
import { booleanIn, idIn, objectOf, textIn, textsIn } from './fields.ts';

/** An entry of `GET /v2/Readers`, which lists readers and invited users: see docs/service.md, "Readers". */
export type ReaderEntry =
  | { readonly kind: 'reader'; readonly reader: Reader }
  | { readonly kind: 'invited'; readonly user: InvitedSsoUser };

/** Decodes an entry; null where it can't be read. */
export function decodeReaderEntry(given: unknown): ReaderEntry | null {
  const entry = objectOf(given);
  const id = idIn(entry, 'reader_id');
  if (id === null) return null;
  const email = textIn(entry, 'email');
  if (booleanIn(entry, 'is_invite_sso_user')) return { kind: 'invited', user: { invitationId: id, email } };
  return {
    kind: 'reader',
    reader: {
      readerId: id,
      firstName: textIn(entry, 'first_name'),
      lastName: textIn(entry, 'last_name'),
      email,
      groupIds: textsIn(entry, 'associated_reader_groups'),
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
