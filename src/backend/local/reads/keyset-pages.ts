import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { LazyEdge, type Page, type PageRequest } from '../../../base/pages.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { textProblem } from '../../../base/text.ts';
import { type JsonText, parseJsonArray, type SqlDialect } from '../../../database/dialect.ts';
import { type BackendError, validationError } from '../../../domain/errors.ts';

/** The values that a row is sorted by. A cursor consists of them, so it stays valid when rows are added and removed. */
export type SortKey = readonly (string | number)[];

/** A page request with a parsed cursor. `after` has as many parts as the sort key of the list, or is null. */
export interface KeysetRequest<K extends SortKey> {
  readonly after: K | null;
  readonly skip: number;
  readonly limit: number;
}

export const isTextKey = (parts: readonly unknown[]): parts is readonly [string] =>
  parts.length === 1 && isStorableText(parts[0]);

export const isTextPairKey = (parts: readonly unknown[]): parts is readonly [string, string] =>
  parts.length === 2 && parts.every(isStorableText);

export const isNumberKey = (parts: readonly unknown[]): parts is readonly [number] =>
  parts.length === 1 && isPosition(parts[0]);

export const isNumberTextKey = (parts: readonly unknown[]): parts is readonly [number, string] =>
  parts.length === 2 && isPosition(parts[0]) && isStorableText(parts[1]);

/** False for texts that no text column can hold. */
const isStorableText = (part: unknown): part is string => typeof part === 'string' && textProblem(part) === null;

const MAX_INT32 = 2_147_483_647;

/** Positions are 0 or more, and their column has 32 bits. */
const isPosition = (part: unknown): part is number =>
  typeof part === 'number' && Number.isInteger(part) && part >= 0 && part <= MAX_INT32;

/** How a list is sorted. */
export interface ListSort<Row> {
  /** The sort key. An index has its columns in this order, so that page 1,000 costs the same as page 1. */
  readonly key: readonly string[];
  /** True when all columns of the key are sorted in descending order. */
  readonly isDescending?: boolean;
  /** The shape of the list's cursors. */
  readonly isKey: (parts: readonly unknown[]) => parts is SortKey;
  readonly keyOf: (row: Row) => SortKey;
}

/** Parses a page request. `isKey` is the shape of the list's cursors. */
export function parsePageRequest<K extends SortKey>(
  { limit, after, skip = 0 }: PageRequest,
  isKey: (parts: readonly unknown[]) => parts is K,
): Result<KeysetRequest<K>, BackendError> {
  if (after == null) return ok({ after: null, skip, limit });
  const parts = decodeKeysetCursor(after);
  if (parts !== null && isKey(parts)) return ok({ after: parts, skip, limit });
  return err(
    validationError([{ path: ['after'], message: 'after must be a cursor of an earlier page of this list.' }]),
  );
}

export const encodeKeysetCursor = (key: SortKey): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** No cursor of any list is longer, in characters. Longer texts are rejected without decoding them. */
const MAX_CURSOR_LENGTH = 100_000;

function decodeKeysetCursor(cursor: string): readonly unknown[] | null {
  if (cursor.length > MAX_CURSOR_LENGTH) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    // Every key has one spelling.
    return Array.isArray(parts) && encodeKeysetCursor(parts) === cursor ? parts : null;
  } catch {
    return null;
  }
}

/** The columns of a page. There is one row more than the limit when another page follows. */
export interface PageColumns<Row> {
  readonly rows: JsonText<Row>;
  readonly has_previous: number;
}

/** The bounds of a page, as values or as places of values in a statement that is compiled before. */
export interface PageBounds {
  /** The parts of the cursor; null for a page that begins without one. */
  readonly after: readonly (Expression<unknown> | string | number)[] | null;
  readonly skip: Expression<number> | number;
  /** One row more than the page has, which tells whether another page follows. */
  readonly rowLimit: Expression<number> | number;
  /** False for the first page of a list. */
  readonly mayHavePrevious: boolean;
}

export const pageBoundsOf = ({ after, skip, limit }: KeysetRequest<SortKey>): PageBounds => ({
  after,
  skip,
  rowLimit: limit + 1,
  mayHavePrevious: after !== null || skip > 0,
});

interface PageQuery<DB, TB extends keyof DB, Row> {
  /** All rows of one parent, unsorted. */
  readonly list: SelectQueryBuilder<DB, TB, Row>;
  /** The sort key. An index has its columns in this order, so that page 1,000 costs the same as page 1. */
  readonly key: readonly string[];
  readonly isDescending?: boolean | undefined;
  readonly bounds: PageBounds;
}

/** Selects the columns of a page, next to those of its parent. Every page of every list is read by them. */
export function pageColumns<DB, TB extends keyof DB, Row>(dialect: SqlDialect, query: PageQuery<DB, TB, Row>) {
  const { list, key, isDescending = false, bounds } = query;
  const columns = key.map((column) => sql.ref(column));
  const cursor = bounds.after && sql`(${sql.join(bounds.after)})`;
  const [after, upTo] = isDescending ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  const rowsAfter = cursor ? list.where(sql<boolean>`(${sql.join(columns)}) ${after} ${cursor}`) : list;
  const direction = isDescending ? 'desc' : 'asc';
  const sortedRows = columns.reduce((sorted, column) => sorted.orderBy(column, direction), rowsAfter);
  const rowsBefore = cursor ? list.where(sql<boolean>`(${sql.join(columns)}) ${upTo} ${cursor}`) : list;
  return [
    dialect.jsonArray(sortedRows.limit(bounds.rowLimit).offset(bounds.skip)).as('rows'),
    (bounds.mayHavePrevious ? sql<number>`case when exists ${rowsBefore} then 1 else 0 end` : sql<number>`0`).as(
      'has_previous',
    ),
  ] as const;
}

/** Selects the length of a list, next to the columns of its parent. */
export const totalColumn = <DB, TB extends keyof DB, Row>(list: SelectQueryBuilder<DB, TB, Row>) =>
  sql<number>`(select count(*) from ${list.clearSelect().select(sql.lit(1).as('one'))} as counted)`.as('total');

export interface PageMapping<Row, T> {
  readonly limit: number;
  readonly keyOf: (row: Row) => SortKey;
  readonly nodeOf: (row: Row) => T;
  readonly totalCount: () => Promise<number>;
}

export function toPage<Row, T>(
  page: PageColumns<Row>,
  { limit, keyOf, nodeOf, totalCount }: PageMapping<Row, T>,
): Page<T> {
  const rows = parseJsonArray(page.rows);
  return {
    edges: rows.slice(0, limit).map((row) => new LazyEdge(nodeOf(row), () => encodeKeysetCursor(keyOf(row)))),
    hasNextPage: rows.length > limit,
    hasPreviousPage: page.has_previous === 1,
    totalCount,
  };
}

/** Totals of several lists by the index of their parent. One statement counts all of them, when the first is needed. */
export function lazyTotals(
  count: () => Promise<readonly { readonly n: number; readonly total: number | string | bigint }[]>,
): (n: number) => () => Promise<number> {
  let totals: Promise<ReadonlyMap<number, number>> | null = null;
  const read = async () => new Map((await count()).map(({ n, total }) => [n, Number(total)]));
  return (n) => async () => {
    totals ??= read();
    return (await totals).get(n) ?? 0;
  };
}
