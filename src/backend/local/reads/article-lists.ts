import { sql } from 'kysely';
import type { Article, ArticleFilter } from '../../../domain/articles/bulk-updates.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { lookedFor } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';
import { type ListedRow, listedArticles, toListedArticle } from './articles.ts';
import {
  countOf,
  isNumberTextKey,
  isTextKey,
  type PageRows,
  pageColumns,
  readPlace,
  sharedTotals,
  toPage,
} from './keyset-pages.ts';
import type { Found } from './results-by-key.ts';

/** The articles of each category by their order, those without one first and ties by ID (contract, section 4). */
export async function articlesOfCategories(
  database: Database,
  categories: readonly Category[],
  page: PageRequest,
): Promise<Found<Page<Article>>> {
  const place = readPlace(page, isNumberTextKey);
  if (!place.ok) return categories.map(() => place);
  const parents = database.engine.rows({
    alias: 'w',
    rows: categories.map(({ categoryId, languageCode }, n) => ({
      n,
      category_id: categoryId,
      language_code: languageCode,
    })),
    columns: { n: 'integer', category_id: 'text', language_code: 'text' },
  });
  const list = articlesOfCategory(database);
  const rows = await database.db
    .selectFrom(parents)
    .select('w.n')
    .select(pageColumns(database.engine, { list, key: IN_CATEGORY, place: place.value }))
    .orderBy('w.n')
    .execute();
  const totals = sharedTotals(() =>
    database.db
      .selectFrom(parents)
      .select(['w.n', countOf(list)])
      .execute(),
  );
  return rows.map((row) => ok(toCategoryPage(row, page.limit, totals(row.n))));
}

/** The keys that the two lists are sorted by. */
const IN_CATEGORY = ['a.position', 'a.id'];
const IN_PROJECT_VERSION = ['t.article_id'];

const articlesOfCategory = (database: Database) =>
  listedArticles(database)
    .where('a.category_id', '=', sql.ref<string>('w.category_id'))
    .where('t.language_code', '=', sql.ref<string>('w.language_code'));

const toCategoryPage = (rows: PageRows<ListedRow>, limit: number, totalCount: () => Promise<number>): Page<Article> =>
  toPage(rows, { limit, totalCount, keyOf: (row) => [row.position, row.article_id], nodeOf: toListedArticle });

/** Articles of a whole project version by ID, or of one category as above; null where the filter names what is not there. */
export async function listArticles(
  database: Database,
  filter: ArticleFilter,
  page: PageRequest,
): Promise<Result<Page<Article> | null, BackendError>> {
  const inCategory = filter.categoryId !== undefined;
  const place = inCategory ? readPlace(page, isNumberTextKey) : readPlace(page, isTextKey);
  if (!place.ok) return place;
  const scope = scopeOf(database, filter).as('w');
  const list = inCategory ? articlesOfCategory(database) : articlesOfProjectVersion(database);
  const key = inCategory ? IN_CATEGORY : IN_PROJECT_VERSION;
  const row = await database.db
    .selectFrom(scope)
    .select(pageColumns(database.engine, { list, key, place: place.value }))
    .executeTakeFirst();
  if (!row) return ok(null);
  const totalCount = async () => {
    const counted = await database.db
      .selectFrom(scope)
      .select(inCategory ? countOf(list) : countOf(translationsOfProjectVersion(database)))
      .executeTakeFirst();
    return Number(counted?.total ?? 0);
  };
  if (inCategory) return ok(toCategoryPage(row, page.limit, totalCount));
  const { limit } = page;
  return ok(toPage(row, { limit, totalCount, keyOf: (article) => [article.article_id], nodeOf: toListedArticle }));
}

/** The same articles for counting them: each translation has one latest version, and an index has them all. */
const translationsOfProjectVersion = ({ db }: Database) =>
  db
    .selectFrom('article_translations as t')
    .where('t.project_version_id', '=', sql.ref<string>('w.project_version_id'))
    .where('t.language_code', '=', sql.ref<string>('w.language_code'));

const articlesOfProjectVersion = (database: Database) =>
  listedArticles(database)
    .where('t.project_version_id', '=', sql.ref<string>('w.project_version_id'))
    .where('t.language_code', '=', sql.ref<string>('w.language_code'));

/** The one row that says what a filter means, its defaults filled in; no row where it names what is not there. */
function scopeOf({ db }: Database, filter: ArticleFilter) {
  const projectVersionId = lookedFor(filter.projectVersionId);
  const languageCode = lookedFor(filter.languageCode);
  const categoryId = lookedFor(filter.categoryId);
  return db
    .selectFrom('project_versions as p')
    .innerJoin('languages as l', 'l.project_version_id', 'p.id')
    .leftJoin('categories as c', (join) =>
      join.onRef('c.project_version_id', '=', 'p.id').on('c.id', '=', categoryId ?? null),
    )
    .where((eb) => (projectVersionId === undefined ? eb('p.is_default', '=', 1) : eb('p.id', '=', projectVersionId)))
    .where((eb) => (languageCode === undefined ? eb('l.is_default', '=', 1) : eb('l.code', '=', languageCode)))
    .$if(categoryId !== undefined, (query) => query.where('c.id', 'is not', null))
    .select(['p.id as project_version_id', 'l.code as language_code', 'c.id as category_id']);
}
