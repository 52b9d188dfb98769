import { sql } from 'kysely';
import type { Article, ArticleFilter } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { categoryKeyTable, toStorableId } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { type ListedArticleRow, selectListedArticles, toListedArticle } from './articles.ts';
import {
  isNumberTextKey,
  isTextKey,
  lazyTotals,
  type PageColumns,
  pageColumns,
  parsePageRequest,
  toPage,
  totalColumn,
} from './keyset-pages.ts';
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
  const keysetRequest = parsePageRequest(page, isNumberTextKey);
  if (!keysetRequest.ok) return categories.map(() => keysetRequest);
  const parents = categoryKeyTable(database, categories);
  const list = selectArticlesOfCategory(database);
  const rows = await database.db
    .selectFrom(parents)
    .select('k.n')
    .select(pageColumns(database.dialect, { list, key: CATEGORY_SORT_KEY, keysetRequest: keysetRequest.value }))
    .orderBy('k.n')
    .execute();
  const totals = lazyTotals(() =>
    database.db
      .selectFrom(parents)
      .select(['k.n', totalColumn(list)])
      .execute(),
  );
  return rows.map((row) => ok(toCategoryPage(row, page.limit, totals(row.n))));
}

/** The sort keys of the two lists. */
const CATEGORY_SORT_KEY = ['a.position', 'a.id'];
const PROJECT_VERSION_SORT_KEY = ['t.article_id'];

const selectArticlesOfCategory = (database: StoreDatabase) =>
  selectListedArticles(database)
    .where('a.category_id', '=', sql.ref<string>('k.category_id'))
    .where('t.language_code', '=', sql.ref<string>('k.language_code'));

const toCategoryPage = (
  rows: PageColumns<ListedArticleRow>,
  limit: number,
  totalCount: () => Promise<number>,
): Page<Article> =>
  toPage(rows, { limit, totalCount, keyOf: (row) => [row.position, row.article_id], nodeOf: toListedArticle });

/** Articles of a whole project version by ID, or of one category by order; null when an ID of the filter is unknown. */
export async function listArticles(
  database: StoreDatabase,
  filter: ArticleFilter,
  page: PageRequest,
): Promise<Result<Page<Article> | null, BackendError>> {
  const inCategory = filter.categoryId !== undefined;
  const keysetRequest = inCategory ? parsePageRequest(page, isNumberTextKey) : parsePageRequest(page, isTextKey);
  if (!keysetRequest.ok) return keysetRequest;
  const scope = selectFilterScope(database, filter).as('k');
  const list = inCategory ? selectArticlesOfCategory(database) : selectArticlesOfProjectVersion(database);
  const key = inCategory ? CATEGORY_SORT_KEY : PROJECT_VERSION_SORT_KEY;
  const row = await database.db
    .selectFrom(scope)
    .select(pageColumns(database.dialect, { list, key, keysetRequest: keysetRequest.value }))
    .executeTakeFirst();
  if (!row) return ok(null);
  const totalCount = async () => {
    const counted = await database.db
      .selectFrom(scope)
      .select(inCategory ? totalColumn(list) : totalColumn(selectTranslationsOfProjectVersion(database)))
      .executeTakeFirst();
    return Number(counted?.total ?? 0);
  };
  if (inCategory) return ok(toCategoryPage(row, page.limit, totalCount));
  const { limit } = page;
  return ok(toPage(row, { limit, totalCount, keyOf: (article) => [article.article_id], nodeOf: toListedArticle }));
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

/** One row with the IDs of a filter, defaults included; no row when one of them is unknown. */
function selectFilterScope(database: StoreDatabase, filter: ArticleFilter) {
  const categoryId = toStorableId(filter.categoryId);
  return selectEdition(database, filter)
    .leftJoin('categories as c', (join) =>
      join.onRef('c.project_version_id', '=', 'p.id').on('c.id', '=', categoryId ?? null),
    )
    .$if(categoryId !== undefined, (query) => query.where('c.id', 'is not', null))
    .select('c.id as category_id');
}

/** One row with a project version and a language, defaults included; no row when one of them is unknown. */
export function selectEdition({ db }: StoreDatabase, requested: Omit<ArticleFilter, 'categoryId'>) {
  const projectVersionId = toStorableId(requested.projectVersionId);
  const languageCode = toStorableId(requested.languageCode);
  return db
    .selectFrom('project_versions as p')
    .innerJoin('languages as l', 'l.project_version_id', 'p.id')
    .where((eb) => (projectVersionId === undefined ? eb('p.is_default', '=', 1) : eb('p.id', '=', projectVersionId)))
    .where((eb) => (languageCode === undefined ? eb('l.is_default', '=', 1) : eb('l.code', '=', languageCode)))
    .select(['p.id as project_version_id', 'l.code as language_code']);
}
