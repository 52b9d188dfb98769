import { type InferResult, sql } from 'kysely';
import type { PreviewSelection } from '../../core/articles/article-previews.ts';
import type {
  Article,
  ArticleKey,
  ArticleSelection,
  ArticleVersion,
  TeamAccount,
} from '../../core/articles/articles.ts';
import {
  type ArticleUpdate,
  articleKeyOf,
  type ListedProperty,
  setsUnlisted,
  textKeyOf,
  type UnlistedProperty,
  untranslated,
} from '../../core/articles/bulk-updates.ts';
import { MAX_BATCH_TEXT_BYTES } from '../../core/base/limits.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type BackendError, queryTooCostly } from '../../core/errors.ts';
import { type JsonText, parseJsonArray, type RowOf } from '../database/dialect.ts';
import { slicesOf } from '../database/statements.ts';
import { defineKeyedStatement, toStorableId } from '../tables/rows.ts';
import { authorsTable, IS_SET, type StoreDatabase, type StoredStatus } from '../tables/tables.ts';
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
  'a.url',
  't.language_code',
  't.latest_version_number',
  't.public_version_number',
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
    .select([...LISTED_COLUMNS, 't.status']);

export type ListedArticleRow = InferResult<ReturnType<typeof selectListedArticles>>[number];

/** Leaves out the content, as the service's lists do. */
export const toListedArticle = (row: ListedArticleRow): Article =>
  ({
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
    status: row.status,
    publicVersionNumber: row.public_version_number,
    url: row.url,
  }) satisfies Article & Record<ListedProperty, unknown>;

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

const KEY_COLUMNS = {
  n: 'integer',
  article_id: 'text',
  language_code: 'text?',
  version_number: 'integer?',
  /** Longer texts are left out. */
  max_bytes: 'integer',
} as const;

type ArticleKeyRow = RowOf<typeof KEY_COLUMNS>;

/**
 * The bytes of texts that are read by one statement, unless a single text has more. A text that has more than an equal
 * part of it is read by a later statement.
 */
const MAX_TEXTS_BYTES = 8_000_000;

const textBytes = sql<number>`coalesce(octet_length(v.content), 0)`;

/**
 * The status of the latest version is read from its copy in the translation: SQLite would otherwise read the content,
 * which is stored before the status.
 */
const statusOfVersion = sql<StoredStatus>`case when v.version_number = t.latest_version_number then t.status else v.status end`;

/** The authors of a version in their order, as JSON; null where it has none. */
const authorsOf = ({ db, dialect }: StoreDatabase) => {
  const accounts = db
    .selectFrom(authorsTable(dialect))
    .leftJoin('team_accounts as u', 'u.id', 'author.id')
    .select(['author.id as userId', 'u.first_name as firstName', 'u.last_name as lastName'])
    .orderBy('author.n');
  return sql<JsonText<TeamAccount> | null>`case when v.authors is not null then ${dialect.jsonArray(accounts)} end`;
};

const selectArticles = defineKeyedStatement(KEY_COLUMNS, (database, keys, selection: ArticleSelection) =>
  database.db
    .selectFrom(keys)
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
    .select(['k.n', 'k.version_number as requested_version', 'k.max_bytes', statusOfVersion.as('status')])
    .$if(selection !== 'summary', (query) =>
      query.select(['v.description', 'v.created_at', 'v.created_by', authorsOf(database).as('authors')]),
    )
    .$if(selection === 'whole', (query) =>
      query.select([
        textBytes.as('text_bytes'),
        sql<string | null>`case when ${textBytes} <= k.max_bytes then v.content end`.as('content'),
      ]),
    ),
);

/**
 * Reads articles with their category, and with their content unless `selection` is 'summary'; null for an unknown
 * article, translation or version. Long texts are read in parts, so that other requests are served in between.
 */
