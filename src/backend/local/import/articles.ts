import type { ImportedArticle } from '../../../knowledge-base/knowledge-base.ts';
import { insertNew, insertRows } from '../tables/insert-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { chunksOf, type ImportStep } from './insert-in-chunks.ts';

/** Articles with all their language versions. The versions of an article that is there already are left out with it. */
export async function addArticles(
  { within, advance }: ImportStep,
  articles: readonly ImportedArticle[],
): Promise<{ readonly articles: number; readonly languageVersions: number }> {
  let addedArticles = 0;
  let addedVersions = 0;
  for (const chunk of chunksOf(articles, charactersOf)) {
    const ids = new Set(await insertNew(within, 'articles', chunk.map(articleRow)));
    const added = chunk.filter(({ articleId }) => ids.has(articleId));
    const versions = added.flatMap(versionRows);
    await insertRows(within, 'article_translations', added.flatMap(translationRows));
    await insertRows(within, 'article_versions', versions);
    addedArticles += added.length;
    addedVersions += versions.length;
    advance(chunk.length);
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

function translationRows(article: ImportedArticle): readonly Tables['article_translations'][] {
  const byLanguage = Map.groupBy(article.versions, ({ languageCode }) => languageCode);
  return [...byLanguage].map(([languageCode, versions]) => ({
    project_version_id: article.projectVersionId,
    language_code: languageCode,
    article_id: article.articleId,
    latest_version_number: versions.reduce((latest, { versionNumber }) => Math.max(latest, versionNumber), 0),
  }));
}

/** The file says nothing of when a text was written, so `modified_at` is empty until the first update. */
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
