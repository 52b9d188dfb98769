import type { InferResult } from 'kysely';
import { parseJsonArray } from '../../../database/dialect.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { idTable } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import {
  encodeKeysetCursor,
  isNumberTextKey,
  isTextKey,
  type KeysetRequest,
  parsePageRequest,
  readPage,
} from './keyset-pages.ts';
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
  const rows = await selectReaders(database).where('r.id', 'in', idTable(database, readerIds)).execute();
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

/**
 * The readers of each group in the order of its `readerIds`. A cursor has the index and the ID of the last reader.
 * When that reader has left the group, the next one has moved up to its index.
 */
export async function readersOfGroups(
  database: StoreDatabase,
  groups: readonly ReaderGroup[],
  page: PageRequest,
): Promise<ResultsByKey<Page<Reader>>> {
  const keysetRequest = parsePageRequest(page, isNumberTextKey);
  if (!keysetRequest.ok) return groups.map(() => keysetRequest);
  const pages = groups.map(({ readerIds }) => ({ readerIds, start: startIndexOf(readerIds, keysetRequest.value) }));
  const pageReaderIds = pages.flatMap(({ readerIds, start }) => readerIds.slice(start, start + page.limit));
  const byId = await readersById(database, pageReaderIds);
  return pages.map(({ readerIds, start }) => {
    const edges = readerIds.slice(start, start + page.limit).flatMap((id, offset) => {
      const node = byId.get(id);
      return node ? [{ cursor: encodeKeysetCursor([start + offset, id]), node }] : [];
    });
    const hasNextPage = start + page.limit < readerIds.length;
    const hasPreviousPage = start > 0 && readerIds.length > 0;
    return ok({ edges, hasNextPage, hasPreviousPage, totalCount: async () => readerIds.length });
  });
}

function startIndexOf(readerIds: readonly string[], { after, skip }: KeysetRequest<readonly [number, string]>): number {
  if (after === null) return skip;
  const [position, readerId] = after;
  const index = readerIds.indexOf(readerId);
  return index < 0 ? position : index + 1;
}
