import type { TeamAccount } from '../../core/articles/articles.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { idIn, objectOf, textIn } from './fields.ts';

/** Decodes an entry of `GET /v2/Teams`; null where it can't be read. The e-mail address is not read. */
export const decodeTeamAccount = (entry: unknown): TeamAccount | null => decodePerson(entry, 'user_id');

/** Decodes a person. An author of an article has the ID under another name. */
export function decodePerson(given: unknown, idMember: 'id' | 'user_id'): TeamAccount | null {
  const entry = objectOf(given);
  const userId = idIn(entry, idMember);
  if (userId === null) return null;
  return { userId, firstName: textIn(entry, 'first_name'), lastName: textIn(entry, 'last_name') };
}

/** Encodes a team account. */
export const encodeTeamAccount = ({ userId, firstName, lastName }: TeamAccount): JsonObject => ({
  user_id: userId,
  first_name: firstName,
  last_name: lastName,
  email_id: null,
  profile_logo_url: null,
  portal_role: null,
  last_login_at: null,
});
