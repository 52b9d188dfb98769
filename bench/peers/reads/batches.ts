import DataLoader from 'dataloader';
import type {
  ArticleObject,
  CategoryScopeObject,
  CategoryTree,
  Edition,
  LanguageScopeObject,
  ProjectVersionObject,
  ReaderGroupObject,
  VersionScopeObject,
} from './objects.ts';
import type { ServiceReads } from './service-reads.ts';

/** A field that is loaded for all its parents at once. */
function fieldBatch<T>(load: (parents: readonly T[], reads: ServiceReads) => Promise<readonly unknown[]>) {
  return {
    /** As Mercurius calls a loader. */
    loader: (queries: readonly { readonly obj: T }[], { reads }: { readonly reads: ServiceReads }) =>
      load(
        queries.map(({ obj }) => obj),
        reads,
      ),
    createDataLoader: (reads: ServiceReads) => new DataLoader<T, unknown>((parents) => load(parents, reads)),
  };
}

export const BATCHES = {
  Article: {
    category: fieldBatch<ArticleObject>(async (articles, reads) => {
      const treeOf = await readTrees(articles, (edition) => reads.categoryTree(edition, 'with-articles'));
      return articles.map((article) => treeOf(article)?.byArticle.get(article.articleId) ?? null);
    }),
    projectVersion: fieldBatch<ArticleObject>(projectVersionsOf),
  },
  CategoryScope: {
    category: fieldBatch<CategoryScopeObject>(async (scopes, reads) => {
      const treeOf = await readTrees(scopes, (edition) => reads.categoryTree(edition, 'without-articles'));
      return scopes.map((scope) => treeOf(scope)?.byId.get(scope.categoryId) ?? null);
    }),
    projectVersion: fieldBatch<CategoryScopeObject>(projectVersionsOf),
  },
  LanguageScope: {
    language: fieldBatch<LanguageScopeObject>(async (scopes, reads) => {
      const versionOf = await readVersions(reads);
      return scopes.map(
        ({ projectVersionId, languageCode }) =>
          versionOf(projectVersionId)?.languages.find(({ code }) => code === languageCode) ?? null,
      );
    }),
    projectVersion: fieldBatch<LanguageScopeObject>(projectVersionsOf),
  },
  VersionAccessScope: {
    projectVersions: fieldBatch<VersionScopeObject>(async (scopes, reads) => {
      const versionOf = await readVersions(reads);
      return scopes.map(({ projectVersionIds }) => projectVersionIds.map((id) => versionOf(id) ?? null));
    }),
  },
  ReaderGroup: {
    readers: fieldBatch<ReaderGroupObject>(async (groups, reads) => {
      const readers = await reads.readers();
      return groups.map(({ readerIds }) => ({ nodes: readerIds.map((id) => readers.get(id)) }));
    }),
  },
};

async function projectVersionsOf(parents: readonly Pick<Edition, 'projectVersionId'>[], reads: ServiceReads) {
  const versionOf = await readVersions(reads);
  return parents.map(({ projectVersionId }) => versionOf(projectVersionId) ?? null);
}

async function readVersions(reads: ServiceReads): Promise<(id: string) => ProjectVersionObject | undefined> {
  const versions = new Map((await reads.projectVersions()).map((version) => [version.projectVersionId, version]));
  return (id) => versions.get(id);
}

async function readTrees(
  editions: readonly Edition[],
  read: (edition: Edition) => Promise<CategoryTree>,
): Promise<(edition: Edition) => CategoryTree | undefined> {
  const keyOf = ({ projectVersionId, languageCode }: Edition) => `${projectVersionId} ${languageCode}`;
  const distinct = new Map(editions.map((edition) => [keyOf(edition), edition]));
  const trees = new Map<string, CategoryTree>();
  await Promise.all([...distinct].map(async ([key, edition]) => trees.set(key, await read(edition))));
  return (edition) => trees.get(keyOf(edition));
}

/** The data loaders of one request. */
export const createDataLoaders = (reads: ServiceReads) => ({
  categoryOfArticle: BATCHES.Article.category.createDataLoader(reads),
  versionOfArticle: BATCHES.Article.projectVersion.createDataLoader(reads),
  categoryOfScope: BATCHES.CategoryScope.category.createDataLoader(reads),
  versionOfCategoryScope: BATCHES.CategoryScope.projectVersion.createDataLoader(reads),
  language: BATCHES.LanguageScope.language.createDataLoader(reads),
  versionOfLanguageScope: BATCHES.LanguageScope.projectVersion.createDataLoader(reads),
  versionsOfScope: BATCHES.VersionAccessScope.projectVersions.createDataLoader(reads),
  readers: BATCHES.ReaderGroup.readers.createDataLoader(reads),
});

export type DataLoaders = ReturnType<typeof createDataLoaders>;
