import { parseRows } from '../../../database/dialect.ts';
import type { Article } from '../../../domain/articles/bulk-updates.ts';
import type { Category, CategoryKey } from '../../../domain/articles/categories.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { lookedFor, wantedArticles } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';
import { type Found, inOrder, listsInOrder } from './results-by-key.ts';

const CATEGORY_COLUMNS = [
  'c.id as category_id',
  'c.project_version_id',
  'c.name',
  'c.position',
  'c.parent_category_id',
] as const;

interface CategoryRow {
  readonly category_id: string;
  readonly project_version_id: string;
  readonly name: string;
  readonly position: number;
  readonly parent_category_id: string | null;
  readonly language_code: string;
}

/** A category has one name for all languages; the language says which texts are shown below it. */
const toCategory = (row: CategoryRow): Category => ({
  categoryId: row.category_id,
  projectVersionId: row.project_version_id,
  languageCode: row.language_code,
  name: row.name,
  order: row.position === 0 ? null : row.position,
  parentCategoryId: row.parent_category_id,
});

interface Tree {
  readonly projectVersionId: string;
  readonly languageCode?: string | undefined;
}

/** The top of a tree by order and ID; null where the project version or the language does not exist. */
export async function rootCategories(
  { db, engine }: Database,
  { projectVersionId, languageCode }: Tree,
): Promise<Result<readonly Category[] | null, BackendError>> {
  const roots = db
    .selectFrom('categories as c')
    .where('c.project_version_id', '=', lookedFor(projectVersionId))
    .where('c.parent_category_id', 'is', null)
    .select(CATEGORY_COLUMNS)
    .orderBy('c.position')
    .orderBy('c.id');
  const tree = await db
    .selectFrom('languages as l')
    .where('l.project_version_id', '=', lookedFor(projectVersionId))
    .where((eb) =>
      languageCode === undefined ? eb('l.is_default', '=', 1) : eb('l.code', '=', lookedFor(languageCode)),
    )
    .select(['l.code as language_code', engine.jsonRows(roots).as('roots')])
    .executeTakeFirst();
  if (!tree) return ok(null);
  return ok(parseRows(tree.roots).map((row) => toCategory({ ...row, language_code: tree.language_code })));
}

/** Null also where a key names another project version than the category's, or a language that it does not have. */
export async function categories(
  { db, engine }: Database,
  keys: readonly CategoryKey[],
): Promise<Found<Category | null>> {
  const wanted = keys.map(({ categoryId, projectVersionId = null, languageCode = null }, n) => ({
    n,
    category_id: lookedFor(categoryId),
    project_version_id: lookedFor(projectVersionId),
    language_code: lookedFor(languageCode),
  }));
  const columns = { n: 'integer', category_id: 'text', project_version_id: 'text', language_code: 'text' } as const;
  const rows = await db
    .selectFrom(engine.rows({ alias: 'w', rows: wanted, columns }))
    .innerJoin('categories as c', 'c.id', 'w.category_id')
    .innerJoin('languages as l', 'l.project_version_id', 'c.project_version_id')
    .where((eb) => eb('c.project_version_id', '=', eb.fn.coalesce('w.project_version_id', 'c.project_version_id')))
    .where((eb) =>
      eb.or([
        eb('l.code', '=', eb.ref('w.language_code')),
        eb('w.language_code', 'is', null).and('l.is_default', '=', 1),
      ]),
    )
    .select(CATEGORY_COLUMNS)
    .select(['w.n', 'l.code as language_code'])
    .execute();
  return inOrder(keys, rows, toCategory);
}

export async function childCategories(
  { db, engine }: Database,
  parents: readonly Category[],
): Promise<Found<readonly Category[]>> {
  const wanted = engine.rows({
    alias: 'w',
    rows: parents.map(({ categoryId, languageCode }, n) => ({
      n,
      category_id: categoryId,
      language_code: languageCode,
    })),
    columns: { n: 'integer', category_id: 'text', language_code: 'text' },
  });
  const rows = await db
    .selectFrom(wanted)
    .innerJoin('categories as c', 'c.parent_category_id', 'w.category_id')
    .select(CATEGORY_COLUMNS)
    .select(['w.n', 'w.language_code'])
    .orderBy('w.n')
    .orderBy('c.position')
    .orderBy('c.id')
    .execute();
  return listsInOrder(parents, rows, toCategory);
}

/** The category of each article, in the article's language. */
export async function categoriesOfArticles(
  database: Database,
  articles: readonly Article[],
): Promise<Found<Category | null>> {
  const rows = await database.db
    .selectFrom(wantedArticles(database, articles))
    .innerJoin('articles as a', 'a.id', 'w.article_id')
    .innerJoin('categories as c', 'c.id', 'a.category_id')
    .select(CATEGORY_COLUMNS)
    .select(['w.n', 'w.language_code'])
    .execute();
  return inOrder(articles, rows, toCategory);
}
