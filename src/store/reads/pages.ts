import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { jsonIn } from '../../core/base/json.ts';
import { MAX_OPAQUE_LENGTH } from '../../core/base/limits.ts';
import { LazyEdge, type PageRequest, type StoredPage } from '../../core/base/pages.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { textProblem } from '../../core/base/text.ts';
import { type BackendError, validationError } from '../../core/errors.ts';
import { type Columns, type ColumnType, type JsonText, parseJsonArray } from '../database/dialect.ts';
import { defineStatement, type Places } from '../database/statements.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import type { ResultsByKey } from './results-by-key.ts';

/** The values that a row is sorted by. A cursor consists of them, so it stays valid when rows are added and removed. */
type SortKey = readonly (string | number)[];

export interface ListSort<Row> {
  /** The columns of the sort key. An index has them in this order, so that page 1,000 costs the same as page 1. */
  readonly key: Columns;
  /** True when all columns of the key are sorted in descending order. */
  readonly isDescending?: boolean;
  readonly keyOf: (row: Row) => SortKey;
}

/** A page request with a parsed cursor. `after` has the parts of the list's sort key, or is null. */
interface KeysetRequest {
  readonly after: SortKey | null;
  readonly skip: number;
  readonly limit: number;
}

function parsePageRequest({ limit, after, skip = 0 }: PageRequest, key: Columns): Result<KeysetRequest, BackendError> {
  if (after == null) return ok({ after: null, skip, limit });
  const parts = decodeCursor(after, Object.values(key));
  if (parts !== null) return ok({ after: parts, skip, limit });
  return err(
    validationError([{ path: ['after'], message: 'after must be a cursor of an earlier page of this list.' }]),
  );
}

const encodeCursor = (key: SortKey): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** Parses a cursor; null where it is none of a list with a key of these types. Every key has only one cursor. */
function decodeCursor(cursor: string, types: readonly ColumnType[]): SortKey | null {
  if (cursor.length > MAX_OPAQUE_LENGTH) return null;
  const parts = jsonIn(Buffer.from(cursor, 'base64url').toString());
  return isSortKey(parts, types) && encodeCursor(parts) === cursor ? parts : null;
}

const isSortKey = (parts: unknown, types: readonly ColumnType[]): parts is SortKey =>
  Array.isArray(parts) &&
  parts.length === types.length &&
  types.every((type, index) => (type === 'text' ? isStorableText(parts[index]) : isPosition(parts[index])));

/** False for texts that no text column can hold. */
const isStorableText = (part: unknown): boolean => typeof part === 'string' && textProblem(part) === null;

const MAX_INT32 = 2_147_483_647;

/** True for a valid position: 0 or more, with at most 32 bits. */
const isPosition = (part: unknown): boolean =>
  typeof part === 'number' && Number.isInteger(part) && part >= 0 && part <= MAX_INT32;

interface PagesDefinition<Variant, Values, DB, TB extends keyof DB, Row, T> {
  readonly sortOf: (variant: Variant) => ListSort<Row>;
  readonly nodeOf: (row: Row, variant: Variant) => T;
  /** All rows of one parent `k`, unsorted. */
  readonly listOf: (
    database: StoreDatabase,
    variant: Variant,
    places: Places<Values>,
  ) => SelectQueryBuilder<DB, TB, Row>;
  /** The same rows from a table in which they are cheaper to count; null where there is none. */
  readonly countedOf?: (database: StoreDatabase, variant: Variant) => Expression<unknown> | null;
  /** The parents as a table `k` with an index `n`; absent for a list without parents. */
  readonly parentsOf?: (database: StoreDatabase, variant: Variant, places: Places<Values>) => RawBuilder<unknown>;
}

interface PagesRequest<Variant, Values> {
  readonly variant: Variant;
  readonly page: PageRequest;
  /** The parameters of the statement of the parents. */
  readonly values: Values;
}

/** A page of each parent. There is one row more than the limit when another page follows. */
interface PageRow<Row> {
  readonly n: number;
  readonly rows: JsonText<Row>;
}

/** The parts of a page request that decide the text of its statement. */
interface PageVariant<Variant> {
  readonly list: Variant;
  readonly cursorParts: number;
}

/** The values that bound a page. */
interface Bounds {
  readonly skip: number;
  readonly rowLimit: number;
  readonly after1: SortKey[number] | undefined;
  readonly after2: SortKey[number] | undefined;
}

const NO_PARENT = sql`(select 0 as n) as k`;

const ONE = sql.lit(1).as('one');

/**
 * Defines the pages of lists, each of which begins after a key: see docs/decisions/0020-pages-by-key.md. One statement
 * reads the pages of all parents. Another one counts the rows of all parents when the first total is needed.
 */
