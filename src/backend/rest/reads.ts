import type { Caller } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Result } from '../../domain/result.ts';
import type { Answers, Backend } from '../backend.ts';
import { createReaderGroupReads } from './reader-groups.ts';
import { createReaderLists } from './reader-lists.ts';
import { createArticleLinks } from './reads/article-links.ts';
import { createArticleLists } from './reads/article-lists.ts';
import { createArticleReads } from './reads/articles.ts';
import { createCategoryReads } from './reads/categories.ts';
import { createTreeReads } from './reads/category-trees.ts';
import { createInvitedSsoUserReads } from './reads/invited-sso-users.ts';
import { createProjectVersionReads } from './reads/project-versions.ts';
import { createReaderReads } from './reads/readers.ts';
import type { ReadSession, ReadSessions } from './reads/request-cache.ts';

type Writing = 'bulkUpdateArticles' | 'updateReaderGroup' | 'changeReaderGroupMembers';
type Running = 'authenticate' | 'isAccepted' | 'verifyToken' | 'rateLimit' | 'checkReady' | 'close';

/** The reads of the port, each from what the caller's session has read already as far as that goes. */
export function createReads(sessions: ReadSessions): Omit<Backend, Writing | Running> {
  const projectVersions = createProjectVersionReads();
  const readTree = createTreeReads();
  const articles = createArticleReads(projectVersions);
  const links = createArticleLinks({ projectVersions, lists: createArticleLists(), readTree });
  const categories = createCategoryReads(projectVersions, readTree);
  const groups = createReaderGroupReads();
  const readerLists = createReaderLists();
  const readers = createReaderReads(readerLists, groups);
  const invited = createInvitedSsoUserReads(readerLists);

  const each =
    <K, V>(read: (session: ReadSession, key: K) => Promise<Result<V, BackendError>>) =>
    (caller: Caller, keys: readonly K[]): Answers<V> =>
      Promise.all(keys.map((key) => read(sessions.of(caller), key)));

  return {
    projectVersions: (caller) => projectVersions.list(sessions.of(caller)),
    articles: each(articles.byKey),
    listArticles: (caller, filter, page) => links.matching(sessions.of(caller), filter, page),
    articlesOfCategories: (caller, parents, page) =>
      Promise.all(parents.map((category) => links.inCategory(sessions.of(caller), category, page))),
    articleVersions: each(articles.versions),
    articleTranslations: each(links.translations),
    rootCategories: (caller, tree) => categories.roots(sessions.of(caller), tree),
    categories: each(categories.byKey),
    childCategories: each(categories.children),
    categoriesOfArticles: each(categories.ofArticle),
    readerGroups: each(groups.byId),
    listReaderGroups: (caller, page) => groups.page(sessions.of(caller), page),
    readers: each(readers.byId),
    listReaders: (caller, emailContains, page) => readers.page(sessions.of(caller), emailContains, page),
    readersOfGroups: (caller, parents, page) =>
      Promise.all(parents.map((group) => readers.ofGroup(sessions.of(caller), group, page))),
    invitedSsoUsers: each(invited.byId),
    listInvitedSsoUsers: (caller, emailContains, page) => invited.page(sessions.of(caller), emailContains, page),
    groupsOfReaders: each(readers.groupsOf),
  };
}
