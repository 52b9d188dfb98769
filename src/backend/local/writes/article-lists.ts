import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import { titleKeyOf } from '../../../domain/articles/article-filters.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import type { ArticleChangeRow, ModificationRow, VersionChangeRow } from './change-rows.ts';

const VERSION_COLUMNS = {
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  title_key: 'text',
  translation_status: 'text',
  modified_at: 'text',
} as const;

type TranslationChangeRow = Omit<VersionChangeRow, 'title' | 'source' | 'content'> &
  ModificationRow & { readonly title_key: string | null };

const updateLatestVersions = defineStatement(
  ({ db, dialect }: StoreDatabase, rows: RowsParameter<TranslationChangeRow>) =>
    db
      .updateTable('article_translations')
      .from(dialect.jsonTable({ alias: 'u', rows, columns: VERSION_COLUMNS }))
      .set((eb) => ({
        title_key: eb.fn.coalesce('u.title_key', 'article_translations.title_key'),
        translation_status: eb.fn.coalesce('u.translation_status', 'article_translations.translation_status'),
        modified_at: eb.ref('u.modified_at'),
      }))
      .whereRef('article_translations.article_id', '=', 'u.article_id')
      .whereRef('article_translations.language_code', '=', 'u.language_code')
      .whereRef('article_translations.latest_version_number', '=', 'u.version_number')
      .compile(),
);

/** Copies changes of latest versions to the columns that lists are filtered and sorted by. */
export async function updateTranslations(
  transaction: StoreDatabase,
  versions: readonly VersionChangeRow[],
  modifiedAt: string,
): Promise<void> {
  const rows = versions.map(({ article_id, language_code, version_number, title, translation_status }) => ({
    article_id,
    language_code,
    version_number,
    title_key: title === null ? null : titleKeyOf(title),
    translation_status,
    modified_at: modifiedAt,
  }));
  await updateLatestVersions(transaction, rows);
}

/** Copies `hidden` to all translations of articles. */
export async function updateHiddenTranslations(
  { db, dialect }: StoreDatabase,
  articles: readonly ArticleChangeRow[],
): Promise<void> {
  const rows = articles.flatMap(({ id, hidden }) => (hidden === null ? [] : [{ id, hidden }]));
  if (rows.length === 0) return;
  await db
    .updateTable('article_translations')
    .from(dialect.jsonTable({ alias: 'u', rows, columns: { id: 'text', hidden: 'integer' } }))
    .set((eb) => ({ hidden: eb.ref('u.hidden') }))
    .whereRef('article_translations.article_id', '=', 'u.id')
    .whereRef('article_translations.hidden', '<>', 'u.hidden')
    .execute();
}
