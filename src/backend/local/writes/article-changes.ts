import { setImmediate as nextTick } from 'node:timers/promises';
import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import { slicesOf } from '../../../database/slices.ts';
import type { ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { updateHiddenTranslations, updateTranslations } from './article-lists.ts';
import type { TargetVersion } from './article-rules.ts';
import { updateArticleWords } from './article-words.ts';
import type { ArticleChangeRow, ModificationRow, VersionChangeRow } from './change-rows.ts';

export interface ArticleChanges {
  /** Adds an item. Its values win over those of earlier items. */
  readonly add: (update: ArticleUpdate, target: TargetVersion) => void;
  /**
   * Writes all changes, by one statement per table and `maxUpdatedRows` rows, or fewer where their contents are long: SQLite
   * holds the event loop while it writes them.
   */
  readonly write: (transaction: StoreDatabase) => Promise<void>;
}

/** The bytes of contents that SQLite writes by one statement, unless a single one has more. */
const MAX_WRITTEN_BYTES = 8_000_000;

/** Merges the changes of the items of one bulk update, so that each row is written once. */
export function createArticleChanges(modifiedAt: Date): ArticleChanges {
  const articles = new Map<string, ArticleChangeRow>();
  const versions = new Map<string, VersionChangeRow>();
  const contentBytes = new Map<VersionChangeRow, number>();
  return {
    add: (update, target) => {
      const { articleId, languageCode, versionNumber } = target;
      const versionKey = JSON.stringify([articleId, languageCode, versionNumber]);
      articles.set(articleId, mergeArticleRow(update, articleId, articles.get(articleId)));
      const row = mergeVersionRow(update, target, versions.get(versionKey));
      versions.set(versionKey, row);
      contentBytes.set(row, target.contentBytes);
    },
    write: async (transaction) => {
      if (versions.size === 0) return;
      const { maxUpdatedRows, hasOneWriter } = transaction.dialect;
      for (const rows of slicesOf([...articles.values()].filter(changesArticle), maxUpdatedRows)) {
        await updateArticles(transaction, rows);
        await updateHiddenTranslations(transaction, rows);
      }
      const modified_at = modifiedAt.toISOString();
      const bytesOf = (row: VersionChangeRow) => (hasOneWriter ? (contentBytes.get(row) ?? 0) : 0);
      for (const [index, rows] of shortSlicesOf([...versions.values()], { maxUpdatedRows, bytesOf }).entries()) {
        if (index > 0) await nextTick();
        await updateVersions(
          transaction,
          rows.map((row) => ({ ...row, modified_at })),
        );
        await updateTranslations(transaction, rows, modified_at);
        await updateArticleWords(transaction, rows);
      }
    },
  };
}

interface SliceBounds {
  readonly maxUpdatedRows: number;
  readonly bytesOf: (row: VersionChangeRow) => number;
}

function shortSlicesOf(rows: readonly VersionChangeRow[], { maxUpdatedRows, bytesOf }: SliceBounds) {
  const slices: VersionChangeRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const slice = slices.at(-1);
    bytes += bytesOf(row);
    if (slice !== undefined && slice.length < maxUpdatedRows && bytes <= MAX_WRITTEN_BYTES) slice.push(row);
    else {
      slices.push([row]);
      bytes = bytesOf(row);
    }
  }
  return slices;
}

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
} as const satisfies Record<keyof ArticleUpdate, keyof ArticleChangeRow | keyof VersionChangeRow>;

type Column = (typeof COLUMNS)[keyof ArticleUpdate];

const mergeArticleRow = (update: ArticleUpdate, id: string, earlier: ArticleChangeRow | undefined) =>
  ({
    id,
    category_id: update.categoryId ?? earlier?.category_id ?? null,
    hidden: update.hidden === undefined ? (earlier?.hidden ?? null) : Number(update.hidden),
    position: update.order ?? earlier?.position ?? null,
  }) satisfies ArticleChangeRow & Record<Exclude<Column, keyof VersionChangeRow>, unknown>;

const mergeVersionRow = (update: ArticleUpdate, target: TargetVersion, earlier: VersionChangeRow | undefined) =>
  ({
    article_id: target.articleId,
    language_code: target.languageCode,
    version_number: target.versionNumber,
    title: update.title ?? earlier?.title ?? null,
    translation_status: update.translationStatus ?? earlier?.translation_status ?? null,
    source: update.source ?? earlier?.source ?? null,
    content: update.content ?? (target.takesHtml ? update.htmlContent : null) ?? earlier?.content ?? null,
  }) satisfies VersionChangeRow & Record<Exclude<Column, keyof ArticleChangeRow>, unknown>;

/** Most updates are of texts. */
const changesArticle = ({ category_id, hidden, position }: ArticleChangeRow): boolean =>
  category_id !== null || hidden !== null || position !== null;

async function updateArticles({ db, dialect }: StoreDatabase, rows: readonly ArticleChangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = { id: 'text', category_id: 'text', hidden: 'integer', position: 'integer' } as const;
  await db
    .updateTable('articles')
    .from(dialect.jsonTable({ alias: 'u', rows, columns }))
    .set((eb) => ({
      category_id: eb.fn.coalesce('u.category_id', 'articles.category_id'),
      hidden: eb.fn.coalesce('u.hidden', 'articles.hidden'),
      position: eb.fn.coalesce('u.position', 'articles.position'),
    }))
    .whereRef('articles.id', '=', 'u.id')
    .execute();
}

const VERSION_COLUMNS = {
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  title: 'text',
  translation_status: 'text',
  source: 'text',
  content: 'text',
  modified_at: 'text',
} as const;

const updateVersions = defineStatement(
  ({ db, dialect }: StoreDatabase, rows: RowsParameter<VersionChangeRow & ModificationRow>) =>
    db
      .updateTable('article_versions')
      .from(dialect.jsonTable({ alias: 'u', rows, columns: VERSION_COLUMNS }))
      .set((eb) => ({
        title: eb.fn.coalesce('u.title', 'article_versions.title'),
        translation_status: eb.fn.coalesce('u.translation_status', 'article_versions.translation_status'),
        source: eb.fn.coalesce('u.source', 'article_versions.source'),
        content: eb.fn.coalesce('u.content', 'article_versions.content'),
        modified_at: eb.ref('u.modified_at'),
      }))
      .whereRef('article_versions.article_id', '=', 'u.article_id')
      .whereRef('article_versions.language_code', '=', 'u.language_code')
      .whereRef('article_versions.version_number', '=', 'u.version_number')
      .compile(),
);
