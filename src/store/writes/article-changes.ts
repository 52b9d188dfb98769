import { type ArticleContentType, titleKeyOf } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { WritePeriod } from '../../core/callers/request-report.ts';
import { slicesOf } from '../database/statements.ts';
import { type IndexedTexts, type Indexing, indexWords, storeDigests } from '../tables/article-words.ts';
import { defineUpdate, insertRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';

const updateArticles = defineUpdate('articles', ['id'], {
  id: 'text',
  category_id: 'text?',
  hidden: 'integer?',
  position: 'integer?',
});

/** The new values of an article. Null in an item changes nothing, just as absence does. */
type ArticleChangeRow = Parameters<typeof updateArticles>[1][number];

const updateVersions = defineUpdate('article_versions', ['article_id', 'language_code', 'version_number'], {
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  title: 'text?',
  translation_status: 'text?',
  source: 'text?',
  content: 'text?',
  modified_at: 'text',
});

/** The new values of a language version. */
type VersionChangeRow = Parameters<typeof updateVersions>[1][number];

/** Copies changes of latest versions to the columns that lists are filtered and sorted by. */
const updateTranslations = defineUpdate(
  'article_translations',
  ['article_id', 'language_code', 'latest_version_number'],
  {
    article_id: 'text',
    language_code: 'text',
    latest_version_number: 'integer',
    title_key: 'text?',
    translation_status: 'text?',
    modified_at: 'text',
  },
);

/** Copies `hidden` to all translations of articles. */
const updateHiddenTranslations = defineUpdate('article_translations', ['article_id'], {
  article_id: 'text',
  hidden: 'integer',
});

export interface TargetVersion {
  readonly article_id: string;
  readonly language_code: string;
  readonly version_number: number;
  /** The latest version of the text before the transaction. */
  readonly latest_version_number: number | null;
  /** The editor. Only the WYSIWYG editor stores `htmlContent`. */
  readonly content_type: ArticleContentType | null;
  /** When it was last changed. */
  readonly modified_at: string | null;
  /** The bytes of its content. In SQLite, an update of any member writes them again. */
  readonly content_bytes: number;
  /** The row of its translation in the index of words, where it has one, with the digests of the indexed texts. */
  readonly word_id: number | null;
  readonly title_digest: string | null;
  readonly content_digest: string | null;
}

export interface ArticleChange {
  readonly update: ArticleUpdate;
  readonly target: TargetVersion;
}

type NewTranslation = Pick<TargetVersion, 'article_id' | 'language_code'> & {
  readonly project_version_id: string | null;
  readonly hidden: number | null;
};

/** Makes translations without a text, as drafts. The changes of the same bulk update fill them in. */
export async function insertTranslations(
  transaction: StoreDatabase,
  translations: readonly NewTranslation[],
): Promise<void> {
  if (translations.length === 0) return;
  const now = new Date().toISOString();
  const common = { translation_status: null, status: 'DRAFT', modified_at: now } as const;
  await insertRows(
    transaction,
    'article_translations',
    translations.map(({ article_id, language_code, project_version_id, hidden }) => ({
      ...common,
      article_id,
      language_code,
      project_version_id: project_version_id ?? '',
      hidden: hidden ?? 0,
      latest_version_number: 1,
      title_key: titleKeyOf(null),
      public_version_number: null,
    })),
  );
  const empty = { ...common, version_number: 1, title: null, source: null, content: null, description: null };
  const version = { ...empty, created_at: now, created_by: null, authors: null, base_version: null };
  await insertRows(
    transaction,
    'article_versions',
    translations.map(({ article_id, language_code }) => ({ ...version, article_id, language_code })),
  );
}

/** The new values of a version. */
interface VersionChange {
  readonly row: VersionChangeRow;
  readonly target: TargetVersion;
}

interface LatestIndexing extends Indexing {
  /** True for the latest version of a text, whose words are indexed. */
  readonly isLatest: (target: TargetVersion) => boolean;
}

/**
 * Merges the changes of one bulk update, so that each row is written once, with the values of the later items. Writes
 * all of them by one statement per table and `maxUpdatedRows` rows, or fewer where their contents are long: SQLite
 * blocks the event loop while it writes them. Returns the times that the versions got.
 */
export async function writeArticleChanges(
  transaction: StoreDatabase,
  changes: readonly ArticleChange[],
  indexing: LatestIndexing,
): Promise<WritePeriod | null> {
  const now = new Date().toISOString();
  const articles = new Map<string, ArticleChangeRow>();
  const versions = new Map<string, VersionChange>();
  for (const { update, target } of changes) {
    const { article_id, language_code, version_number } = target;
    const versionKey = JSON.stringify([article_id, language_code, version_number]);
    if (changesArticle(update)) articles.set(article_id, merge(articles.get(article_id), toArticleRow(update)));
    const row = merge(versions.get(versionKey)?.row, toVersionRow(update, target, now));
    versions.set(versionKey, { row, target });
  }
  await writeArticles(transaction, [...articles.values()]);
  await writeVersions(transaction, [...versions.values()], indexing);
  const times = Array.from(versions.values(), ({ row }) => Date.parse(row.modified_at ?? now));
  return times.length === 0 ? null : { earliest: Math.min(...times), latest: Math.max(...times) };
}

/** The later values, and the earlier ones where the later ones are null or absent. */
const merge = <Row extends object>(earlier: Row | undefined, later: Row): Row =>
  earlier === undefined
    ? later
    : { ...earlier, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value != null)) };

