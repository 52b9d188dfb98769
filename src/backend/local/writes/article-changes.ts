import type { ArticleTranslationStatus, ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';
import { slicesOf } from '../tables/insert-rows.ts';
import type { Database } from '../tables/store-database.ts';
import type { Changeable } from './article-rules.ts';

/** The new values of an article; null where a value stays. In a stored item null changes nothing, as absence does. */
type ArticleRow = {
  readonly id: string;
  readonly category_id: string | null;
  readonly hidden: number | null;
  readonly position: number | null;
};

/** The same for one language version of it. */
type VersionRow = {
  readonly article_id: string;
  readonly language_code: string;
  readonly version_number: number;
  readonly title: string | null;
  readonly translation_status: ArticleTranslationStatus | null;
  readonly source: string | null;
  readonly content: string | null;
};

export interface ArticleChanges {
  /** Adds an item: what it sets wins over what earlier items set. */
  readonly add: (update: ArticleUpdate, target: Changeable) => void;
  /** Writes all that was added, by one statement per table for as many rows as the engine takes. */
  readonly write: (within: Database) => Promise<void>;
}

/** Gathers what the items of one bulk update change, so that it is written at once. */
export function createArticleChanges(modifiedAt: Date): ArticleChanges {
  const articles = new Map<string, ArticleRow>();
  const versions = new Map<string, VersionRow>();
  return {
    add: (update, target) => {
      const { articleId, languageCode, versionNumber } = target;
      const versionKey = JSON.stringify([articleId, languageCode, versionNumber]);
      articles.set(articleId, articleRow(update, articleId, articles.get(articleId)));
      versions.set(versionKey, versionRow(update, target, versions.get(versionKey)));
    },
    write: async (within) => {
      if (versions.size === 0) return;
      const { maxUpdatedRows } = within.engine;
      for (const rows of slicesOf([...articles.values()].filter(changesArticle), maxUpdatedRows)) {
        await writeArticles(within, rows);
      }
      for (const rows of slicesOf([...versions.values()], maxUpdatedRows)) {
        await writeVersions(within, rows, modifiedAt.toISOString());
      }
    },
  };
}

const articleRow = (update: ArticleUpdate, id: string, earlier: ArticleRow | undefined): ArticleRow => ({
  id,
  category_id: update.categoryId ?? earlier?.category_id ?? null,
  hidden: update.hidden === undefined ? (earlier?.hidden ?? null) : Number(update.hidden),
  position: update.order ?? earlier?.position ?? null,
});

const versionRow = (update: ArticleUpdate, target: Changeable, earlier: VersionRow | undefined): VersionRow => ({
  article_id: target.articleId,
  language_code: target.languageCode,
  version_number: target.versionNumber,
  title: update.title ?? earlier?.title ?? null,
  translation_status: update.translationStatus ?? earlier?.translation_status ?? null,
  source: update.source ?? earlier?.source ?? null,
  content: update.content ?? (target.takesHtml ? update.htmlContent : null) ?? earlier?.content ?? null,
});

/** Most updates are of texts. */
const changesArticle = ({ category_id, hidden, position }: ArticleRow): boolean =>
  category_id !== null || hidden !== null || position !== null;

async function writeArticles({ db, engine }: Database, rows: readonly ArticleRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = { id: 'text', category_id: 'text', hidden: 'integer', position: 'integer' } as const;
  await db
    .updateTable('articles')
    .from(engine.rows({ alias: 'u', rows, columns }))
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
} as const;

async function writeVersions({ db, engine }: Database, rows: readonly VersionRow[], modifiedAt: string): Promise<void> {
  await db
    .updateTable('article_versions')
    .from(engine.rows({ alias: 'u', rows, columns: VERSION_COLUMNS }))
    .set((eb) => ({
      title: eb.fn.coalesce('u.title', 'article_versions.title'),
      translation_status: eb.fn.coalesce('u.translation_status', 'article_versions.translation_status'),
      source: eb.fn.coalesce('u.source', 'article_versions.source'),
      content: eb.fn.coalesce('u.content', 'article_versions.content'),
      modified_at: modifiedAt,
    }))
    .whereRef('article_versions.article_id', '=', 'u.article_id')
    .whereRef('article_versions.language_code', '=', 'u.language_code')
    .whereRef('article_versions.version_number', '=', 'u.version_number')
    .execute();
}
