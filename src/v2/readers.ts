import { z } from 'zod';
import type { JsonObject } from '../domain/json/json-objects.ts';
import type { InvitedSsoUser } from '../domain/reader-groups/invited-sso-users.ts';
import type { Reader } from '../domain/reader-groups/readers.ts';
import { lenientBoolean, lenientText } from './fields.ts';

/** An entry of `GET /v2/Readers`, which lists readers and invited users: see docs/service.md, "Readers". */
export type ReaderEntry =
  | { readonly kind: 'reader'; readonly reader: Reader }
  | { readonly kind: 'invited'; readonly user: InvitedSsoUser };

const readerEntry = z
  .object({
    reader_id: z.string().min(1),
    first_name: lenientText,
    last_name: lenientText,
    email: lenientText,
    associated_reader_groups: z.array(z.string()).nullish().catch(null),
    is_invite_sso_user: lenientBoolean,
  })
  .transform((entry): ReaderEntry => {
    if (entry.is_invite_sso_user) {
      return { kind: 'invited', user: { invitationId: entry.reader_id, email: entry.email } };
    }
    return {
      kind: 'reader',
      reader: {
        readerId: entry.reader_id,
        firstName: entry.first_name,
        lastName: entry.last_name,
        email: entry.email,
        groupIds: entry.associated_reader_groups ?? null,
      },
    };
  });

/** Null for an entry that cannot be read. */
export function decodeReaderEntry(entry: unknown): ReaderEntry | null {
  const parsed = readerEntry.safeParse(entry);
  return parsed.success ? parsed.data : null;
}

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
