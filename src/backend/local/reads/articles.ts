import type { InferResult } from 'kysely';
import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import type { Article, ArticleKey, ArticleVersion } from '../../../domain/articles/articles.ts';
import { IS_SET } from '../tables/flags.ts';
import { toStorableId, toTranslationKeys, translationKeyTable } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { listsByKey, type ResultsByKey, valuesByKey } from './results-by-key.ts';

/** The columns of an article in a list. `t` is its translation, `v` its version. */
const LISTED_COLUMNS = [
  'a.id as article_id',
  'a.project_version_id',
  'a.category_id',
  'a.slug',
  'a.position',
  'a.hidden',
  'a.content_type',
  't.language_code',
  't.latest_version_number',
  'v.version_number',
  'v.title',
  'v.translation_status',
  'v.modified_at',
] as const;

/** The latest version of every translation, without its content. */
export const selectListedArticles = ({ db }: StoreDatabase) =>
  db
    .selectFrom('article_translations as t')
    .innerJoin('articles as a', 'a.id', 't.article_id')
    .innerJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 't.article_id')
        .onRef('v.language_code', '=', 't.language_code')
        .onRef('v.version_number', '=', 't.latest_version_number'),
    )
    .select(LISTED_COLUMNS);

export type ListedArticleRow = InferResult<ReturnType<typeof selectListedArticles>>[number];

/** Leaves out the content, as the service's lists do. */
export const toListedArticle = (row: ListedArticleRow): Article => ({
  articleId: row.article_id,
  languageCode: row.language_code,
  projectVersionId: row.project_version_id,
  categoryId: row.category_id,
  versionNumber: row.version_number,
  pinned: false,
  latestVersionNumber: row.latest_version_number,
  title: row.title,
  slug: row.slug,
  hidden: row.hidden === 1,
  order: row.position === 0 ? null : row.position,
  translationStatus: row.translation_status,
  contentType: row.content_type,
  modifiedAt: toDate(row.modified_at),
});

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

const KEY_COLUMNS = { n: 'integer', article_id: 'text', language_code: 'text', version_number: 'integer' } as const;

interface ArticleKeyRow {
  readonly n: number;
  readonly article_id: string;
  readonly language_code: string | null;
  readonly version_number: number | null;
}

const selectArticles = defineStatement(({ db, dialect }: StoreDatabase, rows: RowsParameter<ArticleKeyRow>) =>
  db
    .selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: KEY_COLUMNS }))
    .innerJoin('articles as a', 'a.id', 'k.article_id')
    .innerJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'a.project_version_id').on('d.is_default', '=', IS_SET),
    )
    .innerJoin('article_translations as t', (join) =>
      join
        .onRef('t.article_id', '=', 'a.id')
        .on((eb) => eb('t.language_code', '=', eb.fn.coalesce('k.language_code', 'd.code'))),
    )
    .innerJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 't.article_id')
        .onRef('v.language_code', '=', 't.language_code')
        .on((eb) => eb('v.version_number', '=', eb.fn.coalesce('k.version_number', 't.latest_version_number'))),
    )
    .select(LISTED_COLUMNS)
    .select(['k.n', 'k.version_number as requested_version', 'v.content'])
    .compile(),
);

/** Whole articles, with content and category; null for an unknown article, translation or version. */
export async function articles(
  database: StoreDatabase,
  keys: readonly ArticleKey[],
): Promise<ResultsByKey<Article | null>> {
  const keyRows = keys.map(({ articleId, languageCode = null, versionNumber = null }, n) => ({
    n,
    article_id: toStorableId(articleId),
    language_code: toStorableId(languageCode),
    version_number: versionNumber,
  }));
  const rows = await selectArticles(database, keyRows);
  return valuesByKey(keys, rows, (row) => ({
    ...toListedArticle(row),
    pinned: row.requested_version !== null,
    ...contentOf(row),
  }));
}

/** One text is stored. Its field depends on the editor of the article: see docs/service.md, "Articles". */
const contentOf = ({
  content_type,
  content,
}: Pick<ListedArticleRow, 'content_type'> & { readonly content: string | null }) =>
  content_type === 'WYSIWYG' ? { content: null, htmlContent: content } : { content, htmlContent: null };

/** All versions of each translation, the first one first. The store publishes nothing, so all of them are drafts. */
export async function articleVersions(
  database: StoreDatabase,
  keys: readonly Article[],
): Promise<ResultsByKey<readonly ArticleVersion[]>> {
  const rows = await database.db
    .selectFrom(translationKeyTable(database, toTranslationKeys(keys)))
    .innerJoin('article_versions as v', (join) =>
      join.onRef('v.article_id', '=', 'k.article_id').onRef('v.language_code', '=', 'k.language_code'),
    )
    .select(['k.n', 'v.version_number', 'v.modified_at'])
    .orderBy('k.n')
    .orderBy('v.version_number')
    .execute();
  return listsByKey(keys, rows, ({ version_number, modified_at }) => ({
    versionNumber: version_number,
    createdAt: null,
    modifiedAt: toDate(modified_at),
    status: 'draft',
  }));
}

export async function articleTranslations(
  database: StoreDatabase,
  keys: readonly Article[],
): Promise<ResultsByKey<readonly Article[]>> {
  const rows = await selectListedArticles(database)
    .innerJoin(translationKeyTable(database, toTranslationKeys(keys)), 'k.article_id', 't.article_id')
    .select('k.n')
    .orderBy('k.n')
    .orderBy('t.language_code')
    .execute();
  return listsByKey(keys, rows, toListedArticle);
}