export async function articles(
  database: StoreDatabase,
  keys: readonly ArticleKey[],
  selection: ArticleSelection = 'whole',
): Promise<ResultsByKey<Article | null>> {
  const keyRows = keys.map(({ articleId, languageCode = null, versionNumber = null }, n) => ({
    n,
    article_id: toStorableId(articleId),
    language_code: toStorableId(languageCode),
    version_number: versionNumber,
    max_bytes: Math.floor(MAX_TEXTS_BYTES / keys.length),
  }));
  const rows = await selectArticles(database, { rows: keyRows }, selection);
  const longArticles = await readLongArticles(database, keyRows, rows);
  const byKey = new Map(rows.map((row) => [row.n, row]));
  return keys.map((_, n) => {
    const row = byKey.get(n);
    if (row === undefined) return ok(null);
    const whole = isLong(row) ? longArticles.get(n) : row;
    return whole === undefined ? err(TEXTS_TOO_LONG) : ok(toKeyedArticle(whole));
  });
}

const TEXTS_TOO_LONG = queryTooCostly(
  `The texts of these articles have more than ${MAX_BATCH_TEXT_BYTES} bytes together. Ask for fewer articles at a time.`,
);

type ArticleRow = Awaited<ReturnType<typeof selectArticles>>[number];

const toKeyedArticle = (row: ArticleRow): Article => ({
  ...toListedArticle(row),
  pinned: row.requested_version !== null,
  ...(row.authors !== undefined && detailsOf(row)),
  ...(row.content !== undefined && contentOf(row.content_type, row.content)),
});

/** One text is stored. Its field depends on the editor of the article: see docs/service.md, "Articles". */
const contentOf = (contentType: ListedArticleRow['content_type'], content: string | null) =>
  (contentType === 'WYSIWYG'
    ? { content: null, htmlContent: content }
    : { content, htmlContent: null }) satisfies Record<UnlistedProperty, unknown>;

/** All selections but summaries have these columns. */
const detailsOf = ({ description = null, created_at = null, created_by = null, authors = null }: ArticleRow) => ({
  description,
  createdAt: toDate(created_at),
  createdBy: created_by,
  authors: authors === null ? [] : parseJsonArray(authors),
});

const isLong = ({ text_bytes = 0, max_bytes }: ArticleRow): boolean => text_bytes > max_bytes;

/** The maximum size where every text is read. */
const ANY_BYTES = 2 ** 31 - 1;

/**
 * Reads the articles with long texts again, each by a statement of its own, so that a concurrent write is seen
 * completely or not at all. Leaves out those for which the byte limit is exhausted.
 */
async function readLongArticles(
  database: StoreDatabase,
  keyRows: readonly ArticleKeyRow[],
  rows: readonly ArticleRow[],
): Promise<ReadonlyMap<number, ArticleRow>> {
  const bytes = new Map(rows.filter(isLong).map(({ n, text_bytes = 0 }) => [n, text_bytes]));
  const found = new Map<number, ArticleRow>();
  let bytesLeft = MAX_BATCH_TEXT_BYTES;
  for (const keyRow of keyRows) {
    const size = bytes.get(keyRow.n);
    if (size === undefined) continue;
    bytesLeft -= size;
    if (bytesLeft < 0) break;
    const whole = await selectArticles(database, { rows: [{ ...keyRow, max_bytes: ANY_BYTES }] }, 'whole');
    for (const row of whole) found.set(row.n, row);
  }
  return found;
}

const TRANSLATION_KEY = { n: 'integer', article_id: 'text', language_code: 'text' } as const;

const toTranslationRows = (keys: readonly Pick<ArticleUpdate, 'articleId' | 'languageCode'>[]) =>
  keys.map(({ articleId, languageCode }, n) => ({
    n,
    article_id: toStorableId(articleId),
    language_code: toStorableId(languageCode ?? ''),
  }));

const selectVersions = defineKeyedStatement(TRANSLATION_KEY, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('article_versions as v', (join) =>
      join.onRef('v.article_id', '=', 'k.article_id').onRef('v.language_code', '=', 'k.language_code'),
    )
    .select(['k.n', 'v.version_number', 'v.created_at', 'v.modified_at', 'v.status', 'v.base_version'])
    .orderBy('k.n')
    .orderBy('v.version_number'),
);

