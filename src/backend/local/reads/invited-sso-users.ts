import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { InvitedSsoUser } from '../../../domain/reader-groups/readers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { wantedIds } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';
import { countOf, isTextKey, pageColumns, readPlace, toPage } from './keyset-pages.ts';
import type { Found } from './results-by-key.ts';

interface InvitedRow {
  readonly invitation_id: string;
  readonly email: string | null;
}

const invitedRows = ({ db }: Database) =>
  db.selectFrom('invited_sso_users as i').select(['i.id as invitation_id', 'i.email']);

const toInvited = ({ invitation_id, email }: InvitedRow): InvitedSsoUser => ({ invitationId: invitation_id, email });

export async function invitedSsoUsers(
  database: Database,
  invitationIds: readonly string[],
): Promise<Found<InvitedSsoUser | null>> {
  const rows = await invitedRows(database).where('i.id', 'in', wantedIds(database, invitationIds)).execute();
  const byId = new Map(rows.map((row) => [row.invitation_id, toInvited(row)]));
  return invitationIds.map((id) => ok(byId.get(id) ?? null));
}

/** Invited users by ID. The part of an address is looked for as it is in readers. */
export async function listInvitedSsoUsers(
  database: Database,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<InvitedSsoUser>, BackendError>> {
  const { db, engine } = database;
  const place = readPlace(page, isTextKey);
  if (!place.ok) return place;
  const all = invitedRows(database);
  const list = emailContains ? all.where(engine.contains('i.email_folded', emailContains.toLowerCase())) : all;
  const rows = await db
    .selectNoFrom(pageColumns(engine, { list, key: ['i.id'], place: place.value }))
    .executeTakeFirstOrThrow();
  const totalCount = async () => Number((await db.selectNoFrom(countOf(list)).executeTakeFirstOrThrow()).total);
  return ok(toPage(rows, { limit: page.limit, totalCount, keyOf: (row) => [row.invitation_id], nodeOf: toInvited }));
}
