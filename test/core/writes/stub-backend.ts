import type { Backend } from '../../../src/core/backend.ts';

/** Names the method of the port that was called. Thrown, because no value is a result of every method. */
export class Called extends Error {
  readonly args: readonly unknown[];

  constructor(name: string, args: readonly unknown[]) {
    super(name);
    this.args = args;
  }
}

const throwCalled =
  (name: keyof Backend) =>
  (...args: readonly unknown[]): never => {
    throw new Called(name, args);
  };

export interface StubBackend extends Backend {
  readonly isClosed: () => boolean;
}

/**
 * A backend that updates articles as given. The other methods throw.
 */
export function createStubBackend(bulkUpdateArticles: Backend['bulkUpdateArticles']): StubBackend {
  let isClosed = false;
  return {
    bulkUpdateArticles,
    close: async () => {
      isClosed = true;
    },
    isClosed: () => isClosed,
    authenticate: throwCalled('authenticate'),
    requireKnown: throwCalled('requireKnown'),
    projectVersions: throwCalled('projectVersions'),
    rateLimit: throwCalled('rateLimit'),
    knowledgeBaseId: throwCalled('knowledgeBaseId'),
    checkReady: throwCalled('checkReady'),
    forkArticles: throwCalled('forkArticles'),
    lookForForks: throwCalled('lookForForks'),
    createArticles: throwCalled('createArticles'),
    createCategories: throwCalled('createCategories'),
    publishArticles: throwCalled('publishArticles'),
    unpublishArticles: throwCalled('unpublishArticles'),
    updateReaderGroup: throwCalled('updateReaderGroup'),
    changeReaderGroupMembers: throwCalled('changeReaderGroupMembers'),
    articles: throwCalled('articles'),
    articleBySlug: throwCalled('articleBySlug'),
    articlesOfUpdates: throwCalled('articlesOfUpdates'),
    articlesWithTitles: throwCalled('articlesWithTitles'),
    lookForCreated: throwCalled('lookForCreated'),
    listArticles: throwCalled('listArticles'),
    articlesOfCategories: throwCalled('articlesOfCategories'),
    articleVersions: throwCalled('articleVersions'),
    articleTranslations: throwCalled('articleTranslations'),
    defaultLanguageTimes: throwCalled('defaultLanguageTimes'),
    rootCategories: throwCalled('rootCategories'),
    categories: throwCalled('categories'),
    childCategories: throwCalled('childCategories'),
    categoriesOfArticles: throwCalled('categoriesOfArticles'),
    readerGroups: throwCalled('readerGroups'),
    listReaderGroups: throwCalled('listReaderGroups'),
    readers: throwCalled('readers'),
    listReaders: throwCalled('listReaders'),
    readersOfGroups: throwCalled('readersOfGroups'),
    invitedSsoUsers: throwCalled('invitedSsoUsers'),
    listInvitedSsoUsers: throwCalled('listInvitedSsoUsers'),
    listTeamAccounts: throwCalled('listTeamAccounts'),
    teamAccounts: throwCalled('teamAccounts'),
    groupIdsOfReaders: throwCalled('groupIdsOfReaders'),
    groupsOfReaders: throwCalled('groupsOfReaders'),
  };
}
