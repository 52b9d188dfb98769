import type { TeamAccount } from '../../core/articles/articles.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { lenientId, lenientText } from './fields.ts';

/** Decodes an entry of `GET /v2/Teams`; null where it can't be read. The e-mail address is not read. */
export const decodeTeamAccount = (entry: unknown): TeamAccount | null => decodePerson(entry, 'user_id');

/** Decodes a person. An author of an article has the ID under another name. */
export function decodePerson(entry: unknown, idMember: 'id' | 'user_id'): TeamAccount | null {
  const userId = isObject(entry) ? lenientId(entry[idMember]) : null;
  if (!isObject(entry) || userId === null) return null;
  return { userId, firstName: lenientText(entry['first_name']), lastName: lenientText(entry['last_name']) };
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
