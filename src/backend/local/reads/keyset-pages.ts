import { type SelectQueryBuilder, sql } from 'kysely';
import { type Engine, type JsonText, parseRows } from '../../../database/dialect.ts';
import { type BackendError, validationError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { textProblem } from '../../../domain/text.ts';

/** What a row is sorted by, and so where a page goes on behind it. Unlike a count it stays true when rows come and go. */
export type Key = readonly (string | number)[];

/** A page request whose cursor was read. `after` has as many parts as the list's key, or is null. */
export interface Place<K extends Key> {
  readonly after: K | null;
  readonly skip: number;
  readonly limit: number;
}

export const isTextKey = (parts: readonly unknown[]): parts is readonly [string] =>
  parts.length === 1 && isText(parts[0]);

export const isNumberKey = (parts: readonly unknown[]): parts is readonly [number] =>
  parts.length === 1 && isPosition(parts[0]);

export const isNumberTextKey = (parts: readonly unknown[]): parts is readonly [number, string] =>
  parts.length === 2 && isPosition(parts[0]) && isText(parts[1]);

/** No key in a store has a text that no store can hold. */
const isText = (part: unknown): part is string => typeof part === 'string' && textProblem(part) === null;

const MAX_INT32 = 2_147_483_647;

/** Positions count from 0, up to what their column holds. */
const isPosition = (part: unknown): part is number =>
  typeof part === 'number' && Number.isInteger(part) && part >= 0 && part <= MAX_INT32;

/** Reads a page request for a list whose keys look as `isKey` says. */
export function readPlace<K extends Key>(
  { limit, after, skip = 0 }: PageRequest,
  isKey: (parts: readonly unknown[]) => parts is K,
): Result<Place<K>, BackendError> {
  if (after == null) return ok({ after: null, skip, limit });
  const parts = decodeCursor(after);
  if (parts !== null && isKey(parts)) return ok({ after: parts, skip, limit });
  return err(
    validationError([{ path: ['after'], message: 'after must be a cursor of an earlier page of this list.' }]),
  );
}

export const encodeCursor = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** A longer text is no cursor of ours: decoding it would only take time. */
const MAX_CURSOR_LENGTH = 100_000;

function decodeCursor(cursor: string): readonly unknown[] | null {
  if (cursor.length > MAX_CURSOR_LENGTH) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    // Another spelling of the same key is none that was given out.
    return Array.isArray(parts) && encodeCursor(parts) === cursor ? parts : null;
  } catch {
    return null;
  }
}

/** A page as it is read: one row more than asked for, so that it shows whether there are more. */
export interface PageRows<Row> {
  readonly rows: JsonText<Row>;
  readonly has_previous: number;
}

export interface PageQuery<DB, TB extends keyof DB, Row> {
  /** The whole list of one parent, in no order. */
  readonly list: SelectQueryBuilder<DB, TB, Row>;
  /** The columns it is sorted by, which an index has in this order: reaching page 1,000 costs what page 1 does. */
  readonly key: readonly string[];
  readonly place: Place<Key>;
}

/** The two columns of a page beside its parent. Every page of every list is read by them. */
export function pageColumns<DB, TB extends keyof DB, Row>(engine: Engine, query: PageQuery<DB, TB, Row>) {
  const { list, key, place } = query;
  const columns = key.map((column) => sql.ref(column));
  const cursor = place.after && sql`(${sql.join(place.after)})`;
  const behind = cursor ? list.where(sql<boolean>`(${sql.join(columns)}) > ${cursor}`) : list;
  const inOrder = columns.reduce((sorted, column) => sorted.orderBy(column), behind);
  const before = cursor ? list.where(sql<boolean>`(${sql.join(columns)}) <= ${cursor}`) : list;
  const mayHavePrevious = cursor !== null || place.skip > 0;
  return [
    engine.jsonRows(inOrder.limit(place.limit + 1).offset(place.skip)).as('rows'),
    (mayHavePrevious ? sql<number>`case when exists ${before} then 1 else 0 end` : sql<number>`0`).as('has_previous'),
  ] as const;
}

/** The length of a list, beside its parent. */
export const countOf = <DB, TB extends keyof DB, Row>(list: SelectQueryBuilder<DB, TB, Row>) =>
  sql<number>`(select count(*) from ${list.clearSelect().select(sql.lit(1).as('one'))} as counted)`.as('total');

export interface PageShape<Row, T> {
  readonly limit: number;
  readonly keyOf: (row: Row) => Key;
  readonly nodeOf: (row: Row) => T;
  readonly totalCount: () => Promise<number>;
}

export function toPage<Row, T>(page: PageRows<Row>, { limit, keyOf, nodeOf, totalCount }: PageShape<Row, T>): Page<T> {
  const rows = parseRows(page.rows);
  return {
    edges: rows.slice(0, limit).map((row) => ({ cursor: encodeCursor(keyOf(row)), node: nodeOf(row) })),
    hasNextPage: rows.length > limit,
    hasPreviousPage: page.has_previous === 1,
    totalCount,
  };
}

/** Totals of several lists, counted by one statement, and only once somebody asks. By the position of the parent. */
export function sharedTotals(
  count: () => Promise<readonly { readonly n: number; readonly total: number | string | bigint }[]>,
): (n: number) => () => Promise<number> {
  let totals: Promise<ReadonlyMap<number, number>> | null = null;
  const read = async () => new Map((await count()).map(({ n, total }) => [n, Number(total)]));
  return (n) => async () => {
    totals ??= read();
    return (await totals).get(n) ?? 0;
  };
}
