import { setImmediate as nextTick } from 'node:timers/promises';
import { type InferResult, sql } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import { parseJsonArray } from '../../../database/dialect.ts';
import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ReaderGroup, ReaderGroupExtent } from '../../../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { toAccessScope } from '../tables/access-scopes.ts';
import { type IdRow, idRowTable, idTable, toIdRows } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { readPagesOfIds } from './id-pages.ts';
import { isNumberKey, type ListSort } from './keyset-pages.ts';
import { definePages } from './page-statements.ts';
import { groupIdsOfReaders } from './readers.ts';
import type { ResultsByKey } from './results-by-key.ts';

/** Groups without their members and scopes. */
const selectGroupSummaries = ({ db }: StoreDatabase) =>
  db
    .selectFrom('reader_groups as g')
    .select(['g.id as group_id', 'g.position', 'g.title', 'g.description', 'g.access_level']);

/** Groups with their members and scopes. Each of these lists ends after `maxEntries`, where it is given. */
const selectGroups = (database: StoreDatabase, maxEntries: number | null = null) =>
  selectGroupSummaries(database).select((eb) => {
    const { dialect } = database;
    const isLimited = maxEntries !== null;
    const limit = sql.lit(maxEntries);
    return [
      dialect
        .jsonArray(
          eb
            .selectFrom('reader_group_readers as m')
            .whereRef('m.group_id', '=', 'g.id')
            .select('m.reader_id')
            .orderBy('m.position')
            .$if(isLimited, (query) => query.limit(limit)),
        )
        .as('readers'),
      dialect
        .jsonArray(
          eb
            .selectFrom('reader_group_invited_sso_users as i')
            .whereRef('i.group_id', '=', 'g.id')
            .select('i.invited_sso_user_id')
            .orderBy('i.position')
            .$if(isLimited, (query) => query.limit(limit)),
        )
        .as('invited'),
      dialect
        .jsonArray(
          eb
            .selectFrom('reader_group_scopes as s')
            .whereRef('s.group_id', '=', 'g.id')
            .select(['s.project_version_id', 's.category_id', 's.language_code'])
            .orderBy('s.position')
            .$if(isLimited, (query) => query.limit(limit)),
        )
        .as('scopes'),
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
  const byId = await (extent === 'summary' ? groupSummariesById : wholeGroupsById)(database, groupIds);
  return groupIds.map((id) => ok(byId.get(id) ?? null));
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
  for (let start = 0; start < groupIds.length; start += MAX_WHOLE_GROUPS) {
    // Other requests run between two statements. Each group is read by a single one.
    if (start > 0) await nextTick();
    const ids = toIdRows(groupIds.slice(start, start + MAX_WHOLE_GROUPS));
    const rows = await selectGroupsById(database, ids);
    for (const row of rows) byId.set(row.group_id, toGroup(row));
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
  key: ['g.position'],
  isKey: isNumberKey,
  keyOf: ({ position }) => [position],
};

const readGroupPages = {
  whole: definePages({
    ...GROUP_SORT,
    name: 'groups',
    nodeOf: (row: GroupRow) => toGroup(row),
    listOf: (database, _variant: null) => selectGroups(database),
  }),
  'whole-if-short': definePages({
    ...GROUP_SORT,
    name: 'short groups',
    nodeOf: toGroupIfShort,
    listOf: (database, _variant: null) => selectGroups(database, MAX_SHORT_LIST + 1),
  }),
  summary: definePages({
    ...GROUP_SORT,
    name: 'group summaries',
    nodeOf: toGroupSummary,
    listOf: (database, _variant: null) => selectGroupSummaries(database),
  }),
};

/** All groups in the order of their creation. */
export const listReaderGroups = (
  database: StoreDatabase,
  page: PageRequest,
  extent: ReaderGroupExtent = 'whole',
): Promise<Result<Page<ReaderGroup>, BackendError>> => readGroupPages[extent](database, null, page);

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