export function definePages<Variant, DB, TB extends keyof DB, Row, T, Values extends object = object>(
  definition: PagesDefinition<Variant, Values, DB, TB, Row, T>,
) {
  const { sortOf, nodeOf, listOf, countedOf, parentsOf = () => NO_PARENT } = definition;
  const selectPages = definePageStatement(definition);
  const selectTotals = defineStatement((database: StoreDatabase, places: Places<Values>, variant: Variant) => {
    const counted = countedOf?.(database, variant) ?? listOf(database, variant, places).clearSelect().select(ONE);
    const parents = parentsOf(database, variant, places);
    return sql<{ n: number; total: number | string | bigint }>`
      select k.n, (select count(*) from ${counted} as counted) as total from ${parents}
    `;
  });
  return async (
    database: StoreDatabase,
    { variant, page, values }: PagesRequest<Variant, Values>,
  ): Promise<Result<readonly StoredPage<T>[], BackendError>> => {
    const { key, keyOf } = sortOf(variant);
    const request = parsePageRequest(page, key);
    if (!request.ok) return request;
    const { after, skip, limit } = request.value;
    const bounds = { skip, rowLimit: limit + 1, after1: after?.[0], after2: after?.[1] };
    const pageVariant = { list: variant, cursorParts: after?.length ?? 0 };
    const pages = await selectPages(database, { ...values, ...bounds }, pageVariant);
    let totals: ReturnType<typeof selectTotals> | null = null;
    const toPage = ({ n, ...page }: PageRow<Row>): StoredPage<T> => {
      const rows = parseJsonArray(page.rows);
      return {
        edges: rows.slice(0, limit).map((row) => new LazyEdge(nodeOf(row, variant), () => encodeCursor(keyOf(row)))),
        hasNextPage: rows.length > limit,
        hasPreviousPage: after !== null || skip > 0,
        totalCount: async () => {
          totals ??= selectTotals(database, values, variant);
          return Number((await totals).find((counted) => counted.n === n)?.total ?? 0);
        },
      };
    };
    return ok(pages.toSorted((one, other) => one.n - other.n).map(toPage));
  };
}

const definePageStatement = <Variant, Values, DB, TB extends keyof DB, Row, T>({
  sortOf,
  listOf,
  parentsOf = () => NO_PARENT,
}: PagesDefinition<Variant, Values, DB, TB, Row, T>) =>
  defineStatement((database: StoreDatabase, places: Places<Values & Bounds>, variant: PageVariant<Variant>) => {
    const { key, isDescending = false } = sortOf(variant.list);
    const columns = Object.keys(key).map((column) => sql.ref(column));
    const cursor = [places.placeOf('after1'), places.placeOf('after2')].slice(0, variant.cursorParts);
    const list = listOf(database, variant.list, places);
    const sign = isDescending ? sql`<` : sql`>`;
    const after =
      cursor.length === 0 ? list : list.where(sql<boolean>`(${sql.join(columns)}) ${sign} (${sql.join(cursor)})`);
    const rows = columns
      .reduce((sorted, column) => sorted.orderBy(column, isDescending ? 'desc' : 'asc'), after)
      .limit(places.placeOf('rowLimit'))
      .offset(places.placeOf('skip'));
    return sql<PageRow<Row>>`
      select k.n, ${database.dialect.jsonArray(rows)} as rows from ${parentsOf(database, variant.list, places)}
    `;
  });

/** Returns the page of a list without a parent. */
export function onlyPage<T>(
  pages: Result<readonly StoredPage<T>[], BackendError>,
): Result<StoredPage<T>, BackendError> {
  if (!pages.ok) return pages;
  const [page] = pages.value;
  if (page === undefined) throw new Error('The statement of a page has no row.');
  return ok(page);
}

/**
 * Pages lists of IDs, and reads the items with these IDs; unknown IDs are left out. A cursor has the index and the ID
 * of the last item. When that ID has left its list, the item after it is now at its index.
 */
export async function readPagesOfIds<T>(
  lists: readonly (readonly string[])[],
  page: PageRequest,
  findById: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ResultsByKey<StoredPage<T>>> {
  const request = parsePageRequest(page, { index: 'integer', id: 'text' });
  if (!request.ok) return lists.map(() => request);
  const pages = lists.map((ids) => ({ ids, start: startIndexOf(ids, request.value) }));
  const wanted = new Set(pages.flatMap(({ ids, start }) => ids.slice(start, start + page.limit)));
  const byId = await findById([...wanted]);
  return pages.map(({ ids, start }) => {
    const edges = ids.slice(start, start + page.limit).flatMap((id, offset) => {
      const node = byId.get(id);
      return node ? [new LazyEdge(node, () => encodeCursor([start + offset, id]))] : [];
    });
    const hasNextPage = start + page.limit < ids.length;
    const hasPreviousPage = start > 0 && ids.length > 0;
    return ok({ edges, hasNextPage, hasPreviousPage, totalCount: async () => ids.length });
  });
}

function startIndexOf(ids: readonly string[], { after, skip }: KeysetRequest): number {
  if (after === null) return skip;
  const [position, id] = after;
  const index = ids.indexOf(`${id}`);
  return index < 0 ? Number(position) : index + 1;
}
