import { sql } from 'kysely';
import { ok, type Result } from '../../../base/result.ts';
import type { Article, ArticleSlug } from '../../../domain/articles/articles.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { toStorableId } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { selectEdition } from './article-lists.ts';
import { selectListedArticles, toListedArticle } from './articles.ts';

/** The article with a slug, the first one by ID where several have it. */
export async function articleBySlug(
  database: StoreDatabase,
  { slug, projectVersionId, languageCode }: ArticleSlug,
): Promise<Result<Article | null, BackendError>> {
  const storable = toStorableId(slug);
  const edition = {
    projectVersionId: toStorableId(projectVersionId),
    languageCode: toStorableId(languageCode),
  };
  const row = await selectListedArticles(database)
    .innerJoin(selectEdition(database, edition).as('k'), (join) =>
      join.onRef('k.project_version_id', '=', 't.project_version_id').onRef('k.language_code', '=', 't.language_code'),
    )
    // The index has the beginning of the slug.
    .where(sql<boolean>`substr(a.slug, 1, 100) = substr(${storable}, 1, 100)`)
    .where('a.slug', '=', storable)
    .orderBy('a.id')
    .limit(1)
    .executeTakeFirst();
  return ok(row ? toListedArticle(row) : null);
}
