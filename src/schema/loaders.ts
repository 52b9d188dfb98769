import DataLoader from 'dataloader';
import type { Backend, BatchResults } from '../backend/backend.ts';
import type { Page, PageRequest } from '../base/pages.ts';
import type { Article, ArticleKey, Category, CategoryKey, ProjectVersion } from '../domain/articles/articles.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { Reader, ReaderGroup, ReaderGroupExtent } from '../domain/reader-groups/reader-groups.ts';
import { createGraphQLError } from './graphql-errors.ts';

/** `cacheKeyFn` returns what equal keys have in common: a text, or the key itself where each is loaded once. */
function createBatchLoader<K, V, C>(read: (keys: readonly K[]) => BatchResults<V>, cacheKeyFn: (key: K) => C) {
  const load = async (keys: readonly K[]) =>
    (await read(keys)).map((result) => (result.ok ? result.value : createGraphQLError(result.error)));
  return createLazyLoader(() => new DataLoader<K, V, C>(load, { cacheKeyFn }));
}

/**
 * A loader that gives what it has loaded before at once: a promise for each item of a list costs as much as the item.
 */
function createKnowingLoader<K, V, C>(read: (keys: readonly K[]) => BatchResults<V>, cacheKeyFn: (key: K) => C) {
  const known = new Map<C, V>();
  const readAndRemember = async (keys: readonly K[]) => {
    const results = await read(keys);
    for (const [index, key] of keys.entries()) {
      const result = results[index];
      if (result?.ok) known.set(cacheKeyFn(key), result.value);
    }
    return results;
  };
  const loader = createBatchLoader(readAndRemember, cacheKeyFn);
  const readLists = async (lists: readonly (readonly K[])[]) => {
    const keys = new Map(lists.flat().map((key) => [cacheKeyFn(key), key]));
    for (const cacheKey of known.keys()) keys.delete(cacheKey);
    if (keys.size > 0) await readAndRemember([...keys.values()]);
    return lists;
  };
  const lists = createLazyLoader(() => new DataLoader<readonly K[], readonly K[]>(readLists));
  return {
    load(key: K): V | Promise<V> {
      const value = known.get(cacheKeyFn(key));
      return value === undefined ? loader.load(key) : value;
    },
    /** Loads the keys, so that `load` gives those that could be loaded at once. Lists of one tick are one batch. */
    async loadAll(keys: readonly K[]): Promise<void> {
      await lists.load(keys);
    },
  };
}

/** Creates the loader at its first use: most requests use few of them, and a write none. */
function createLazyLoader<K, V, C>(create: () => DataLoader<K, V, C>): Pick<DataLoader<K, V, C>, 'load'> {
  let loader: DataLoader<K, V, C> | undefined;
  return {
    load: (key) => {
      loader ??= create();
      return loader.load(key);
    },
  };
}

/** Batches the parents by page, so that the same page of all of them is one call of the backend. */
function createPageLoader<P, T>(
  read: (parents: readonly P[], page: PageRequest) => BatchResults<Page<T>>,
  cacheKeyOfParent: (parent: P) => string,
) {
  const loaders = new Map<string, Pick<DataLoader<P, Page<T>>, 'load'>>();
  return {
    load({ parent, page }: { readonly parent: P; readonly page: PageRequest }): Promise<Page<T>> {
      const name = JSON.stringify([page.limit, page.after]);
      const loader = loaders.get(name) ?? createBatchLoader((parents) => read(parents, page), cacheKeyOfParent);
      loaders.set(name, loader);
      return loader.load(parent);
    },
  };
}

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
