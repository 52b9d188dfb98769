import { type JsonText, parseRows } from '../../../database/dialect.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-group-updates.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { wantedIds } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';
import {
  countOf,
  encodeCursor,
  isNumberTextKey,
  isTextKey,
  type Place,
  pageColumns,
  readPlace,
  toPage,
} from './keyset-pages.ts';
import type { Found } from './results-by-key.ts';

interface ReaderRow {
  readonly reader_id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly group_ids: JsonText<{ readonly group_id: string }>;
}

/** Readers with the IDs of their groups, in the order of the groups. */
const readerRows = ({ db, engine }: Database) =>
  db
    .selectFrom('readers as r')
    .select(['r.id as reader_id', 'r.first_name', 'r.last_name', 'r.email'])
    .select((eb) =>
      engine
        .jsonRows(
          eb
            .selectFrom('reader_group_readers as gr')
            .innerJoin('reader_groups as g', 'g.id', 'gr.group_id')
            .whereRef('gr.reader_id', '=', 'r.id')
            .select('gr.group_id')
            .orderBy('g.position'),
        )
        .as('group_ids'),
    );

const toReader = (row: ReaderRow): Reader => ({
  readerId: row.reader_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  groupIds: parseRows(row.group_ids).map(({ group_id }) => group_id),
});

export async function readers(database: Database, readerIds: readonly string[]): Promise<Found<Reader | null>> {
  const byId = await readersById(database, readerIds);
  return readerIds.map((id) => ok(byId.get(id) ?? null));
}

async function readersById(database: Database, readerIds: readonly string[]): Promise<ReadonlyMap<string, Reader>> {
  const rows = await readerRows(database).where('r.id', 'in', wantedIds(database, readerIds)).execute();
  return new Map(rows.map((row) => [row.reader_id, toReader(row)]));
}

/** Readers by ID. The part of an address is looked for without regard to case; an empty one is in every reader. */
export async function listReaders(
  database: Database,
  emailContains: string | null,
  page: PageRequest,
): Promise<Result<Page<Reader>, BackendError>> {
  const { db, engine } = database;
  const place = readPlace(page, isTextKey);
  if (!place.ok) return place;
  const all = readerRows(database);
  const list = emailContains ? all.where(engine.contains('r.email_folded', emailContains.toLowerCase())) : all;
  const rows = await db
    .selectNoFrom(pageColumns(engine, { list, key: ['r.id'], place: place.value }))
    .executeTakeFirstOrThrow();
  const totalCount = async () => Number((await db.selectNoFrom(countOf(list)).executeTakeFirstOrThrow()).total);
  return ok(toPage(rows, { limit: page.limit, totalCount, keyOf: (row) => [row.reader_id], nodeOf: toReader }));
}

/**
 * The readers of each group in the order of its `readerIds`. A cursor names the last reader and where that one stood:
 * where the reader has left the group since, those behind have moved up by one.
 */
export async function readersOfGroups(
  database: Database,
  groups: readonly ReaderGroup[],
  page: PageRequest,
): Promise<Found<Page<Reader>>> {
  const place = readPlace(page, isNumberTextKey);
  if (!place.ok) return groups.map(() => place);
  const pages = groups.map(({ readerIds }) => ({ readerIds, start: startOf(readerIds, place.value) }));
  const wanted = pages.flatMap(({ readerIds, start }) => readerIds.slice(start, start + page.limit));
  const byId = await readersById(database, wanted);
  return pages.map(({ readerIds, start }) => {
    const edges = readerIds.slice(start, start + page.limit).flatMap((id, offset) => {
      const node = byId.get(id);
      return node ? [{ cursor: encodeCursor([start + offset, id]), node }] : [];
    });
    const hasNextPage = start + page.limit < readerIds.length;
    const hasPreviousPage = start > 0 && readerIds.length > 0;
    return ok({ edges, hasNextPage, hasPreviousPage, totalCount: async () => readerIds.length });
  });
}

function startOf(readerIds: readonly string[], { after, skip }: Place<readonly [number, string]>): number {
  if (after === null) return skip;
  const [position, readerId] = after;
  const index = readerIds.indexOf(readerId);
  return index < 0 ? position : index + 1;
}
