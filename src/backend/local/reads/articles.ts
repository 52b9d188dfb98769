import type {
  Article,
  ArticleContentType,
  ArticleKey,
  ArticleTranslationStatus,
  ArticleVersion,
} from '../../../domain/articles/bulk-updates.ts';
import { lookedFor, wantedArticles } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';
import { type Found, inOrder, listsInOrder } from './results-by-key.ts';

/** The columns of an article in a list, with its tables named `a`, `t` (the translation) and `v` (the version). */
const LISTED_COLUMNS = [
  'a.id as article_id',
  'a.project_version_id',
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

export interface ListedRow {
  readonly article_id: string;
  readonly project_version_id: string;
  readonly slug: string | null;
  readonly position: number;
  readonly hidden: number;
  readonly content_type: ArticleContentType;
  readonly language_code: string;
  readonly latest_version_number: number;
  readonly version_number: number;
  readonly title: string | null;
  readonly translation_status: ArticleTranslationStatus | null;
  readonly modified_at: string | null;
}

/** The latest version of every translation, without its content: what lists choose from. */
export const listedArticles = ({ db }: Database) =>
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

/** Like an entry of the service's lists: without its content and its category. */
export const toListedArticle = (row: ListedRow): Article => ({
  articleId: row.article_id,
  languageCode: row.language_code,
  projectVersionId: row.project_version_id,
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

/** Articles whole, with content and category; null where there is no such article, translation or version. */
export async function articles({ db, engine }: Database, keys: readonly ArticleKey[]): Promise<Found<Article | null>> {
  const wanted = keys.map(({ articleId, languageCode = null, versionNumber = null }, n) => ({
    n,
    article_id: lookedFor(articleId),
    language_code: lookedFor(languageCode),
    version_number: versionNumber,
  }));
  const rows = await db
    .selectFrom(engine.rows({ alias: 'w', rows: wanted, columns: KEY_COLUMNS }))
    .innerJoin('articles as a', 'a.id', 'w.article_id')
    .innerJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'a.project_version_id').on('d.is_default', '=', 1),
    )
    .innerJoin('article_translations as t', (join) =>
      join
        .onRef('t.article_id', '=', 'a.id')
        .on((eb) => eb('t.language_code', '=', eb.fn.coalesce('w.language_code', 'd.code'))),
    )
    .innerJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 't.article_id')
        .onRef('v.language_code', '=', 't.language_code')
        .on((eb) => eb('v.version_number', '=', eb.fn.coalesce('w.version_number', 't.latest_version_number'))),
    )
    .select(LISTED_COLUMNS)
    .select(['w.n', 'w.version_number as asked_version', 'a.category_id', 'v.content'])
    .execute();
  return inOrder(keys, rows, (row) => ({
    ...toListedArticle(row),
    pinned: row.asked_version !== null,
    categoryId: row.category_id,
    ...contentOf(row),
  }));
}

/** `content` is filled for Markdown and blocks, `htmlContent` for HTML (service facts, section 1). One text is stored. */
const contentOf = ({ content_type, content }: Pick<ListedRow, 'content_type'> & { readonly content: string | null }) =>
  content_type === 'WYSIWYG' ? { content: null, htmlContent: content } : { content, htmlContent: null };

/** All versions of each translation, from the first on. The store publishes nothing, so all of them are drafts. */
export async function articleVersions(
  database: Database,
  keys: readonly Article[],
): Promise<Found<readonly ArticleVersion[]>> {
  const rows = await database.db
    .selectFrom(wantedArticles(database, keys))
    .innerJoin('article_versions as v', (join) =>
      join.onRef('v.article_id', '=', 'w.article_id').onRef('v.language_code', '=', 'w.language_code'),
    )
    .select(['w.n', 'v.version_number', 'v.modified_at'])
    .orderBy('w.n')
    .orderBy('v.version_number')
    .execute();
  return listsInOrder(keys, rows, ({ version_number, modified_at }) => ({
    versionNumber: version_number,
    createdAt: null,
    modifiedAt: toDate(modified_at),
    status: 'draft',
  }));
}

export async function articleTranslations(
  database: Database,
  keys: readonly Article[],
): Promise<Found<readonly Article[]>> {
  const rows = await listedArticles(database)
    .innerJoin(wantedArticles(database, keys), 'w.article_id', 't.article_id')
    .select('w.n')
    .orderBy('w.n')
    .orderBy('t.language_code')
    .execute();
  return listsInOrder(keys, rows, toListedArticle);
}
