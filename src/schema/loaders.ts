import type { Backend } from '../backend/backend.ts';
import type { PageRequest } from '../base/pages.ts';
import type { Article, ArticleKey } from '../domain/articles/articles.ts';
import type { Category, CategoryKey } from '../domain/articles/categories.ts';
import type { ProjectVersion } from '../domain/articles/project-versions.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { ReaderGroup, ReaderGroupExtent } from '../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../domain/reader-groups/readers.ts';
import { createBatchLoader, createKnowingLoader, createPageLoader } from './batch-loaders.ts';

export type Loaders = ReturnType<typeof createLoaders>;

/**
 * Creates the loaders of one request, so that nothing that one caller loads is ever given to another. All loads of one
 * tick are one batch.
 */
export const createLoaders = (backend: Backend, caller: Caller) => ({
  ...createArticleLoaders(backend, caller),
  ...createCategoryLoaders(backend, caller),
  ...createReaderLoaders(backend, caller),
  ...createProjectVersionLoaders(backend, caller),
});

const createArticleLoaders = (backend: Backend, caller: Caller) => ({
  articles: createBatchLoader((keys: readonly ArticleKey[]) => backend.articles(caller, keys), cacheKeyOfArticleKey),
  articleSummaries: createBatchLoader(
    (keys: readonly ArticleKey[]) => backend.articles(caller, keys, 'summary'),
    cacheKeyOfArticleKey,
  ),
  articleVersions: createBatchLoader(
    (articles: readonly Article[]) => backend.articleVersions(caller, articles),
    cacheKeyOfArticle,
  ),
  articleTranslations: createBatchLoader(
    (articles: readonly Article[]) => backend.articleTranslations(caller, articles),
    cacheKeyOfArticle,
  ),
  categoriesOfArticles: createKnowingLoader(
    (articles: readonly Article[]) => backend.categoriesOfArticles(caller, articles),
    (article) => article,
  ),
});

const createCategoryLoaders = (backend: Backend, caller: Caller) => ({
  categories: createKnowingLoader(
    (keys: readonly CategoryKey[]) => backend.categories(caller, keys),
    cacheKeyOfCategory,
  ),
  childCategories: createKnowingLoader(
    (parents: readonly Category[]) => backend.childCategories(caller, parents),
    cacheKeyOfCategory,
  ),
  articlesOfCategories: createPageLoader(
    (categories: readonly Category[], page) => backend.articlesOfCategories(caller, categories, page),
    cacheKeyOfCategory,
  ),
});

function createProjectVersionLoaders(backend: Backend, caller: Caller) {
  let known: readonly ProjectVersion[] | null = null;
  const projectVersions = createBatchLoader(
    async (keys: readonly 'all'[]) => {
      const result = await backend.projectVersions(caller);
      if (result.ok) known = result.value;
      return keys.map(() => result);
    },
    (key) => key,
  );
  const findIn = (versions: readonly ProjectVersion[], id: string) =>
    versions.find(({ projectVersionId }) => projectVersionId === id) ?? null;
  const found = new Map<string, Promise<ProjectVersion | null>>();
  return {
    projectVersions,
    /** Finds a version at once where the list was loaded. Until then, all who name it get one promise. */
    projectVersion: {
      load(id: string): ProjectVersion | null | Promise<ProjectVersion | null> {
        if (known !== null) return findIn(known, id);
        const version = found.get(id) ?? projectVersions.load('all').then((versions) => findIn(versions, id));
        found.set(id, version);
        return version;
      },
    },
  };
}

const createReaderLoaders = (backend: Backend, caller: Caller) => ({
  readerGroupPages: createReaderGroupPages(backend, caller),
  readerGroups: createBatchLoader((ids: readonly string[]) => backend.readerGroups(caller, ids), identity),
  readerGroupSummaries: createBatchLoader(
    (ids: readonly string[]) => backend.readerGroups(caller, ids, 'summary'),
    identity,
  ),
  readersOfGroups: createPageLoader(
    (groups: readonly ReaderGroup[], page) => backend.readersOfGroups(caller, groups, page),
    ({ groupId }: ReaderGroup) => groupId,
  ),
  invitedSsoUsers: createBatchLoader((ids: readonly string[]) => backend.invitedSsoUsers(caller, ids), identity),
  readers: createBatchLoader((ids: readonly string[]) => backend.readers(caller, ids), identity),
  groupIdsOfReaders: createBatchLoader(
    (readers: readonly Reader[]) => backend.groupIdsOfReaders(caller, readers),
    ({ readerId }: Reader) => readerId,
  ),
  groupsOfReaders: createPageLoader(
    (readers: readonly Reader[], page) => backend.groupsOfReaders(caller, readers, page),
    ({ readerId }: Reader) => readerId,
  ),
});

/**
 * Reads pages of groups. The first page of a request that needs whole groups has them; those of later pages are
 * summaries, so that a document of many such pages loads each group once.
 */
function createReaderGroupPages(backend: Backend, caller: Caller) {
  let extent: ReaderGroupExtent = 'whole-if-short';
  return {
    load(page: PageRequest, needsWhole: boolean) {
      const read = backend.listReaderGroups(caller, page, needsWhole ? extent : 'summary');
      if (needsWhole) extent = 'summary';
      return read;
    },
  };
}

const identity = (id: string): string => id;

const cacheKeyOfArticleKey = ({ articleId, languageCode, versionNumber }: ArticleKey): string =>
  JSON.stringify([articleId, languageCode, versionNumber]);

const cacheKeyOfArticle = ({ articleId, languageCode }: Article): string => JSON.stringify([articleId, languageCode]);

const cacheKeyOfCategory = ({ categoryId, projectVersionId, languageCode }: CategoryKey): string =>
  JSON.stringify([categoryId, projectVersionId, languageCode]);
