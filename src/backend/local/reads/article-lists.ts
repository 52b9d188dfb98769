import { type Expression, sql } from 'kysely';
import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import { defineVariants, type PlaceOf } from '../../../database/statement-variants.ts';
import type { ArticleFilter, ArticleListRequest, ArticleOrder } from '../../../domain/articles/article-filters.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { IS_SET } from '../tables/flags.ts';
import { categoryKeyTable, toStorableId } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { whereMatching } from './article-filters.ts';
import { articleSortOf, CATEGORY_SORT } from './article-orders.ts';
import { selectListedArticles, toListedArticle } from './articles.ts';
import { lazyTotals, pageBoundsOf, pageColumns, parsePageRequest, toPage, totalColumn } from './keyset-pages.ts';
import { type PageValueName, type PageVariant, pagePlacesOf, pageValuesOf, pageVariantOf } from './page-statements.ts';
import type { ResultsByKey } from './results-by-key.ts';

/**
 * The articles of each category by order and ID, those without an order first:
 * see docs/contract.md, "Store bulk update".
 */
export async function articlesOfCategories(
  database: StoreDatabase,
  categories: readonly Category[],
  page: PageRequest,
): Promise<ResultsByKey<Page<Article>>> {
  const keysetRequest = parsePageRequest(page, CATEGORY_SORT.isKey);
  if (!keysetRequest.ok) return categories.map(() => keysetRequest);
  const parents = categoryKeyTable(database, categories);
  const list = selectArticlesOfCategory(database);
  const rows = await database.db
    .selectFrom(parents)
    .select('k.n')
    .select(pageColumns(database.dialect, { list, key: CATEGORY_SORT.key, bounds: pageBoundsOf(keysetRequest.value) }))
    .orderBy('k.n')
    .execute();
  const totals = lazyTotals(() =>
    database.db
      .selectFrom(parents)
      .select(['k.n', totalColumn(list)])
      .execute(),
  );
  const { keyOf } = CATEGORY_SORT;
  return rows.map((row) =>
    ok(toPage(row, { limit: page.limit, totalCount: totals(row.n), keyOf, nodeOf: toListedArticle })),
  );
}

const selectArticlesOfCategory = (database: StoreDatabase) =>
  selectListedArticles(database)
    .where('a.category_id', '=', sql.ref<string>('k.category_id'))
    .where('t.language_code', '=', sql.ref<string>('k.language_code'));

const SCOPE_IDS = ['projectVersionId', 'languageCode', 'categoryId'] as const;

type ScopeId = (typeof SCOPE_IDS)[number];

/** A list as far as it decides about the text of its statements. */
interface ListVariant {
  readonly ids: readonly ScopeId[];
  readonly filter: ArticleFilter;
  readonly orderBy: ArticleOrder;
}

const articleListOf = (database: StoreDatabase, { ids, filter }: ListVariant) =>
  whereMatching(
    database,
    ids.includes('categoryId') ? selectArticlesOfCategory(database) : selectArticlesOfProjectVersion(database),
    filter,
  );

/** One row with the IDs of a list, defaults included; no row when one of them is unknown. */
function scopeOf(database: StoreDatabase, { ids }: ListVariant, placeOf: PlaceOf<ScopeId>) {
  const idOf = (name: ScopeId) => (ids.includes(name) ? placeOf<string>(name) : undefined);
  const categoryId = idOf('categoryId');
  return selectEdition(database, { projectVersionId: idOf('projectVersionId'), languageCode: idOf('languageCode') })
    .leftJoin('categories as c', (join) =>
      join.onRef('c.project_version_id', '=', 'p.id').on('c.id', '=', categoryId ?? null),
    )
    .$if(categoryId !== undefined, (query) => query.where('c.id', 'is not', null))
    .select('c.id as category_id')
    .as('k');
}

