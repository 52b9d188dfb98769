import DataLoader from 'dataloader';
import type { Article, ArticleKey, Category, CategoryKey, ProjectVersion } from '../../core/articles/articles.ts';
import type { Backend, BatchResults, Page } from '../../core/backend.ts';
import { lazily } from '../../core/base/lazily.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { isSameId } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { Reader, ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import { createGraphQLError, openRead } from './graphql-errors.ts';

/** `cacheKeyFn` returns the same value for equal keys: a text, or the key itself where no two keys are equal. */
function createBatchLoader<K, V, C>(read: (keys: readonly K[]) => BatchResults<V>, cacheKeyFn: (key: K) => C) {
  const load = async (keys: readonly K[]) =>
    (await read(keys)).map((result) => (result.ok ? result.value : createGraphQLError(result.error)));
  return new DataLoader<K, V, C>(load, { cacheKeyFn });
}

/**
 * Creates a loader that returns a value which it has loaded before without a promise: the executor takes 0.8 µs longer with
 * a promise for a field of each item, which is 9 % of R1 for one field of 100 items (docs/decisions/0055-libraries-as-meant.md).
 */
function createRememberingLoader<K, V, C>(read: (keys: readonly K[]) => BatchResults<V>, cacheKeyFn: (key: K) => C) {
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
  const lists = new DataLoader<readonly K[], readonly K[]>(readLists);
  return {
    load(key: K): V | Promise<V> {
      const value = known.get(cacheKeyFn(key));
      return value === undefined ? loader.load(key) : value;
    },
    /** Loads the keys, so that `load` then returns their values without a promise. All lists of one tick are one batch. */
    async loadAll(keys: readonly K[]): Promise<void> {
      await lists.load(keys);
    },
  };
}

/** Batches the parents by page, so that the same page of several parents is one call of the backend. */
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
 * Creates the loaders of one request, so that no caller ever gets what another one has loaded. All loads of one tick are one
 * batch.
 */
export const createLoaders = (backend: Backend, caller: Caller) => ({
  articles: createBatchLoader((keys) => backend.articles(caller, keys), cacheKeyOfArticleKey),
  articleDetails: createBatchLoader((keys) => backend.articles(caller, keys, 'details'), cacheKeyOfArticleKey),
  articleSummaries: createBatchLoader((keys) => backend.articles(caller, keys, 'summary'), cacheKeyOfArticleKey),
  articleVersions: createBatchLoader((articles) => backend.articleVersions(caller, articles), cacheKeyOfArticle),
  articleTranslations: createBatchLoader(
    (articles) => backend.articleTranslations(caller, articles),
    cacheKeyOfArticle,
  ),
  defaultLanguageTimes: createBatchLoader(
    (articles: readonly Article[]) => backend.defaultLanguageTimes(caller, articles),
    ({ projectVersionId, articleId }) => JSON.stringify([projectVersionId, articleId]),
  ),
  categoriesOfArticles: createRememberingLoader(
    (articles) => backend.categoriesOfArticles(caller, articles),
    (article: Article) => article,
  ),
  categories: createRememberingLoader((keys) => backend.categories(caller, keys), cacheKeyOfCategory),
  childCategories: createRememberingLoader(
    (parents: readonly Category[]) => backend.childCategories(caller, parents),
    cacheKeyOfCategory,
  ),
  articlesOfCategories: createPageLoader(
    (categories: readonly Category[], page) => backend.articlesOfCategories(caller, categories, page),
    cacheKeyOfCategory,
  ),
  ...createProjectVersionLoaders(backend, caller),
  readerGroups: createBatchLoader((ids) => backend.readerGroups(caller, ids), identity),
  readerGroupSummaries: createBatchLoader((ids) => backend.readerGroups(caller, ids, 'summary'), identity),
  readersOfGroups: createPageLoader(
    (groups, page) => backend.readersOfGroups(caller, groups, page),
    ({ groupId }: ReaderGroup) => groupId,
  ),
  invitedSsoUsers: createBatchLoader((ids) => backend.invitedSsoUsers(caller, ids), identity),
  readers: createBatchLoader((ids) => backend.readers(caller, ids), identity),
  teamAccounts: createBatchLoader((ids) => backend.teamAccounts(caller, ids), identity),
  groupIdsOfReaders: createBatchLoader((readers) => backend.groupIdsOfReaders(caller, readers), readerIdOf),
  groupsOfReaders: createPageLoader((readers, page) => backend.groupsOfReaders(caller, readers, page), readerIdOf),
});

function createProjectVersionLoaders(backend: Backend, caller: Caller) {
  let listed: readonly ProjectVersion[] | null = null;
  /** Lists all versions, which a request reads once. */
  const listProjectVersions = lazily(async () => {
    listed = await openRead(backend.projectVersions(caller));
    return listed;
  });
  return {
    listProjectVersions,
    /** Finds a version in the list, without a promise once the list is read, as the loader above. */
    findProjectVersion(id: string): ProjectVersion | null | Promise<ProjectVersion | null> {
      const findIn = (versions: readonly ProjectVersion[]) =>
        versions.find(({ projectVersionId }) => isSameId(projectVersionId, id)) ?? null;
      return listed === null ? listProjectVersions().then(findIn) : findIn(listed);
    },
  };
}

const identity = (id: string): string => id;

const readerIdOf = ({ readerId }: Reader): string => readerId;

const cacheKeyOfArticleKey = ({ articleId, languageCode, versionNumber }: ArticleKey): string =>
  JSON.stringify([articleId, languageCode, versionNumber]);

const cacheKeyOfArticle = ({ articleId, languageCode }: Article): string => JSON.stringify([articleId, languageCode]);

const cacheKeyOfCategory = ({ categoryId, projectVersionId, languageCode }: CategoryKey): string =>
  JSON.stringify([categoryId, projectVersionId, languageCode]);
