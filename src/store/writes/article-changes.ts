import { type ArticleContentType, titleKeyOf } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { WritePeriod } from '../../core/callers/request-report.ts';
import type { RowOf } from '../database/dialect.ts';
import { slicesOf } from '../database/statements.ts';
import { newWordRows, textDigestOf, writeWords } from '../tables/article-words.ts';
import { defineKeyedStatement, defineUpdate, insertRows, nextNumber } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';

const updateArticles = defineUpdate('articles', ['id'], {
  id: 'text',
  category_id: 'text?',
  hidden: 'integer?',
  position: 'integer?',
});

/** The new values of an article. Null in an item changes nothing, just as absence does. */
type ArticleChangeRow = Parameters<typeof updateArticles>[1]['rows'][number];

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
type VersionChangeRow = Parameters<typeof updateVersions>[1]['rows'][number];

type SizedVersionRow = VersionChangeRow & Pick<TargetVersion, 'content_bytes'>;

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
  /** The editor. Only the WYSIWYG editor stores `htmlContent`. */
  readonly content_type: ArticleContentType | null;
  /** When it was last changed. */
  readonly modified_at: string | null;
  /** The bytes of its content. In SQLite, an update of any member writes them again. */
  readonly content_bytes: number;
  /** By `articleBytes`. */
  readonly article_bytes: number;
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
  const rows = translations.map(({ article_id, language_code }) => ({ article_id, language_code, title: null }));
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
  const version = { ...common, version_number: 1, source: null, content: null, description: null, created_at: now };
  await insertRows(
    transaction,
    'article_versions',
    rows.map((row) => ({ ...row, ...version, created_by: null, authors: null, base_version: null })),
  );
  const firstId = await nextNumber(transaction, 'article_words', 'id');
  await writeWords(
    transaction,
    newWordRows(
      rows.map((row) => ({ ...row, content: null })),
      firstId,
    ),
  );
}

/**
 * Merges the changes of one bulk update, so that each row is written once, with the values of the later items. Writes
 * all of them by one statement per table and `maxUpdatedRows` rows, or fewer where their contents are long: SQLite
 * blocks the event loop while it writes them. Returns the times that the versions got.
 */
export async function writeArticleChanges(
  transaction: StoreDatabase,
  changes: readonly ArticleChange[],
): Promise<WritePeriod | null> {
  const now = new Date();
  const articles = new Map<string, ArticleChangeRow>();
  const versions = new Map<string, SizedVersionRow>();
  for (const { update, target } of changes) {
    const { article_id, language_code, version_number } = target;
    const versionKey = JSON.stringify([article_id, language_code, version_number]);
    articles.set(article_id, merge(articles.get(article_id), toArticleRow(update)));
    versions.set(versionKey, merge(versions.get(versionKey), toVersionRow(update, target, now)));
  }
  await writeArticles(transaction, [...articles.values()].filter(changesArticle));
  await writeVersions(transaction, [...versions.values()]);
  const times = [...versions.values()].map(({ modified_at }) => Date.parse(modified_at));
  return times.length === 0 ? null : { earliest: Math.min(...times), latest: Math.max(...times) };
}

/** The later values, and the earlier ones where the later ones are null or absent. */
const merge = <Row extends object>(earlier: Row | undefined, later: Row): Row =>
  earlier === undefined
    ? later
    : { ...earlier, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)) };

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
    category_id: categoryId ?? null,
    hidden: hidden === undefined ? null : Number(hidden),
    position: order ?? null,
  }) satisfies Record<ArticleColumn | 'id', unknown>;

/** The time of a change, which is later than that of the one before: revisions of one millisecond differ by it. */
const timeOfChange = (now: Date, { modified_at }: TargetVersion): string =>
  new Date(Math.max(now.getTime(), modified_at === null ? 0 : Date.parse(modified_at) + 1)).toISOString();

export const toVersionRow = (update: ArticleUpdate, target: TargetVersion, now: Date): SizedVersionRow => ({
  article_id: target.article_id,
  language_code: target.language_code,
  version_number: target.version_number,
  title: update.title ?? null,
  translation_status: update.translationStatus ?? null,
  source: update.source ?? null,
  content: update.content ?? (target.content_type === 'WYSIWYG' ? update.htmlContent : null) ?? null,
  modified_at: timeOfChange(now, target),
  content_bytes: target.content_bytes,
});

