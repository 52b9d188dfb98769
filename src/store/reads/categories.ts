import type { Article, Category, CategoryKey } from '../../core/articles/articles.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { parseJsonArray } from '../database/dialect.ts';
import { CATEGORY_KEY, defineKeyedStatement, toCategoryRows, toStorableId } from '../tables/rows.ts';
import { IS_SET, type StoreDatabase, type Tables } from '../tables/tables.ts';
import { listsByKey, type ResultsByKey, valuesByKey } from './results-by-key.ts';

const CATEGORY_COLUMNS = [
  'c.id as category_id',
  'c.project_version_id',
  'c.name',
  'c.position',
  'c.parent_category_id',
] as const;

type CategoryRow = Omit<Tables['categories'], 'id'> & { readonly category_id: string; readonly language_code: string };

/** Categories have one name for all languages. The language selects the articles below them. */
const toCategory = (row: CategoryRow): Category => ({
  categoryId: row.category_id,
  projectVersionId: row.project_version_id,
  languageCode: row.language_code,
  name: row.name,
  order: row.position === 0 ? null : row.position,
  parentCategoryId: row.parent_category_id,
});

/** The root categories by order and ID; null when the project version or the language does not exist. */
export async function rootCategories(
  { db, dialect }: StoreDatabase,
  { projectVersionId, languageCode }: { readonly projectVersionId: string; readonly languageCode?: string | undefined },
): Promise<Result<readonly Category[] | null, BackendError>> {
  const roots = db
    .selectFrom('categories as c')
    .where('c.project_version_id', '=', toStorableId(projectVersionId))
    .where('c.parent_category_id', 'is', null)
    .select(CATEGORY_COLUMNS)
    .orderBy('c.position')
    .orderBy('c.id');
  const tree = await db
    .selectFrom('languages as l')
    .where('l.project_version_id', '=', toStorableId(projectVersionId))
    .where((eb) =>
      languageCode === undefined ? eb('l.is_default', '=', IS_SET) : eb('l.code', '=', toStorableId(languageCode)),
    )
    .select(['l.code as language_code', dialect.jsonArray(roots).as('roots')])
    .executeTakeFirst();
  if (!tree) return ok(null);
  return ok(parseJsonArray(tree.roots).map((row) => toCategory({ ...row, language_code: tree.language_code })));
}

const KEY_COLUMNS = {
  n: 'integer',
  category_id: 'text',
  project_version_id: 'text?',
  language_code: 'text?',
} as const;

const selectCategories = defineKeyedStatement(KEY_COLUMNS, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('categories as c', 'c.id', 'k.category_id')
    .innerJoin('languages as l', 'l.project_version_id', 'c.project_version_id')
    .where((eb) => eb('c.project_version_id', '=', eb.fn.coalesce('k.project_version_id', 'c.project_version_id')))
    .where((eb) =>
      eb.or([
        eb('l.code', '=', eb.ref('k.language_code')),
        eb('k.language_code', 'is', null).and('l.is_default', '=', IS_SET),
      ]),
    )
    .select(CATEGORY_COLUMNS)
    .select(['k.n', 'l.code as language_code']),
);

/** Reads categories; null for an unknown category or language, and for another project version than the category's. */
export async function categories(
  database: StoreDatabase,
  keys: readonly CategoryKey[],
): Promise<ResultsByKey<Category | null>> {
  const keyRows = keys.map(({ categoryId, projectVersionId = null, languageCode = null }, n) => ({
    n,
    category_id: toStorableId(categoryId),
    project_version_id: toStorableId(projectVersionId),
    language_code: toStorableId(languageCode),
  }));
  return valuesByKey(keys, await selectCategories(database, { rows: keyRows }), toCategory);
}

const selectChildren = defineKeyedStatement(CATEGORY_KEY, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('categories as c', 'c.parent_category_id', 'k.category_id')
    .select(CATEGORY_COLUMNS)
    .select(['k.n', 'k.language_code'])
    .orderBy('k.n')
    .orderBy('c.position')
    .orderBy('c.id'),
);

export const childCategories = async (
  database: StoreDatabase,
  parents: readonly Category[],
): Promise<ResultsByKey<readonly Category[]>> =>
  listsByKey(parents, await selectChildren(database, { rows: toCategoryRows(parents) }), toCategory);

/** The category of each article in the article's language. Every given article has the ID of its category. */
export async function categoriesOfArticles(
  database: StoreDatabase,
  articles: readonly Article[],
): Promise<ResultsByKey<Category | null>> {
  const keys = new Map<string, CategoryKey>();
  const keyNames = articles.map(({ categoryId, projectVersionId, languageCode }) => {
    if (categoryId == null) return null;
    const name = JSON.stringify([categoryId, languageCode]);
    keys.set(name, { categoryId, projectVersionId, languageCode });
    return name;
  });
  const found = keys.size === 0 ? [] : await categories(database, [...keys.values()]);
  const byName = new Map([...keys.keys()].map((name, index) => [name, found[index]]));
  return keyNames.map((name) => (name === null ? ok(null) : (byName.get(name) ?? ok(null))));
}
