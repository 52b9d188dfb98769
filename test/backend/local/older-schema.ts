import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/backend/local/tables/tables.ts';

/** The statements that undo each migration but the first. */
const UNDO: Readonly<Record<string, readonly string[]>> = {
  '0007-bounded-words': [],
  '0006-article-words': [
    'drop table article_title_words',
    'drop table article_content_words',
    'drop table article_words',
  ],
  '0005-article-words': [],
  '0004-article-lists': [
    'drop index article_translations_by_title',
    'drop index article_translations_by_time',
    'drop index article_translations_by_status',
    'drop index article_translations_hidden',
    'alter table article_translations drop column title_key',
    'alter table article_translations drop column modified_at',
    'alter table article_translations drop column translation_status',
    'alter table article_translations drop column hidden',
  ],
  '0003-article-slugs': ['drop index articles_by_slug'],
  '0002-store-properties': ['drop table store_properties'],
};

/** Brings a store back to the schema of a migration, with what it holds. */
export async function undoMigrationsAfter(db: Kysely<Tables>, last: string): Promise<void> {
  for (const [name, statements] of Object.entries(UNDO)) {
    if (name <= last) continue;
    for (const statement of statements) await sql.raw(statement).execute(db);
  }
  await sql`delete from kysely_migration where name > ${last}`.execute(db);
}
