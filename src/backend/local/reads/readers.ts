import type { InferResult } from 'kysely';
import { parseJsonArray } from '../../../database/dialect.ts';
import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { type IdRow, idRowTable, toIdRows } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { readPagesOfIds } from './id-pages.ts';
import { isTextKey, parsePageRequest, readPage } from './keyset-pages.ts';
import type { ResultsByKey } from './results-by-key.ts';

/** Readers with the IDs of their groups, in the order of the groups. */
const selectReaders = ({ db, dialect }: StoreDatabase) =>
  db
    .selectFrom('readers as r')
    .select(['r.id as reader_id', 'r.first_name', 'r.last_name', 'r.email'])
    .select((eb) =>
      dialect
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

const toReader = (row: InferResult<ReturnType<typeof selectReaders>>[number]): Reader => ({
  readerId: row.reader_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
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

/** Readers by ID. `emailContains` ignores case; an empty one matches every reader. */
export async function listReaders(
  database: StoreDatabase,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<Reader>, BackendError>> {
  const keysetRequest = parsePageRequest(page, isTextKey);
  if (!keysetRequest.ok) return keysetRequest;
  const all = selectReaders(database);
  const list = emailContains
    ? all.where(database.dialect.contains('r.email_folded', emailContains.toLowerCase()))
    : all;
  const query = { list, key: ['r.id'], keysetRequest: keysetRequest.value };
  return ok(await readPage(database, query, { keyOf: (row) => [row.reader_id], nodeOf: toReader }));
}

/** The readers of each group in the order of its `readerIds`. */
export const readersOfGroups = (
  database: StoreDatabase,
  groups: readonly ReaderGroup[],
  page: PageRequest,
): Promise<ResultsByKey<Page<Reader>>> => {
  const lists = groups.map(({ readerIds }) => readerIds);
  return readPagesOfIds(lists, page, (ids) => readersById(database, ids));
};

/** Every reader of the store was read with the IDs of its groups. */
export const groupIdsOfReaders = async (
  _database: StoreDatabase,
  ofReaders: readonly Reader[],
): Promise<ResultsByKey<readonly string[]>> => ofReaders.map(({ groupIds }) => ok(groupIds ?? []));
