import { titleKeyOf } from '../../../domain/articles/article-filters.ts';
import type { ImportedArticle, ImportedVersion } from '../../../knowledge-base/knowledge-base.ts';
import { newWordRows, writeWords } from '../tables/article-words.ts';
import { insertNewRows, insertRows } from '../tables/insert-rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import type { Tables } from '../tables/tables.ts';
import { chunksBySize, type ImportContext } from './insert-in-chunks.ts';

/** Adds articles with all their versions. Articles that exist already are skipped with their versions. */
export async function addArticles(
  { transaction, reportProgress }: ImportContext,
  articles: readonly ImportedArticle[],
): Promise<{ readonly articles: number; readonly languageVersions: number }> {
  let addedArticles = 0;
  let addedVersions = 0;
  for (const chunk of chunksBySize(articles, charactersOf)) {
    const ids = new Set(await insertNewRows(transaction, 'articles', chunk.map(articleRow)));
    const added = chunk.filter(({ articleId }) => ids.has(articleId));
    const versions = added.flatMap(versionRows);
    await insertRows(transaction, 'article_translations', added.flatMap(translationRows));
    await insertRows(transaction, 'article_versions', versions);
    await addWords(transaction, added);
    addedArticles += added.length;
    addedVersions += versions.length;
    reportProgress(chunk.length);
  }
  return { articles: addedArticles, languageVersions: addedVersions };
}

const charactersOf = ({ versions }: ImportedArticle): number =>
  versions.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);

const articleRow = (article: ImportedArticle): Tables['articles'] => ({
  id: article.articleId,
  project_version_id: article.projectVersionId,
  category_id: article.categoryId,
  slug: article.slug,
  position: article.order ?? 0,
  hidden: Number(article.hidden),
  content_type: article.contentType,
});

/** The latest version in each language. */
const latestVersions = ({ versions }: ImportedArticle): readonly ImportedVersion[] =>
  [...Map.groupBy(versions, ({ languageCode }) => languageCode).values()].map((translation) =>
    translation.reduce((one, other) => (other.versionNumber > one.versionNumber ? other : one)),
  );

const translationRows = (article: ImportedArticle): readonly Tables['article_translations'][] =>
  latestVersions(article).map((latest) => ({
    project_version_id: article.projectVersionId,
    language_code: latest.languageCode,
    article_id: article.articleId,
    latest_version_number: latest.versionNumber,
    title_key: titleKeyOf(latest.title),
    modified_at: '',
    translation_status: latest.translationStatus,
    hidden: Number(article.hidden),
  }));

/** Indexes the words of the latest version in each language. */
async function addWords(transaction: StoreDatabase, articles: readonly ImportedArticle[]): Promise<void> {
  const texts = articles.flatMap((article) =>
    latestVersions(article).map(({ languageCode, title, content }) => ({
      article_id: article.articleId,
      language_code: languageCode,
      title,
      content,
    })),
  );
  const { last } = await transaction.db
    .selectFrom('article_words')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  await writeWords(transaction, await newWordRows(texts, Number(last ?? 0) + 1));
}

/** The import format has no modification times, so `modified_at` is null until the first update. */
const versionRows = ({ articleId, versions }: ImportedArticle): readonly Tables['article_versions'][] =>
  versions.map((version) => ({
    article_id: articleId,
    language_code: version.languageCode,
    version_number: version.versionNumber,
    title: version.title,
    translation_status: version.translationStatus,
    source: null,
    modified_at: null,
    content: version.content,
  }));
