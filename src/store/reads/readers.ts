import type { InferResult } from 'kysely';
import type { PageRequest, StoredPage } from '../../core/base/pages.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import type { InvitedSsoUser, Reader, ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import { parseJsonArray } from '../database/dialect.ts';
import { defineIdStatement } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { definePages, onlyPage, readPagesOfIds } from './pages.ts';
import { type ResultsByKey, valuesById } from './results-by-key.ts';

/** `plain` leaves out the IDs of the readers' groups, which are sorted like the groups. */
type ReaderSelection = 'whole' | 'plain';

const selectReaders = ({ db, dialect }: StoreDatabase, selection: ReaderSelection) =>
  db
    .selectFrom('readers as r')
    .select(['r.id as readerId', 'r.first_name as firstName', 'r.last_name as lastName', 'r.email'])
    .$if(selection === 'whole', (query) =>
      query.select((eb) =>
        dialect
          .jsonArray(
            eb
              .selectFrom('reader_group_readers as gr')
              .innerJoin('reader_groups as g', 'g.id', 'gr.group_id')
              .whereRef('gr.reader_id', '=', 'r.id')
              .select('gr.group_id')
              .orderBy('g.position'),
          )
          .as('groupIds'),
      ),
    );

const toReader = (row: InferResult<ReturnType<typeof selectReaders>>[number]): Reader => ({
  readerId: row.readerId,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  groupIds: row.groupIds === undefined ? null : parseJsonArray(row.groupIds).map(({ group_id }) => group_id),
});

const selectReadersById = defineIdStatement((database, ids, selection: ReaderSelection) =>
  selectReaders(database, selection).where('r.id', 'in', ids),
);

async function readersById(
  database: StoreDatabase,
  readerIds: readonly string[],
  selection: ReaderSelection,
): Promise<ReadonlyMap<string, Reader>> {
  const rows = await selectReadersById(database, readerIds, selection);
  return new Map(rows.map((row) => [row.readerId, toReader(row)]));
}

export const readers = async (
  database: StoreDatabase,
  readerIds: readonly string[],
): Promise<ResultsByKey<Reader | null>> => valuesById(readerIds, await readersById(database, readerIds, 'whole'));

const readReaderPage = definePages({
  sortOf: () => ({ key: { 'r.id': 'text' }, keyOf: ({ readerId }) => [readerId] }),
  nodeOf: toReader,
  listOf: (database, emailPart: string) =>
    selectReaders(database, 'whole').$if(emailPart !== '', (list) =>
      list.where(database.dialect.contains('r.email_folded', emailPart)),
    ),
});

/** Readers by ID. `emailContains` ignores case; an empty one matches every reader. */
export const listReaders = async (
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<StoredPage<Reader>, BackendError>> =>
  onlyPage(await readReaderPage(database, { variant: emailContains?.toLowerCase() ?? '', page, values: {} }));

/** The readers of each group in the order of its `readerIds`, without the IDs of their groups. */
export const readersOfGroups = (
  database: StoreDatabase,
  groups: readonly ReaderGroup[],
  page: PageRequest,
): Promise<ResultsByKey<StoredPage<Reader>>> =>
  readPagesOfIds(
    groups.map(({ readerIds }) => readerIds),
    page,
    (ids) => readersById(database, ids, 'plain'),
  );

export async function groupIdsOfReaders(
  database: StoreDatabase,
  ofReaders: readonly Reader[],
): Promise<ResultsByKey<readonly string[]>> {
  const plain = ofReaders.filter(({ groupIds }) => groupIds === null).map(({ readerId }) => readerId);
  const byId = plain.length === 0 ? null : await readersById(database, plain, 'whole');
  return ofReaders.map(({ readerId, groupIds }) => ok(groupIds ?? byId?.get(readerId)?.groupIds ?? []));
}

const selectInvitedSsoUsers = ({ db }: StoreDatabase) =>
  db.selectFrom('invited_sso_users as i').select(['i.id as invitationId', 'i.email']);

const selectInvitedById = defineIdStatement((database, ids) =>
  selectInvitedSsoUsers(database).where('i.id', 'in', ids),
);

export async function invitedSsoUsers(
  database: StoreDatabase,
  invitationIds: readonly string[],
): Promise<ResultsByKey<InvitedSsoUser | null>> {
  const rows = await selectInvitedById(database, invitationIds);
  return valuesById(invitationIds, new Map(rows.map((row) => [row.invitationId, { ...row }])));
}

const readInvitationPage = definePages({
  sortOf: () => ({ key: { 'i.id': 'text' }, keyOf: ({ invitationId }) => [invitationId] }),
  nodeOf: (row: InvitedSsoUser) => row,
  listOf: (database, emailPart: string) =>
    selectInvitedSsoUsers(database).$if(emailPart !== '', (list) =>
      list.where(database.dialect.contains('i.email_folded', emailPart)),
    ),
});

/** Invited users by ID. `emailContains` ignores case; an empty one matches everybody. */
export const listInvitedSsoUsers = async (
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<StoredPage<InvitedSsoUser>, BackendError>> =>
  onlyPage(await readInvitationPage(database, { variant: emailContains?.toLowerCase() ?? '', page, values: {} }));