/** False for most updates, which change only texts. */
const changesArticle = ({ id: _, ...values }: ArticleChangeRow): boolean =>
  Object.values(values).some((value) => value !== null);

async function writeArticles(transaction: StoreDatabase, articles: readonly ArticleChangeRow[]): Promise<void> {
  for (const rows of slicesOf(articles, transaction.dialect.maxUpdatedRows)) {
    await updateArticles(transaction, { rows });
    const hiding = rows.flatMap(({ id, hidden }) => (hidden === null ? [] : [{ article_id: id, hidden }]));
    if (hiding.length > 0) await updateHiddenTranslations(transaction, { rows: hiding });
  }
}

/** The most bytes of contents that SQLite writes by one statement. A single larger content is written alone. */
const MAX_WRITTEN_BYTES = 8_000_000;

/** Splits the versions into those that one statement writes. */
export function slicesOfVersions<Version extends Pick<TargetVersion, 'content_bytes'>>(
  { dialect: { maxUpdatedRows, hasOneWriter } }: StoreDatabase,
  versions: readonly Version[],
) {
  const sizeOf = ({ content_bytes }: Version) => (hasOneWriter ? content_bytes : 0);
  return slicesOf(versions, maxUpdatedRows, { max: MAX_WRITTEN_BYTES, sizeOf });
}

async function writeVersions(transaction: StoreDatabase, versions: readonly SizedVersionRow[]): Promise<void> {
  for (const rows of slicesOfVersions(transaction, versions)) {
    await updateVersions(transaction, { rows });
    await updateTranslations(transaction, { rows: rows.map(toTranslationRow) });
    await updateArticleWords(transaction, rows);
  }
}

const toTranslationRow = (version: VersionChangeRow) => ({
  article_id: version.article_id,
  language_code: version.language_code,
  latest_version_number: version.version_number,
  title_key: version.title === null ? null : titleKeyOf(version.title),
  translation_status: version.translation_status,
  modified_at: version.modified_at,
});

const VERSION_KEY = { article_id: 'text', language_code: 'text', version_number: 'integer' } as const;

/** A version with its new texts; null for a text that stays. */
type NewTexts = RowOf<typeof VERSION_KEY> & { readonly title: string | null; readonly content: string | null };

export async function updateArticleWords(transaction: StoreDatabase, versions: readonly NewTexts[]): Promise<void> {
  const changes = versions.filter(({ title, content }) => title !== null || content !== null);
  if (changes.length === 0) return;
  const rows = changes.map(({ article_id, language_code, version_number }, n) => ({
    n,
    article_id,
    language_code,
    version_number,
  }));
  const changed = (await selectWordRows(transaction, { rows })).flatMap(({ n, ...row }) => {
    const { title = null, content = null } = changes[n] ?? {};
    const title_digest = title === null ? row.title_digest : textDigestOf(title);
    const content_digest = content === null ? row.content_digest : textDigestOf(content);
    const newTexts = {
      title: title_digest === row.title_digest ? null : title,
      content: content_digest === row.content_digest ? null : content,
    };
    const isChanged = newTexts.title !== null || newTexts.content !== null;
    return isChanged ? [{ ...row, title_digest, content_digest, ...newTexts }] : [];
  });
  await writeWords(transaction, changed);
}

const KEY_COLUMNS = { n: 'integer', ...VERSION_KEY } as const;

/** Selects the indexed rows of the latest ones of the versions, each with the index of its version. */
const selectWordRows = defineKeyedStatement(KEY_COLUMNS, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('article_translations as t', (join) =>
      join
        .onRef('t.article_id', '=', 'k.article_id')
        .onRef('t.language_code', '=', 'k.language_code')
        .onRef('t.latest_version_number', '=', 'k.version_number'),
    )
    .innerJoin('article_words as w', (join) =>
      join.onRef('w.article_id', '=', 'k.article_id').onRef('w.language_code', '=', 'k.language_code'),
    )
    .select(['k.n', 'w.id', 'w.article_id', 'w.language_code', 'w.title_digest', 'w.content_digest'])
    .orderBy('w.id'),
);
