import type { InferResult } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { InvitedSsoUser } from '../../../domain/reader-groups/invited-sso-users.ts';
import { idTable } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { isTextKey } from './keyset-pages.ts';
import { definePages } from './page-statements.ts';
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

const readInvitedSsoUsers = definePages({
  name: 'invited SSO users',
  key: ['i.id'],
  isKey: isTextKey,
  keyOf: (row) => [row.invitation_id],
  nodeOf: toInvitedSsoUser,
  listOf: (database, emailPart: string | null) =>
    emailPart === null
      ? selectInvitedSsoUsers(database)
      : selectInvitedSsoUsers(database).where(database.dialect.contains('i.email_folded', emailPart)),
});

/** Invited users by ID. `emailContains` ignores case; an empty one matches everybody. */
export const listInvitedSsoUsers = (
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<InvitedSsoUser>, BackendError>> =>
  readInvitedSsoUsers(database, emailContains?.toLowerCase() || null, page);
