import type { InferResult } from 'kysely';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { InvitedSsoUser } from '../../../domain/reader-groups/invited-sso-users.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { idTable } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { isTextKey, parsePageRequest, readPage } from './keyset-pages.ts';
import type { ResultsByKey } from './results-by-key.ts';

const selectInvitedSsoUsers = ({ db }: StoreDatabase) =>
  db.selectFrom('invited_sso_users as i').select(['i.id as invitation_id', 'i.email']);

const toInvitedSsoUser = ({
  invitation_id,
  email,
}: InferResult<ReturnType<typeof selectInvitedSsoUsers>>[number]): InvitedSsoUser => ({
  invitationId: invitation_id,
  email,
});

export async function invitedSsoUsers(
  database: StoreDatabase,
  invitationIds: readonly string[],
): Promise<ResultsByKey<InvitedSsoUser | null>> {
  const rows = await selectInvitedSsoUsers(database).where('i.id', 'in', idTable(database, invitationIds)).execute();
  const byId = new Map(rows.map((row) => [row.invitation_id, toInvitedSsoUser(row)]));
  return invitationIds.map((id) => ok(byId.get(id) ?? null));
}

/** Invited users by ID. `emailContains` ignores case; an empty one matches everybody. */
export async function listInvitedSsoUsers(
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<InvitedSsoUser>, BackendError>> {
  const keysetRequest = parsePageRequest(page, isTextKey);
  if (!keysetRequest.ok) return keysetRequest;
  const all = selectInvitedSsoUsers(database);
  const list = emailContains
    ? all.where(database.dialect.contains('i.email_folded', emailContains.toLowerCase()))
    : all;
  const query = { list, key: ['i.id'], keysetRequest: keysetRequest.value };
  return ok(await readPage(database, query, { keyOf: (row) => [row.invitation_id], nodeOf: toInvitedSsoUser }));
}
