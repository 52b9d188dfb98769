import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../../../database/dialect.ts';
import { titleKeyOf } from '../../../../domain/articles/article-filters.ts';

/**
 * Copies what lists are filtered and sorted by to the translations, from their latest versions and their articles, so
 * that indexes have it. Unknown times and titles are '', which sorts before all others.
 */
export async function addListColumns(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const columns = [
    sql`title_key ${dialect.textType} not null default ''`,
    sql`modified_at ${dialect.textType} not null default ''`,
    sql`translation_status ${dialect.textType}`,
    sql`hidden integer not null default 0`,
  ];
  for (const column of columns) await sql`alter table article_translations add column ${column}`.execute(db);
  await fillListColumns(db, dialect);
  const edition = sql`project_version_id, language_code`;
  const indexes = [
    sql`article_translations_by_title on article_translations (${edition}, title_key, article_id)`,
    sql`article_translations_by_time on article_translations (${edition}, modified_at, article_id)`,
    sql`article_translations_by_status on article_translations (${edition}, translation_status, article_id)`,
    sql`article_translations_hidden on article_translations (${edition}, article_id) where hidden = 1`,
  ];
  for (const index of indexes) await sql`create index ${index}`.execute(db);
}

interface ListedTranslation {
  readonly article_id: string;
  readonly language_code: string;
  readonly title: string | null;
  readonly modified_at: string | null;
  readonly translation_status: string | null;
  readonly hidden: number;
}

/** The translations that one statement fills. */
const PAGE_SIZE = 1_000;

async function fillListColumns(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  let after = { article_id: '', language_code: '' };
  for (;;) {
    const { rows } = await selectTranslations(after).execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    const filled = rows.map(({ title, modified_at, ...row }) => ({
      ...row,
      title_key: titleKeyOf(title),
      modified_at: modified_at ?? '',
    }));
    await updateTranslations(dialect, filled).execute(db);
    after = last;
  }
}

/** The next translations by their IDs, with the beginning of their titles. */
const selectTranslations = (after: { readonly article_id: string; readonly language_code: string }) =>
  sql<ListedTranslation>`
    select t.article_id, t.language_code, substr(v.title, 1, 200) as title, v.modified_at, v.translation_status, a.hidden
    from article_translations as t
    join articles as a on a.id = t.article_id
    join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
      and v.version_number = t.latest_version_number
    where (t.article_id, t.language_code) > (${after.article_id}, ${after.language_code})
    order by t.article_id, t.language_code limit ${sql.lit(PAGE_SIZE)}
  `;

type FilledTranslation = Omit<ListedTranslation, 'title' | 'modified_at'> & {
  readonly title_key: string;
  readonly modified_at: string;
};

function updateTranslations(dialect: SqlDialect, rows: readonly FilledTranslation[]) {
  const columns = {
    article_id: 'text',
    language_code: 'text',
    title_key: 'text',
    modified_at: 'text',
    translation_status: 'text',
    hidden: 'integer',
  } as const;
  return sql`
    update article_translations
    set title_key = u.title_key, modified_at = u.modified_at, translation_status = u.translation_status, hidden = u.hidden
    from ${dialect.jsonTable({ alias: 'u', rows, columns })}
    where article_translations.article_id = u.article_id and article_translations.language_code = u.language_code
  `;
}
