import type { Result } from '../../../base/result.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Backend, BackendResult, BatchResults, Writes } from '../../backend.ts';
import { readArticles, readArticlesOfUpdates } from './article-search.ts';
import {
  readArticleBySlug,
  readArticlesOfCategory,
  readArticleVersions,
  readMatchingArticles,
  readTranslations,
} from './articles.ts';
import { readCategories, readCategoriesOfArticles, readChildCategories, readRootCategories } from './categories.ts';
import { listProjectVersions } from './project-versions.ts';
import { readReaderGroupPage, readReaderGroups } from './reader-groups.ts';
import {
  readGroupIdsOfReader,
  readGroupsOfReaders,
  readInvitedSsoUser,
  readInvitedSsoUserPage,
  readReader,
  readReaderPage,
  readReadersOfGroup,
} from './readers.ts';
import type { RequestCache } from './request-cache.ts';

type OtherMethod =
  | 'authenticate'
  | 'isAccepted'
  | 'verifyToken'
  | 'rateLimit'
  | 'smallCallDelayMs'
  | 'checkReady'
  | 'close';

/** The reads of the port, each with the cache of the caller's request. */
export function createReads(cacheOf: (caller: Caller) => RequestCache): Omit<Backend, keyof Writes | OtherMethod> {
  /** Reads something for each key, or one page of it for each parent. */
  const forEach =
    <K, V, P extends readonly unknown[]>(read: (cache: RequestCache, key: K, ...page: P) => BackendResult<V>) =>
    (caller: Caller, keys: readonly K[], ...page: P): Promise<readonly Result<V, BackendError>[]> => {
      const cache = cacheOf(caller);
      return Promise.all(keys.map((key) => read(cache, key, ...page)));
    };
  /** Reads all keys together, where one call may serve several of them. */
  const atOnce =
    <K, V, O extends readonly unknown[]>(
      read: (cache: RequestCache, keys: readonly K[], ...options: O) => BatchResults<V>,
    ) =>
    (caller: Caller, keys: readonly K[], ...options: O): BatchResults<V> =>
      read(cacheOf(caller), keys, ...options);
  /** Reads once for all. */
  const once =
    <A extends readonly unknown[], V>(read: (cache: RequestCache, ...args: A) => BackendResult<V>) =>
    (caller: Caller, ...args: A): BackendResult<V> =>
      read(cacheOf(caller), ...args);

  return {
    projectVersions: once(listProjectVersions),
    articles: atOnce(readArticles),
    articleBySlug: once(readArticleBySlug),
    articlesOfUpdates: once(readArticlesOfUpdates),
    listArticles: once(readMatchingArticles),
    articlesOfCategories: forEach(readArticlesOfCategory),
    articleVersions: forEach(readArticleVersions),
    articleTranslations: atOnce(readTranslations),
    rootCategories: once(readRootCategories),
    categories: atOnce(readCategories),
    childCategories: forEach(readChildCategories),
    categoriesOfArticles: atOnce(readCategoriesOfArticles),
    readerGroups: atOnce(readReaderGroups),
    listReaderGroups: once(readReaderGroupPage),
    readers: forEach(readReader),
    listReaders: once(readReaderPage),
    readersOfGroups: forEach(readReadersOfGroup),
    invitedSsoUsers: forEach(readInvitedSsoUser),
    listInvitedSsoUsers: once(readInvitedSsoUserPage),
    groupIdsOfReaders: forEach(readGroupIdsOfReader),
    groupsOfReaders: atOnce(readGroupsOfReaders),
  };
}
