import type { Backend } from './backend.ts';

/** The same backend, for decorators to put their own methods over: one that is a class needs its `this`, and no spread copies its methods. */
export const passedThrough = (backend: Backend): Backend => ({
  authenticate: (caller) => backend.authenticate(caller),
  projectVersions: (caller) => backend.projectVersions(caller),
  rateLimit: (caller) => backend.rateLimit(caller),
  checkReady: () => backend.checkReady(),
  close: () => backend.close(),
  bulkUpdateArticles: (caller, updates) => backend.bulkUpdateArticles(caller, updates),
  updateReaderGroup: (caller, update) => backend.updateReaderGroup(caller, update),
  changeReaderGroupMembers: (caller, change) => backend.changeReaderGroupMembers(caller, change),
  articles: (caller, keys) => backend.articles(caller, keys),
  listArticles: (caller, filter, page) => backend.listArticles(caller, filter, page),
  articlesOfCategories: (caller, categories, page) => backend.articlesOfCategories(caller, categories, page),
  articleVersions: (caller, articles) => backend.articleVersions(caller, articles),
  articleTranslations: (caller, articles) => backend.articleTranslations(caller, articles),
  rootCategories: (caller, tree) => backend.rootCategories(caller, tree),
  categories: (caller, keys) => backend.categories(caller, keys),
  childCategories: (caller, parents) => backend.childCategories(caller, parents),
  categoriesOfArticles: (caller, articles) => backend.categoriesOfArticles(caller, articles),
  readerGroups: (caller, groupIds) => backend.readerGroups(caller, groupIds),
  listReaderGroups: (caller, page) => backend.listReaderGroups(caller, page),
  readers: (caller, readerIds) => backend.readers(caller, readerIds),
  listReaders: (caller, emailContains, page) => backend.listReaders(caller, emailContains, page),
  readersOfGroups: (caller, groups, page) => backend.readersOfGroups(caller, groups, page),
  invitedSsoUsersOfGroups: (caller, groups) => backend.invitedSsoUsersOfGroups(caller, groups),
  groupsOfReaders: (caller, readers) => backend.groupsOfReaders(caller, readers),
});
