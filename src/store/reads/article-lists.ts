import { type Expression, sql } from 'kysely';
import type { ArticleCreation } from '../../core/articles/article-creations.ts';
import {
  type Article,
  type ArticleFilter,
  type ArticleListRequest,
  type ArticleOrder,
  type ArticleSlug,
  type Category,
  titleKeyOf,
} from '../../core/articles/articles.ts';
import type { PageRequest, StoredPage } from '../../core/base/pages.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import type { RowOf } from '../database/dialect.ts';
import { type Places, slicesOf } from '../database/statements.ts';
import { hasWords } from '../tables/article-words.ts';
import { CATEGORY_KEY, defineKeyedStatement, MAX_ROWS, toCategoryRows, toStorableId } from '../tables/rows.ts';
import { IS_SET, type StoreDatabase, type StoredStatus } from '../tables/tables.ts';
import { type ListedArticleRow, selectListedArticles, toListedArticle } from './articles.ts';
import { definePages, type ListSort } from './pages.ts';
import { type ResultsByKey, valuesByKey } from './results-by-key.ts';

const BY_TIME: ListSort<ListedArticleRow> = {
  key: { 't.modified_at': 'text', 't.article_id': 'text' },
  keyOf: (row) => [row.modified_at ?? '', row.article_id],
};

/** Lists are sorted by ID without another order, and the articles of a category by their order. */
const SORTS: Readonly<Record<ArticleOrder | 'CATEGORY', ListSort<ListedArticleRow>>> = {
  /** Articles without an order come first. */
  CATEGORY: {
    key: { 'a.position': 'integer', 'a.id': 'text' },
    keyOf: (row) => [row.position, row.article_id],
  },
  ID: {
    key: { 't.article_id': 'text' },
    keyOf: (row) => [row.article_id],
  },
  TITLE: {
    key: { 't.title_key': 'text', 't.article_id': 'text' },
    keyOf: (row) => [titleKeyOf(row.title), row.article_id],
  },
  MODIFIED_AT: BY_TIME,
  MODIFIED_AT_DESC: { ...BY_TIME, isDescending: true },
};

const selectArticlesOfCategory = (database: StoreDatabase) =>
  selectListedArticles(database)
    .where('a.category_id', '=', sql.ref<string>('k.category_id'))
    .where('t.language_code', '=', sql.ref<string>('k.language_code'));

const readPagesOfCategories = definePages({
  sortOf: (_variant: null) => SORTS.CATEGORY,
  nodeOf: toListedArticle,
  listOf: selectArticlesOfCategory,
  parentsOf: ({ dialect }, _variant, { placeOf }: Places<{ rows: readonly RowOf<typeof CATEGORY_KEY>[] }>) =>
    sql`${dialect.jsonTable({ alias: 'k', rows: placeOf('rows'), columns: CATEGORY_KEY })}`,
});

/** The articles of each category by order and ID, those without an order first: docs/contract.md, "Store bulk update". */
export async function articlesOfCategories(
  database: StoreDatabase,
  categories: readonly Category[],
  page: PageRequest,
): Promise<ResultsByKey<StoredPage<Article>>> {
  const values = { rows: toCategoryRows(categories) };
  const pages = await readPagesOfCategories(database, { variant: null, page, values });
  return pages.ok ? pages.value.map((one) => ok(one)) : categories.map(() => pages);
}

const SCOPE_IDS = ['projectVersionId', 'languageCode', 'categoryId'] as const;

type ScopeId = (typeof SCOPE_IDS)[number];

type ListValues = Readonly<Record<ScopeId | 'slug', string | undefined>>;

/** The parts of a list request that decide the text of its statements. */
interface ListVariant {
  readonly ids: readonly ScopeId[];
  readonly filter: ArticleFilter;
  readonly orderBy: ArticleOrder;
  readonly bySlug: boolean;
}

const isOfCategory = ({ ids }: ListVariant): boolean => ids.includes('categoryId');

