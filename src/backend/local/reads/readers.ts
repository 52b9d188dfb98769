import type { InferResult } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import { parseJsonArray, type RowsParameter } from '../../../database/dialect.ts';
import { defineStatement } from '../../../database/statements.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { InvitedSsoUser, Reader, ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import { type IdRow, idRowTable, idTable, toIdRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { definePages, onlyPage, readPagesOfIds } from './pages.ts';
import { type ResultsByKey, valuesById } from './results-by-key.ts';

const selectPlainReaders = ({ db }: StoreDatabase) =>
  db
    .selectFrom('readers as r')
    .select(['r.id as readerId', 'r.first_name as firstName', 'r.last_name as lastName', 'r.email']);

/** Readers with the IDs of their groups, in the order of the groups. */
const selectReaders = (database: StoreDatabase) =>
  selectPlainReaders(database).select((eb) =>
    database.dialect
      .jsonArray(
        eb
          .selectFrom('reader_group_readers as gr')
          .innerJoin('reader_groups as g', 'g.id', 'gr.group_id')
          .whereRef('gr.reader_id', '=', 'r.id')
          .select('gr.group_id')
          .orderBy('g.position'),
      )
      .as('groupIds'),
  );

type PlainReaderRow = InferResult<ReturnType<typeof selectPlainReaders>>[number];

const toPlainReader = ({ readerId, firstName, lastName, email }: PlainReaderRow): Reader => ({
  readerId,
  firstName,
  lastName,
  email,
  groupIds: null,
});

const toReader = (row: InferResult<ReturnType<typeof selectReaders>>[number]): Reader => ({
  ...toPlainReader(row),
  groupIds: parseJsonArray(row.groupIds).map(({ group_id }) => group_id),
});

const selectReadersById = defineStatement((database: StoreDatabase, ids: RowsParameter<IdRow>) =>
  selectReaders(database).where('r.id', 'in', idRowTable(database, ids)).compile(),
);

async function readersById(
  database: StoreDatabase,
  readerIds: readonly string[],
): Promise<ReadonlyMap<string, Reader>> {
  const rows = await selectReadersById(database, toIdRows(readerIds));
  return new Map(rows.map((row) => [row.readerId, toReader(row)]));
}

export const readers = async (
  database: StoreDatabase,
  readerIds: readonly string[],
): Promise<ResultsByKey<Reader | null>> => valuesById(readerIds, await readersById(database, readerIds));

const readReaderPage = definePages({
  name: 'readers',
  sortOf: () => ({ key: { 'r.id': 'text' }, keyOf: ({ readerId }) => [readerId] }),
  nodeOf: toReader,
  listOf: (database, emailPart: string | null) =>
    emailPart === null
      ? selectReaders(database)
      : selectReaders(database).where(database.dialect.contains('r.email_folded', emailPart)),
});

/** Readers by ID. `emailContains` ignores case; an empty one matches every reader. */
export const listReaders = async (
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<Reader>, BackendError>> =>
  onlyPage(await readReaderPage(database, { variant: emailContains?.toLowerCase() || null, page }));

const selectPlainReadersById = defineStatement((database: StoreDatabase, ids: RowsParameter<IdRow>) =>
  selectPlainReaders(database).where('r.id', 'in', idRowTable(database, ids)).compile(),
);

/** The readers of each group in the order of its `readerIds`, without the IDs of their groups. */
export const readersOfGroups = (
  database: StoreDatabase,
  groups: readonly ReaderGroup[],
  page: PageRequest,
): Promise<ResultsByKey<Page<Reader>>> => {
  const lists = groups.map(({ readerIds }) => readerIds);
  return readPagesOfIds(lists, page, async (ids) => {
    const rows = await selectPlainReadersById(database, toIdRows(ids));
    return new Map(rows.map((row) => [row.readerId, toPlainReader(row)]));
  });
};

export async function groupIdsOfReaders(
  database: StoreDatabase,
  ofReaders: readonly Reader[],
): Promise<ResultsByKey<readonly string[]>> {
  const plain = ofReaders.filter(({ groupIds }) => groupIds === null).map(({ readerId }) => readerId);
  const byId = plain.length === 0 ? null : await readersById(database, plain);
  return ofReaders.map(({ readerId, groupIds }) => ok(groupIds ?? byId?.get(readerId)?.groupIds ?? []));
}

const selectInvitedSsoUsers = ({ db }: StoreDatabase) =>
  db.selectFrom('invited_sso_users as i').select(['i.id as invitationId', 'i.email']);

export async function invitedSsoUsers(
  database: StoreDatabase,
  invitationIds: readonly string[],
): Promise<ResultsByKey<InvitedSsoUser | null>> {
  const rows = await selectInvitedSsoUsers(database).where('i.id', 'in', idTable(database, invitationIds)).execute();
  return valuesById(invitationIds, new Map(rows.map((row) => [row.invitationId, { ...row }])));
}

const readInvitationPage = definePages({
  name: 'invited SSO users',
  sortOf: () => ({ key: { 'i.id': 'text' }, keyOf: ({ invitationId }) => [invitationId] }),
  nodeOf: (row: InvitedSsoUser) => row,
  listOf: (database, emailPart: string | null) =>
    emailPart === null
      ? selectInvitedSsoUsers(database)
      : selectInvitedSsoUsers(database).where(database.dialect.contains('i.email_folded', emailPart)),
});

/** Invited users by ID. `emailContains` ignores case; an empty one matches everybody. */
export const listInvitedSsoUsers = async (
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<InvitedSsoUser>, BackendError>> =>
  onlyPage(await readInvitationPage(database, { variant: emailContains?.toLowerCase() || null, page }));