const selectArticlePage = defineVariants(
  'page of articles',
  (database: StoreDatabase, variant: ListVariant & PageVariant, placeOf: PlaceOf<ScopeId | PageValueName>) => {
    const { key, isDescending } = articleSortOf(variant.orderBy, variant.ids.includes('categoryId'));
    const list = articleListOf(database, variant);
    return database.db
      .selectFrom(scopeOf(database, variant, placeOf))
      .select(pageColumns(database.dialect, { list, key, isDescending, bounds: pagePlacesOf(variant, placeOf) }))
      .compile();
  },
);

const selectArticleTotal = defineVariants(
  'number of articles',
  (database: StoreDatabase, variant: ListVariant, placeOf: PlaceOf<ScopeId>) => {
    const countsIndexAlone = !variant.ids.includes('categoryId') && Object.keys(variant.filter).length === 0;
    return database.db
      .selectFrom(scopeOf(database, variant, placeOf))
      .select(
        countsIndexAlone
          ? totalColumn(selectTranslationsOfProjectVersion(database))
          : totalColumn(articleListOf(database, variant)),
      )
      .compile();
  },
);

/** Articles of a whole project version or of one category; null when an ID of the request is unknown. */
export async function listArticles(
  database: StoreDatabase,
  { filter = {}, orderBy = 'ID', ...requestedIds }: ArticleListRequest,
  page: PageRequest,
): Promise<Result<Page<Article> | null, BackendError>> {
  const { isKey, keyOf } = articleSortOf(orderBy, requestedIds.categoryId !== undefined);
  const keysetRequest = parsePageRequest(page, isKey);
  if (!keysetRequest.ok) return keysetRequest;
  const ids = {
    projectVersionId: toStorableId(requestedIds.projectVersionId),
    languageCode: toStorableId(requestedIds.languageCode),
    categoryId: toStorableId(requestedIds.categoryId),
  };
  const variant = { ids: SCOPE_IDS.filter((name) => ids[name] !== undefined), filter, orderBy };
  const [row] = await selectArticlePage(
    database,
    { ...variant, ...pageVariantOf(keysetRequest.value) },
    { ...ids, ...pageValuesOf(keysetRequest.value) },
  );
  if (!row) return ok(null);
  const totalCount = async () => Number((await selectArticleTotal(database, variant, ids))[0]?.total ?? 0);
  return ok(toPage(row, { limit: page.limit, totalCount, keyOf, nodeOf: toListedArticle }));
}

/** Selects translations for counting. Each has one latest version, so an index alone is read. */
const selectTranslationsOfProjectVersion = ({ db }: StoreDatabase) =>
  db
    .selectFrom('article_translations as t')
    .where('t.project_version_id', '=', sql.ref<string>('k.project_version_id'))
    .where('t.language_code', '=', sql.ref<string>('k.language_code'));

const selectArticlesOfProjectVersion = (database: StoreDatabase) =>
  selectListedArticles(database)
    .where('t.project_version_id', '=', sql.ref<string>('k.project_version_id'))
    .where('t.language_code', '=', sql.ref<string>('k.language_code'));

/** The IDs of an edition, or their places. An absent one stands for the default. */
interface EditionIds {
  readonly projectVersionId: Expression<string> | string | undefined;
  readonly languageCode: Expression<string> | string | undefined;
}

/** One row with a project version and a language, defaults included; no row when one of them is unknown. */
export function selectEdition({ db }: StoreDatabase, { projectVersionId, languageCode }: EditionIds) {
  return db
    .selectFrom('project_versions as p')
    .innerJoin('languages as l', 'l.project_version_id', 'p.id')
    .where((eb) =>
      projectVersionId === undefined ? eb('p.is_default', '=', IS_SET) : eb('p.id', '=', projectVersionId),
    )
    .where((eb) => (languageCode === undefined ? eb('l.is_default', '=', IS_SET) : eb('l.code', '=', languageCode)))
    .select(['p.id as project_version_id', 'l.code as language_code']);
}
