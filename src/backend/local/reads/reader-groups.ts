import { setImmediate as nextTick } from 'node:timers/promises';
import { type InferResult, sql } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import type { Result } from '../../../base/result.ts';
import { parseJsonArray, type RowsParameter } from '../../../database/dialect.ts';
import { defineStatement, slicesOf } from '../../../database/statements.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Reader, ReaderGroup, ReaderGroupExtent } from '../../../domain/reader-groups/reader-groups.ts';
import { toAccessScope } from '../tables/reader-group-rows.ts';
import { type IdRow, idRowTable, idTable, toIdRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { definePages, type ListSort, onlyPage, readPagesOfIds } from './pages.ts';
import { groupIdsOfReaders } from './readers.ts';
import { type ResultsByKey, valuesById } from './results-by-key.ts';

/** Groups without their members and scopes. */
const selectGroupSummaries = ({ db }: StoreDatabase) =>
  db
    .selectFrom('reader_groups as g')
    .select(['g.id as group_id', 'g.position', 'g.title', 'g.description', 'g.access_level']);

/** Groups with their members and scopes. Each of these lists ends after `maxEntries`, where it is given. */
const selectGroups = (database: StoreDatabase, maxEntries: number | null = null) =>
  selectGroupSummaries(database).select((eb) => {
    const { jsonArray } = database.dialect;
    const isLimited = maxEntries !== null;
    const limit = sql.lit(maxEntries);
    const readers = eb
      .selectFrom('reader_group_readers as m')
      .whereRef('m.group_id', '=', 'g.id')
      .select('m.reader_id')
      .orderBy('m.position');
    const invited = eb
      .selectFrom('reader_group_invited_sso_users as i')
      .whereRef('i.group_id', '=', 'g.id')
      .select('i.invited_sso_user_id')
      .orderBy('i.position');
    const scopes = eb
      .selectFrom('reader_group_scopes as s')
      .whereRef('s.group_id', '=', 'g.id')
      .select(['s.project_version_id', 's.category_id', 's.language_code'])
      .orderBy('s.position');
    return [
      jsonArray(readers.$if(isLimited, (query) => query.limit(limit))).as('readers'),
      jsonArray(invited.$if(isLimited, (query) => query.limit(limit))).as('invited'),
      jsonArray(scopes.$if(isLimited, (query) => query.limit(limit))).as('scopes'),
    ];
  });

type GroupSummaryRow = InferResult<ReturnType<typeof selectGroupSummaries>>[number];
type GroupRow = InferResult<ReturnType<typeof selectGroups>>[number];

const toGroupSummary = ({ group_id, title, description, access_level }: GroupSummaryRow): ReaderGroup => ({
  groupId: group_id,
  title,
  description,
  readerIds: [],
  invitedSsoUserIds: [],
  accessScope: toAccessScope(access_level, []),
  isSummary: true,
});

const listsOf = ({ readers, invited, scopes }: GroupRow) => ({
  readers: parseJsonArray(readers),
  invited: parseJsonArray(invited),
  scopes: parseJsonArray(scopes),
});

const toGroup = (row: GroupRow, { readers, invited, scopes } = listsOf(row)): ReaderGroup => ({
  groupId: row.group_id,
  title: row.title,
  description: row.description,
  readerIds: readers.map(({ reader_id }) => reader_id),
  invitedSsoUserIds: invited.map(({ invited_sso_user_id }) => invited_sso_user_id),
  accessScope: toAccessScope(row.access_level, scopes),
});

/** The most members, invited users and entries of a scope with which a group is short. */
const MAX_SHORT_LIST = 100;

function toGroupIfShort(row: GroupRow): ReaderGroup {
  const lists = listsOf(row);
  const isShort = Object.values(lists).every(({ length }) => length <= MAX_SHORT_LIST);
  return isShort ? toGroup(row, lists) : toGroupSummary(row);
}

export async function readerGroups(
  database: StoreDatabase,
  groupIds: readonly string[],
  extent: ReaderGroupExtent = 'whole',
): Promise<ResultsByKey<ReaderGroup | null>> {
  return valuesById(groupIds, await (extent === 'summary' ? groupSummariesById : wholeGroupsById)(database, groupIds));
}

async function groupSummariesById(
  database: StoreDatabase,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, ReaderGroup>> {
  const rows = await selectGroupSummaries(database).where('g.id', 'in', idTable(database, groupIds)).execute();
  return new Map(rows.map((row) => [row.group_id, toGroupSummary(row)]));
}

const selectGroupsById = defineStatement((database: StoreDatabase, ids: RowsParameter<IdRow>) =>
  selectGroups(database).where('g.id', 'in', idRowTable(database, ids)).compile(),
);

async function wholeGroupsById(
  database: StoreDatabase,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, ReaderGroup>> {
  const byId = new Map<string, ReaderGroup>();
  for (const [index, ids] of [...slicesOf(groupIds, MAX_WHOLE_GROUPS)].entries()) {
    // Other requests run between two statements. Each group is read by a single one.
    if (index > 0) await nextTick();
    for (const row of await selectGroupsById(database, toIdRows(ids))) byId.set(row.group_id, toGroup(row));
  }
  return byId;
}

/** The most whole groups that one statement reads: each may have 50,000 members and as long a scope. */
const MAX_WHOLE_GROUPS = 10;

export async function findReaderGroup(database: StoreDatabase, groupId: string): Promise<ReaderGroup | null> {
  const row = await selectGroups(database).where('g.id', '=', groupId).executeTakeFirst();
  return row ? toGroup(row) : null;
}

const GROUP_SORT: ListSort<GroupSummaryRow> = {
  key: { 'g.position': 'integer' },
  keyOf: ({ position }) => [position],
};

const readGroupPages = {
  whole: definePages({
    name: 'groups',
    sortOf: (_variant: null) => GROUP_SORT,
    nodeOf: (row: GroupRow) => toGroup(row),
    listOf: (database) => selectGroups(database),
  }),
  'whole-if-short': definePages({
    name: 'short groups',
    sortOf: (_variant: null) => GROUP_SORT,
    nodeOf: toGroupIfShort,
    listOf: (database) => selectGroups(database, MAX_SHORT_LIST + 1),
  }),
  summary: definePages({
    name: 'group summaries',
    sortOf: (_variant: null) => GROUP_SORT,
    nodeOf: toGroupSummary,
    listOf: selectGroupSummaries,
  }),
};

/** All groups in the order of their creation. */
export const listReaderGroups = async (
  database: StoreDatabase,
  page: PageRequest,
  extent: ReaderGroupExtent = 'whole',
): Promise<Result<Page<ReaderGroup>, BackendError>> =>
  onlyPage(await readGroupPages[extent](database, { variant: null, page }));

/** The groups of each reader, without members and scopes. */
export async function groupsOfReaders(
  database: StoreDatabase,
  readers: readonly Reader[],
  page: PageRequest,
): Promise<ResultsByKey<Page<ReaderGroup>>> {
  const lists = await groupIdsOfReaders(database, readers);
  return readPagesOfIds(
    lists.map((list) => (list.ok ? list.value : [])),
    page,
    (ids) => groupSummariesById(database, ids),
  );
}