/** All versions of each translation, in ascending order. */
export async function articleVersions(
  database: StoreDatabase,
  keys: readonly Article[],
): Promise<ResultsByKey<readonly ArticleVersion[]>> {
  const rows = await selectVersions(database, { rows: toTranslationRows(keys) });
  return listsByKey(keys, rows, ({ version_number, created_at, modified_at, status, base_version }) => ({
    versionNumber: version_number,
    createdAt: toDate(created_at),
    modifiedAt: toDate(modified_at),
    status: status.toLowerCase(),
    baseVersionNumber: base_version,
  }));
}

const selectTranslations = defineKeyedStatement(TRANSLATION_KEY, (database, keys) =>
  selectListedArticles(database)
    .innerJoin(keys, 'k.article_id', 't.article_id')
    .select('k.n')
    .orderBy('k.n')
    .orderBy('t.language_code'),
);

export const articleTranslations = async (
  database: StoreDatabase,
  keys: readonly Article[],
): Promise<ResultsByKey<readonly Article[]>> =>
  listsByKey(keys, await selectTranslations(database, { rows: toTranslationRows(keys) }), toListedArticle);

const ARTICLE_ID_KEY = { n: 'integer', article_id: 'text' } as const;

const selectDefaultTimes = defineKeyedStatement(ARTICLE_ID_KEY, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('articles as a', 'a.id', 'k.article_id')
    .innerJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'a.project_version_id').on('d.is_default', '=', IS_SET),
    )
    .innerJoin('article_translations as t', (join) =>
      join.onRef('t.article_id', '=', 'a.id').onRef('t.language_code', '=', 'd.code'),
    )
    .select(['k.n', 't.modified_at']),
);

export async function defaultLanguageTimes(
  database: StoreDatabase,
  keys: readonly Article[],
): Promise<ResultsByKey<Date | null>> {
  const rows = keys.map(({ articleId }, n) => ({ n, article_id: articleId }));
  return valuesByKey(keys, await selectDefaultTimes(database, { rows }), ({ modified_at }) =>
    toDate(modified_at || null),
  );
}

/** The most articles of one statement, so that a long list does not block the event loop at once. */
const ARTICLES_PER_STATEMENT = 1_000;

/** Reads each article once, and its text only where an update sets it or the preview shows it. */
export async function articlesOfUpdates(
  database: StoreDatabase,
  updates: readonly ArticleUpdate[],
  { withText, withUntranslated = false }: PreviewSelection,
): Promise<Result<readonly (Article | null)[], BackendError>> {
  const distinct = [...new Map(updates.map((update) => [textKeyOf(update), update]))];
  const found = new Map<string, Article | null>();
  for (const slice of slicesOf(distinct, ARTICLES_PER_STATEMENT)) {
    const needsText = withText || slice.some(([, update]) => setsUnlisted(update));
    const keys = slice.map(([, update]) => articleKeyOf(update));
    const read = await articles(database, keys, needsText ? 'whole' : 'summary');
    for (const [index, [key]] of slice.entries()) {
      const article = read[index];
      if (article?.ok === false) return article;
      found.set(key, article?.value ?? null);
    }
  }
  const missing = distinct.filter(
    ([key, { versionNumber }]) => withUntranslated && found.get(key) === null && (versionNumber ?? 1) === 1,
  );
  for (const slice of slicesOf(missing, ARTICLES_PER_STATEMENT)) {
    const rows = toTranslationRows(slice.map(([, update]) => update));
    for (const row of await selectUntranslated(database, { rows }))
      found.set(slice[row.n]?.[0] ?? '', untranslated(toListedArticle(row), row.named_language));
  }
  return ok(updates.map((update) => found.get(textKeyOf(update)) ?? null));
}

const selectUntranslated = defineKeyedStatement(TRANSLATION_KEY, (database, keys) =>
  selectListedArticles(database)
    .innerJoin(keys, 'k.article_id', 't.article_id')
    .innerJoin('languages as l', (join) =>
      join.onRef('l.project_version_id', '=', 'a.project_version_id').onRef('l.code', '=', 'k.language_code'),
    )
    .select(['k.n', 'l.code as named_language']),
);
