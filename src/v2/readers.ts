import { z } from 'zod';
import type { JsonObject } from '../domain/notices.ts';
import type { InvitedSsoUser, Reader } from '../domain/reader-groups/readers.ts';
import { flag, listOf, text } from './fields.ts';

/** One entry of `GET /v2/Readers`: a reader, or somebody invited through single sign-on (facts, section 1). */
export type ReaderEntry =
  | { readonly kind: 'reader'; readonly reader: Reader }
  | { readonly kind: 'invited'; readonly user: InvitedSsoUser };

const readerEntry = z
  .object({
    reader_id: z.string().min(1),
    first_name: text,
    last_name: text,
    email: text,
    associated_reader_groups: z.array(z.string()).nullish().catch(null),
    is_invite_sso_user: flag,
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

/** Null where the entry can't be read. */
export function decodeReaderEntry(entry: unknown): ReaderEntry | null {
  const parsed = readerEntry.safeParse(entry);
  return parsed.success ? parsed.data : null;
}

/** The service's documentation shows this list as one bare object, so that is taken as well as an array. */
export const decodeReaderEntries = (payload: unknown): readonly ReaderEntry[] | null => {
  if (Array.isArray(payload)) return listOf(readerEntry).parse(payload);
  const single = decodeReaderEntry(payload);
  return single && [single];
};

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
