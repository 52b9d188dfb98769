import { type Kysely, sql } from 'kysely';

/**
 * Adds the index by which an article is found by its slug. Only the beginning of a slug is in it, since PostgreSQL
 * refuses long texts in an index.
 */
export async function addSlugIndex(db: Kysely<unknown>): Promise<void> {
  await sql`create index articles_by_slug on articles (substr(slug, 1, 100), id)`.execute(db);
}
