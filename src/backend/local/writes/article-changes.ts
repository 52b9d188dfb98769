import { setImmediate as nextTick } from 'node:timers/promises';
import type { RowOf, RowsParameter } from '../../../database/dialect.ts';
import { defineStatement, slicesOf } from '../../../database/statements.ts';
import { titleKeyOf } from '../../../domain/articles/articles.ts';
import type { ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';
import { searchWordsOf, textDigestOf, writeWords } from '../tables/article-words.ts';
import { defineUpdate } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

const updateArticles = defineUpdate('articles', ['id'], {
  id: 'text',
  category_id: 'text?',
  hidden: 'integer?',
  position: 'integer?',
});

/** The new values of an article. Null in an item changes nothing, just as absence does. */
type ArticleChangeRow = NonNullable<Parameters<typeof updateArticles>[1]>[number];

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
type VersionChangeRow = NonNullable<Parameters<typeof updateVersions>[1]>[number];

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

/** The language version that an item changes. */
export interface TargetVersion {
  readonly articleId: string;
  readonly languageCode: string;
  readonly versionNumber: number;
  /** True for the WYSIWYG editor, the only one that stores `htmlContent`. */
  readonly takesHtml: boolean;
  /** The bytes of its content, which an update of any of its members writes anew in SQLite. */
  readonly contentBytes: number;
}

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
  const modified_at = modifiedAt.toISOString();
  const articles = new Map<string, ArticleChangeRow>();
  const versions = new Map<string, VersionChangeRow>();
  const contentBytes = new Map<VersionChangeRow, number>();
  return {
    add: (update, target) => {
      const { articleId, languageCode, versionNumber } = target;
      const versionKey = JSON.stringify([articleId, languageCode, versionNumber]);
      articles.set(articleId, mergeArticleRow(update, articleId, articles.get(articleId)));
      const row = { ...mergeVersionRow(update, target, versions.get(versionKey)), modified_at };
      versions.set(versionKey, row);
      contentBytes.set(row, target.contentBytes);
    },
    write: async (transaction) => {
      if (versions.size === 0) return;
      const { maxUpdatedRows, hasOneWriter } = transaction.dialect;
      for (const rows of slicesOf([...articles.values()].filter(changesArticle), maxUpdatedRows)) {
        await updateArticles(transaction, rows);
        const hiding = rows.flatMap(({ id, hidden }) => (hidden === null ? [] : [{ article_id: id, hidden }]));
        if (hiding.length > 0) await updateHiddenTranslations(transaction, hiding);
      }
      const sizeOf = (row: VersionChangeRow) => (hasOneWriter ? (contentBytes.get(row) ?? 0) : 0);
      let isFirst = true;
      for (const rows of slicesOf([...versions.values()], maxUpdatedRows, { max: MAX_WRITTEN_BYTES, sizeOf })) {
        if (!isFirst) await nextTick();
        isFirst = false;
        await updateVersions(transaction, rows);
        await updateTranslations(transaction, rows.map(toTranslationRow));
        await updateArticleWords(transaction, rows);
      }
    },
  };
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
  }) satisfies Omit<VersionChangeRow, 'modified_at'> & Record<Exclude<Column, keyof ArticleChangeRow>, unknown>;

/** Most updates are of texts. */
const changesArticle = ({ category_id, hidden, position }: ArticleChangeRow): boolean =>
  category_id !== null || hidden !== null || position !== null;

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

/** Updates the words of latest versions whose title or content changes. */
async function updateArticleWords(transaction: StoreDatabase, versions: readonly NewTexts[]): Promise<void> {
  const changed = await findChangedTexts(transaction, versions);
  const words = await searchWordsOf(changed);
  await writeWords(
    transaction,
    changed.map((row, index) => ({ ...row, title: null, content: null, ...words[index] })),
  );
}

/** The indexed rows with their new texts, by their IDs; null for a text that stays as it is. */
async function findChangedTexts(transaction: StoreDatabase, versions: readonly NewTexts[]) {
  const changes = versions.filter(({ title, content }) => title !== null || content !== null);
  if (changes.length === 0) return [];
  const keys = changes.map(({ article_id, language_code, version_number }, n) => ({
    n,
    article_id,
    language_code,
    version_number,
  }));
  const stored = await selectWordRows(transaction, keys);
  return stored.flatMap(({ n, ...row }) => {
    const { title = null, content = null } = changes[n] ?? {};
    const titleDigest = title === null ? row.title_digest : textDigestOf(title);
    const contentDigest = content === null ? row.content_digest : textDigestOf(content);
    const newTitle = titleDigest === row.title_digest ? null : title;
    const newContent = contentDigest === row.content_digest ? null : content;
    if (newTitle === null && newContent === null) return [];
    return [{ ...row, title_digest: titleDigest, content_digest: contentDigest, title: newTitle, content: newContent }];
  });
}

const KEY_COLUMNS = { n: 'integer', ...VERSION_KEY } as const;

/** Selects the indexed rows of the latest versions among some, each with the index of its version. */
const selectWordRows = defineStatement(
  ({ db, dialect }: StoreDatabase, rows: RowsParameter<RowOf<typeof KEY_COLUMNS>>) =>
    db
      .selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: KEY_COLUMNS }))
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
      .orderBy('w.id')
      .compile(),
);
