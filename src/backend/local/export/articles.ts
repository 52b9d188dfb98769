import { sql } from 'kysely';
import type { ImportedArticle, ImportedVersion } from '../../../knowledge-base/knowledge-base.ts';
import { chunksBySize } from '../import/insert-in-chunks.ts';
import { idTable } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import type { Tables } from '../tables/tables.ts';

const MAX_PAGE = 1_000;

/** All articles by ID. The texts of a few articles are read at one time, and those of a large article alone. */
export async function* storedArticles(database: StoreDatabase): AsyncGenerator<ImportedArticle> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await readArticleRows(database, after);
    for (const chunk of chunksBySize(rows, ({ text_bytes }) => text_bytes)) {
      const versions = await readVersions(
        database,
        chunk.map(({ id }) => id),
      );
      for (const row of chunk) yield toArticle(row, versions.get(row.id) ?? []);
    }
    after = rows.at(-1)?.id;
  }
}

type ArticleRow = Tables['articles'] & { readonly text_bytes: number };

/** A page of articles with the length of their texts, which both dialects know without reading the texts. */
const readArticleRows = ({ db }: StoreDatabase, after: string): Promise<readonly ArticleRow[]> =>
  db
    .selectFrom('articles as a')
    .selectAll('a')
    .select((eb) =>
      eb
        .selectFrom('article_versions as v')
        .whereRef('v.article_id', '=', 'a.id')
        .select(sql<number>`cast(coalesce(sum(octet_length(v.content)), 0) as bigint)`.as('sum'))
        .$asScalar()
        .$notNull()
        .as('text_bytes'),
    )
    .where('a.id', '>', after)
    .orderBy('a.id')
    .limit(MAX_PAGE)
    .execute();

/** All versions of articles by the ID of the article, in the order of language and number. */
async function readVersions(
  database: StoreDatabase,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ImportedVersion[]>> {
  const rows = await database.db
    .selectFrom('article_versions as v')
    .select(['v.article_id', 'v.language_code', 'v.version_number', 'v.title', 'v.translation_status', 'v.content'])
    .where('v.article_id', 'in', idTable(database, articleIds))
    .orderBy('v.article_id')
    .orderBy('v.language_code')
    .orderBy('v.version_number')
    .execute();
  const byArticle = Map.groupBy(rows, ({ article_id }) => article_id);
  return new Map([...byArticle].map(([articleId, versions]) => [articleId, versions.map(toVersion)]));
}

type VersionRow = Pick<
  Tables['article_versions'],
  'language_code' | 'version_number' | 'title' | 'translation_status' | 'content'
>;

/** Every version has a title, since the import format needs one and no update takes it away. */
const toVersion = (row: VersionRow): ImportedVersion => ({
  languageCode: row.language_code,
  versionNumber: row.version_number,
  title: row.title ?? '',
  content: row.content,
  translationStatus: row.translation_status,
});

const toArticle = (row: ArticleRow, versions: readonly ImportedVersion[]): ImportedArticle => ({
  articleId: row.id,
  projectVersionId: row.project_version_id,
  categoryId: row.category_id,
  slug: row.slug,
  order: row.position || null,
  hidden: row.hidden === 1,
  contentType: row.content_type,
  versions,
});