/** The column that each member names or changes. */
const COLUMNS = {
  articleId: 'article_id',
  languageCode: 'language_code',
  versionNumber: 'version_number',
  title: 'title',
  content: 'content',
  htmlContent: 'content',
  categoryId: 'category_id',
  hidden: 'hidden',
  translationStatus: 'translation_status',
  source: 'source',
  order: 'position',
} as const satisfies Record<
  Exclude<keyof ArticleUpdate, 'ifRevision'>,
  keyof ArticleChangeRow | keyof VersionChangeRow
>;

type ArticleColumn = Exclude<(typeof COLUMNS)[keyof typeof COLUMNS], keyof VersionChangeRow>;

const toArticleRow = ({ articleId: id, categoryId, hidden, order }: ArticleUpdate) =>
  ({
    id,
    category_id: categoryId,
    hidden: hidden === undefined ? undefined : Number(hidden),
    position: order,
  }) satisfies Record<ArticleColumn | 'id', unknown>;

/** False for most updates, which change only texts. */
const changesArticle = ({ categoryId, hidden, order }: ArticleUpdate): boolean =>
  (categoryId ?? hidden ?? order ?? null) !== null;

/** The time of a change, which is later than that of the one before: revisions of one millisecond differ by it. */
function timeOfChange(now: string, { modified_at }: TargetVersion): string {
  const earliest = modified_at === null ? 0 : Date.parse(modified_at) + 1;
  return earliest > Date.parse(now) ? new Date(earliest).toISOString() : now;
}

const toVersionRow = (update: ArticleUpdate, target: TargetVersion, now: string): VersionChangeRow => ({
  article_id: target.article_id,
  language_code: target.language_code,
  version_number: target.version_number,
  title: update.title ?? undefined,
  translation_status: update.translationStatus ?? undefined,
  source: update.source ?? undefined,
  content: newContentOf(update, target) ?? undefined,
  modified_at: timeOfChange(now, target),
});

/** The text that an update stores; null where it stores none. */
const newContentOf = (
  { content, htmlContent }: ArticleUpdate,
  { content_type }: Pick<TargetVersion, 'content_type'>,
): string | null => content ?? (content_type === 'WYSIWYG' ? htmlContent : null) ?? null;

async function writeArticles(transaction: StoreDatabase, articles: readonly ArticleChangeRow[]): Promise<void> {
  for (const rows of slicesOf(articles, transaction.dialect.maxUpdatedRows)) {
    await updateArticles(transaction, rows);
    const hiding = rows.flatMap(({ id, hidden }) => (hidden == null ? [] : [{ article_id: id, hidden }]));
    await updateHiddenTranslations(transaction, hiding);
  }
}

/**
 * The most bytes of contents that SQLite writes by one statement, which takes some 20 ms. A single larger content is
 * written alone.
 */
const MAX_WRITTEN_BYTES = 2_000_000;

interface WrittenVersion {
  readonly target: Pick<TargetVersion, 'content_bytes'>;
  readonly row?: Pick<VersionChangeRow, 'content'>;
}

/** Splits the versions into those that one statement writes. */
export function slicesOfVersions<Version extends WrittenVersion>(
  { dialect: { maxUpdatedRows, hasOneWriter } }: StoreDatabase,
  versions: readonly Version[],
) {
  const sizeOf = ({ target, row }: Version) =>
    hasOneWriter ? Math.max(target.content_bytes, row?.content?.length ?? 0) : 0;
  return slicesOf(versions, maxUpdatedRows, { max: MAX_WRITTEN_BYTES, sizeOf });
}

async function writeVersions(
  transaction: StoreDatabase,
  versions: readonly VersionChange[],
  { isLatest, ...indexing }: LatestIndexing,
): Promise<void> {
  const indexed: IndexedTexts[] = [];
  for (const slice of slicesOfVersions(transaction, versions)) {
    const rows = slice.map(({ row }) => row);
    await updateVersions(transaction, rows);
    await updateTranslations(transaction, rows.map(toTranslationRow));
    const latest = slice.filter(({ target }) => isLatest(target));
    for (const texts of await storeDigests(transaction, latest.map(toChangedTexts))) indexed.push(texts);
  }
  await indexWords(transaction, indexed, indexing);
}

const toTranslationRow = (row: VersionChangeRow) => ({
  article_id: row.article_id,
  language_code: row.language_code,
  latest_version_number: row.version_number,
  title_key: row.title == null ? undefined : titleKeyOf(row.title),
  translation_status: row.translation_status,
  modified_at: row.modified_at,
});

const toChangedTexts = ({ row: { title = null, content = null }, target }: VersionChange) => ({
  article_id: target.article_id,
  language_code: target.language_code,
  word_id: target.word_id,
  title_digest: target.title_digest,
  content_digest: target.content_digest,
  title,
  content,
});