/** Selects one row with the IDs of a list, defaults included, and no row when one of them is unknown. */
const scopeOf = ({ db }: StoreDatabase, { ids }: ListVariant, { placeOf }: Places<ListValues>) =>
  db
    .selectFrom('project_versions as p')
    .innerJoin('languages as l', 'l.project_version_id', 'p.id')
    .leftJoin('categories as c', (join) =>
      join
        .onRef('c.project_version_id', '=', 'p.id')
        .on('c.id', '=', ids.includes('categoryId') ? placeOf('categoryId') : null),
    )
    .where((eb) =>
      ids.includes('projectVersionId') ? eb('p.id', '=', placeOf('projectVersionId')) : eb('p.is_default', '=', IS_SET),
    )
    .where((eb) =>
      ids.includes('languageCode') ? eb('l.code', '=', placeOf('languageCode')) : eb('l.is_default', '=', IS_SET),
    )
    .$if(ids.includes('categoryId'), (query) => query.where('c.id', 'is not', null))
    .select(['p.id as project_version_id', 'l.code as language_code', 'c.id as category_id', sql.lit(0).as('n')])
    .as('k');

const readArticlePage = definePages({
  sortOf: (variant: ListVariant) =>
    SORTS[variant.orderBy === 'ID' && isOfCategory(variant) ? 'CATEGORY' : variant.orderBy],
  nodeOf: toListedArticle,
  listOf: (database, variant, { placeOf }: Places<ListValues>) =>
    whereMatching(
      database,
      isOfCategory(variant) ? selectArticlesOfCategory(database) : selectArticlesOfProjectVersion(database),
      variant.filter,
    ).$if(variant.bySlug, (list) => list.where('t.article_id', 'in', idsBySlug(database, placeOf('slug')))),
  /** Each translation has one latest version, so an index alone is read for all articles of a project version. */
  countedOf: (database, variant) =>
    isOfCategory(variant) || variant.bySlug || Object.keys(variant.filter).length > 0
      ? null
      : selectTranslationsOfProjectVersion(database),
  parentsOf: (database, variant, places: Places<ListValues>) => sql`${scopeOf(database, variant, places)}`,
});

/** The index has only the beginning of a slug, so both are compared. */
const idsBySlug = ({ db }: StoreDatabase, slug: Expression<string | undefined>) =>
  db
    .selectFrom('articles as s')
    .where(sql<boolean>`substr(s.slug, 1, 100) = substr(${slug}, 1, 100) and s.slug = ${slug}`)
    .select('s.id');

/** Lists the articles of a project version or of one category; null when an ID of the request is unknown. */
export async function listArticles(
  database: StoreDatabase,
  { filter = {}, orderBy = 'ID', slug, ...requestedIds }: ArticleListRequest & { readonly slug?: string },
  page: PageRequest,
): Promise<Result<StoredPage<Article> | null, BackendError>> {
  const values = {
    projectVersionId: toStorableId(requestedIds.projectVersionId),
    languageCode: toStorableId(requestedIds.languageCode),
    categoryId: toStorableId(requestedIds.categoryId),
    slug: toStorableId(slug),
  };
  const ids = SCOPE_IDS.filter((name) => values[name] !== undefined);
  const variant = { ids, filter, orderBy, bySlug: slug !== undefined };
  const pages = await readArticlePage(database, { variant, page, values });
  return pages.ok ? ok(pages.value[0] ?? null) : pages;
}

/** The article with a slug, the first one by ID where several have it. */
export async function articleBySlug(
  database: StoreDatabase,
  slug: ArticleSlug,
): Promise<Result<Article | null, BackendError>> {
  const found = await listArticles(database, slug, { limit: 1 });
  return found.ok ? ok(found.value?.edges[0]?.node ?? null) : found;
}

const TITLE_KEY = {
  n: 'integer',
  project_version_id: 'text',
  category_id: 'text',
  title_key: 'text',
  title: 'text',
} as const;

