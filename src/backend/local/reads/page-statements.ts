import type { SelectQueryBuilder } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import { defineVariants, type PlaceOf } from '../../../database/statement-variants.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import {
  type KeysetRequest,
  type ListSort,
  type PageBounds,
  type PageMapping,
  pageColumns,
  parsePageRequest,
  type SortKey,
  toPage,
  totalColumn,
} from './keyset-pages.ts';

/** The bounds of a page as far as they decide about the text of its statement. */
export interface PageVariant {
  readonly cursorParts: number;
  readonly skips: boolean;
}

const CURSOR_PLACES = ['after1', 'after2'] as const;

/** The names of the values that bound a page. */
export type PageValueName = 'skip' | 'rowLimit' | (typeof CURSOR_PLACES)[number];

export const pageVariantOf = ({ after, skip }: KeysetRequest<SortKey>): PageVariant => ({
  cursorParts: after?.length ?? 0,
  skips: skip > 0,
});

export const pageValuesOf = ({ after, skip, limit }: KeysetRequest<SortKey>) => ({
  skip,
  rowLimit: limit + 1,
  after1: after?.[0],
  after2: after?.[1],
});

export const pagePlacesOf = ({ cursorParts, skips }: PageVariant, placeOf: PlaceOf<PageValueName>): PageBounds => ({
  after: cursorParts === 0 ? null : CURSOR_PLACES.slice(0, cursorParts).map((name) => placeOf(name)),
  skip: placeOf<number>('skip'),
  rowLimit: placeOf<number>('rowLimit'),
  mayHavePrevious: cursorParts > 0 || skips,
});

interface ListDefinition<Variant, DB, TB extends keyof DB, Row, T>
  extends ListSort<Row>,
    Pick<PageMapping<Row, T>, 'nodeOf'> {
  /** Another name for each list. */
  readonly name: string;
  /** All rows of the list, unsorted. */
  readonly listOf: (database: StoreDatabase, variant: Variant) => SelectQueryBuilder<DB, TB, Row>;
}

/** Defines the pages of a list without a parent. Their statements are compiled once for each variant of the list. */
export function definePages<Variant, DB, TB extends keyof DB, Row, T>(
  definition: ListDefinition<Variant, DB, TB, Row, T>,
) {
  const { name, key, isKey, keyOf, nodeOf, listOf } = definition;
  const selectPage = defineVariants(
    `page of ${name}`,
    (database: StoreDatabase, variant: PageVariant & { readonly list: Variant }, placeOf: PlaceOf<PageValueName>) => {
      const list = listOf(database, variant.list);
      return database.db
        .selectNoFrom(pageColumns(database.dialect, { list, key, bounds: pagePlacesOf(variant, placeOf) }))
        .compile();
    },
  );
  const selectTotal = defineVariants(`number of ${name}`, (database: StoreDatabase, variant: Variant) =>
    database.db.selectNoFrom(totalColumn(listOf(database, variant))).compile(),
  );
  return async (
    database: StoreDatabase,
    variant: Variant,
    page: PageRequest,
  ): Promise<Result<Page<T>, BackendError>> => {
    const request = parsePageRequest(page, isKey);
    if (!request.ok) return request;
    const [row] = await selectPage(
      database,
      { ...pageVariantOf(request.value), list: variant },
      pageValuesOf(request.value),
    );
    if (!row) throw new Error('The statement of a page has no row.');
    const totalCount = async () => Number((await selectTotal(database, variant, {}))[0]?.total ?? 0);
    return ok(toPage(row, { limit: page.limit, totalCount, keyOf, nodeOf }));
  };
}
