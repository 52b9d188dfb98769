import { sql } from 'kysely';
import type { ArticleListRequest } from '../../../domain/articles/article-filters.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { IS_SET } from '../tables/flags.ts';
import { categoryKeyTable, toStorableId } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { whereMatching } from './article-filters.ts';
import { articleSortOf, CATEGORY_SORT } from './article-orders.ts';
import { selectListedArticles, toListedArticle } from './articles.ts';
import { lazyTotals, pageColumns, parsePageRequest, toPage, totalColumn } from './keyset-pages.ts';
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
    .select(pageColumns(database.dialect, { list, key: CATEGORY_SORT.key, keysetRequest: keysetRequest.value }))
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

/** Articles of a whole project version or of one category; null when an ID of the request is unknown. */
export async function listArticles(
  database: StoreDatabase,
  request: ArticleListRequest,
  page: PageRequest,
): Promise<Result<Page<Article> | null, BackendError>> {
  const { filter = {}, orderBy = 'ID' } = request;
  const inCategory = request.categoryId !== undefined;
  const { key, isDescending, isKey, keyOf } = articleSortOf(orderBy, inCategory);
  const keysetRequest = parsePageRequest(page, isKey);
  if (!keysetRequest.ok) return keysetRequest;
  const scope = selectRequestScope(database, request).as('k');
  const list = whereMatching(
    database,
    inCategory ? selectArticlesOfCategory(database) : selectArticlesOfProjectVersion(database),
    filter,
  );
  const row = await database.db
    .selectFrom(scope)
    .select(pageColumns(database.dialect, { list, key, isDescending, keysetRequest: keysetRequest.value }))
    .executeTakeFirst();
  if (!row) return ok(null);
  const countsIndexAlone = !inCategory && Object.keys(filter).length === 0;
  const totalCount = async () => {
    const counted = await database.db
      .selectFrom(scope)
      .select(countsIndexAlone ? totalColumn(selectTranslationsOfProjectVersion(database)) : totalColumn(list))
      .executeTakeFirst();
    return Number(counted?.total ?? 0);
  };
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

/** One row with the IDs of a request, defaults included; no row when one of them is unknown. */
function selectRequestScope(database: StoreDatabase, request: ArticleListRequest) {
  const categoryId = toStorableId(request.categoryId);
  return selectEdition(database, request)
    .leftJoin('categories as c', (join) =>
      join.onRef('c.project_version_id', '=', 'p.id').on('c.id', '=', categoryId ?? null),
    )
    .$if(categoryId !== undefined, (query) => query.where('c.id', 'is not', null))
    .select('c.id as category_id');
}

/** One row with a project version and a language, defaults included; no row when one of them is unknown. */
export function selectEdition(
  { db }: StoreDatabase,
  requested: Pick<ArticleListRequest, 'projectVersionId' | 'languageCode'>,
) {
  const projectVersionId = toStorableId(requested.projectVersionId);
  const languageCode = toStorableId(requested.languageCode);
  return db
    .selectFrom('project_versions as p')
    .innerJoin('languages as l', 'l.project_version_id', 'p.id')
    .where((eb) =>
      projectVersionId === undefined ? eb('p.is_default', '=', IS_SET) : eb('p.id', '=', projectVersionId),
    )
    .where((eb) => (languageCode === undefined ? eb('l.is_default', '=', IS_SET) : eb('l.code', '=', languageCode)))
    .select(['p.id as project_version_id', 'l.code as language_code']);
}