/** The index has only the beginning of a title, so both are compared. */
const selectTitled = defineKeyedStatement(TITLE_KEY, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'k.project_version_id').on('d.is_default', '=', IS_SET),
    )
    .innerJoin('article_translations as t', (join) =>
      join
        .onRef('t.project_version_id', '=', 'd.project_version_id')
        .onRef('t.language_code', '=', 'd.code')
        .onRef('t.title_key', '=', 'k.title_key'),
    )
    .innerJoin('articles as a', (join) =>
      join.onRef('a.id', '=', 't.article_id').onRef('a.category_id', '=', 'k.category_id'),
    )
    .innerJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 't.article_id')
        .onRef('v.language_code', '=', 't.language_code')
        .onRef('v.version_number', '=', 't.latest_version_number')
        .onRef('v.title', '=', 'k.title'),
    )
    .groupBy('k.n')
    .select(({ fn }) => ['k.n', fn.min('a.id').as('article_id')]),
);

export async function articlesWithTitles(
  database: StoreDatabase,
  items: readonly ArticleCreation[],
): Promise<ResultsByKey<string | null>> {
  const rows = items.map(({ projectVersionId, categoryId, title }, n) => ({
    n,
    project_version_id: toStorableId(projectVersionId),
    category_id: toStorableId(categoryId ?? ''),
    title_key: titleKeyOf(title),
    title,
  }));
  const found: Awaited<ReturnType<typeof selectTitled>>[number][] = [];
  for (const slice of slicesOf(rows, MAX_ROWS)) found.push(...(await selectTitled(database, { rows: slice })));
  return valuesByKey(items, found, ({ article_id }) => article_id);
}

const whereMatching = (
  { db, dialect }: StoreDatabase,
  list: ReturnType<typeof selectListedArticles>,
  { words, hidden, translationStatuses = [], statuses = [], modifiedSince, modifiedBefore }: ArticleFilter,
) => {
  const hasBoth = statuses.includes('DRAFT') && statuses.includes('PUBLISHED');
  // No stored status is unrecognized.
  const status = hasBoth ? undefined : (statuses.find((one) => one !== 'UNRECOGNIZED') ?? statuses[0]);
  return (
    list
      .$if(words !== undefined, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('t.article_id', 't.language_code'),
            'in',
            db
              .selectFrom('article_words as w')
              .where(hasWords(dialect, words ?? []))
              .select(['w.article_id', 'w.language_code'])
              .$asTuple('article_id', 'language_code'),
          ),
        ),
      )
      // The value is a literal, since the condition of the index does not match a parameter.
      .$if(hidden !== undefined, (query) => query.where(sql<boolean>`t.hidden = ${sql.lit(Number(hidden))}`))
      .$if(translationStatuses.length === 1, (query) =>
        query.where('t.translation_status', '=', sql<(typeof translationStatuses)[0]>`${translationStatuses[0]}`),
      )
      .$if(translationStatuses.length > 1, (query) => query.where('t.translation_status', 'in', translationStatuses))
      .$if(status !== undefined, (query) => query.where('t.status', '=', sql<StoredStatus>`${status}`))
      .$if(modifiedSince !== undefined, (query) =>
        query.where('t.modified_at', '>=', modifiedSince?.toISOString() ?? ''),
      )
      .$if(modifiedBefore !== undefined, (query) =>
        query.where('t.modified_at', '>', '').where('t.modified_at', '<', modifiedBefore?.toISOString() ?? ''),
      )
  );
};

const selectTranslationsOfProjectVersion = ({ db }: StoreDatabase) =>
  db.selectFrom('article_translations as t').where(isOfVersionLanguage).select('t.article_id');

const selectArticlesOfProjectVersion = (database: StoreDatabase) =>
  selectListedArticles(database).where(isOfVersionLanguage);

const isOfVersionLanguage = sql<boolean>`${sql.ref('t.project_version_id')} = ${sql.ref('k.project_version_id')}
  and ${sql.ref('t.language_code')} = ${sql.ref('k.language_code')}`;
