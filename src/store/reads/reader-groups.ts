import type { InferResult } from 'kysely';
import type { PageRequest, StoredPage } from '../../core/base/pages.ts';
import type { Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import type { Reader, ReaderGroup, ReaderGroupSelection } from '../../core/reader-groups/reader-groups.ts';
import { parseJsonArray } from '../database/dialect.ts';
import { slicesOf } from '../database/statements.ts';
import { toAccessScope } from '../tables/reader-group-rows.ts';
import { defineIdStatement } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { definePages, onlyPage, readPagesOfIds } from './pages.ts';
import { groupIdsOfReaders } from './readers.ts';
import { type ResultsByKey, valuesById } from './results-by-key.ts';

/** Selects groups, with members and scopes unless they are summaries. */
const selectGroups = ({ db, dialect }: StoreDatabase, selection: ReaderGroupSelection) =>
  db
    .selectFrom('reader_groups as g')
    .select(['g.id as group_id', 'g.position', 'g.title', 'g.description', 'g.access_level'])
    .$if(selection !== 'summary', (query) =>
      query.select((eb) => {
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
          dialect.jsonArray(readers).as('readers'),
          dialect.jsonArray(invited).as('invited'),
          dialect.jsonArray(scopes).as('scopes'),
        ];
      }),
    );

function toGroup(
  row: InferResult<ReturnType<typeof selectGroups>>[number],
  selection: ReaderGroupSelection,
): ReaderGroup {
  const { group_id: groupId, title, description, access_level } = row;
  const readers = row.readers === undefined ? [] : parseJsonArray(row.readers);
  const invited = row.invited === undefined ? [] : parseJsonArray(row.invited);
  return {
    groupId,
    title,
    description,
    readerIds: readers.map(({ reader_id }) => reader_id),
    invitedSsoUserIds: invited.map(({ invited_sso_user_id }) => invited_sso_user_id),
    accessScope: toAccessScope(access_level, row.scopes === undefined ? [] : parseJsonArray(row.scopes)),
    ...(selection === 'summary' && { isSummary: true }),
  };
}

export const readerGroups = async (
  database: StoreDatabase,
  groupIds: readonly string[],
  selection: ReaderGroupSelection = 'whole',
): Promise<ResultsByKey<ReaderGroup | null>> => valuesById(groupIds, await groupsById(database, groupIds, selection));

const selectById = defineIdStatement((database, ids, selection: ReaderGroupSelection) =>
  selectGroups(database, selection).where('g.id', 'in', ids),
);

/** The most whole groups that one statement reads: each may have 50,000 members and as long a scope. */
const MAX_WHOLE_GROUPS = 10;

async function groupsById(
  database: StoreDatabase,
  groupIds: readonly string[],
  selection: ReaderGroupSelection,
): Promise<ReadonlyMap<string, ReaderGroup>> {
  const byId = new Map<string, ReaderGroup>();
  const slices = slicesOf(groupIds, selection === 'whole' ? MAX_WHOLE_GROUPS : Number.POSITIVE_INFINITY);
  // Each group is read by a single statement, and other requests run between two statements.
  for (const ids of slices) {
    for (const row of await selectById(database, ids, selection)) byId.set(row.group_id, toGroup(row, selection));
  }
  return byId;
}

export const findReaderGroup = async (database: StoreDatabase, groupId: string): Promise<ReaderGroup | null> =>
  (await groupsById(database, [groupId], 'whole')).get(groupId) ?? null;

const readGroupPages = definePages({
  sortOf: () => ({ key: { 'g.position': 'integer' }, keyOf: ({ position }) => [position] }),
  nodeOf: toGroup,
  listOf: selectGroups,
});

/** All groups in the order of their creation. */
export const listReaderGroups = async (
  database: StoreDatabase,
  page: PageRequest,
  selection: ReaderGroupSelection = 'whole',
): Promise<Result<StoredPage<ReaderGroup>, BackendError>> =>
  onlyPage(await readGroupPages(database, { variant: selection, page, values: {} }));

/** The groups of each reader, without members and scopes. */
export async function groupsOfReaders(
  database: StoreDatabase,
  readers: readonly Reader[],
  page: PageRequest,
): Promise<ResultsByKey<StoredPage<ReaderGroup>>> {
  const lists = await groupIdsOfReaders(database, readers);
  return readPagesOfIds(
    lists.map((list) => (list.ok ? list.value : [])),
    page,
    (ids) => groupsById(database, ids, 'summary'),
  );
}
