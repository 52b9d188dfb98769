import type { InferResult } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import { parseJsonArray } from '../../../database/dialect.ts';
import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { type IdRow, idRowTable, toIdRows } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { readPagesOfIds } from './id-pages.ts';
import { isTextKey } from './keyset-pages.ts';
import { definePages } from './page-statements.ts';
import type { ResultsByKey } from './results-by-key.ts';

const selectPlainReaders = ({ db }: StoreDatabase) =>
  db.selectFrom('readers as r').select(['r.id as reader_id', 'r.first_name', 'r.last_name', 'r.email']);

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
      .as('group_ids'),
  );

const toPlainReader = (row: InferResult<ReturnType<typeof selectPlainReaders>>[number]): Reader => ({
  readerId: row.reader_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  groupIds: null,
});

const toReader = (row: InferResult<ReturnType<typeof selectReaders>>[number]): Reader => ({
  ...toPlainReader(row),
  groupIds: parseJsonArray(row.group_ids).map(({ group_id }) => group_id),
});

const selectReadersById = defineStatement((database: StoreDatabase, ids: RowsParameter<IdRow>) =>
  selectReaders(database).where('r.id', 'in', idRowTable(database, ids)).compile(),
);

export async function readers(
  database: StoreDatabase,
  readerIds: readonly string[],
): Promise<ResultsByKey<Reader | null>> {
  const byId = await readersById(database, readerIds);
  return readerIds.map((id) => ok(byId.get(id) ?? null));
}

async function readersById(
  database: StoreDatabase,
  readerIds: readonly string[],
): Promise<ReadonlyMap<string, Reader>> {
  const rows = await selectReadersById(database, toIdRows(readerIds));
  return new Map(rows.map((row) => [row.reader_id, toReader(row)]));
}

const readReaders = definePages({
  name: 'readers',
  key: ['r.id'],
  isKey: isTextKey,
  keyOf: (row) => [row.reader_id],
  nodeOf: toReader,
  listOf: (database, emailPart: string | null) =>
    emailPart === null
      ? selectReaders(database)
      : selectReaders(database).where(database.dialect.contains('r.email_folded', emailPart)),
});

/** Readers by ID. `emailContains` ignores case; an empty one matches every reader. */
export const listReaders = (
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<Reader>, BackendError>> => readReaders(database, emailContains?.toLowerCase() || null, page);

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
    return new Map(rows.map((row) => [row.reader_id, toPlainReader(row)]));
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
