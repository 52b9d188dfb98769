import type { Backend } from '../../../src/backend/backend.ts';

/** What a method of the port was called with: thrown, because it is no answer of any type. */
export class Called extends Error {
  readonly args: readonly unknown[];

  constructor(name: string, args: readonly unknown[]) {
    super(name);
    this.args = args;
  }
}

type Args<K extends keyof Backend> = Parameters<Backend[K]>;

/** A backend that updates articles as it is told, and has no other method that answers. A class, since one may be. */
export class StubBackend implements Backend {
  readonly #bulkUpdate: Backend['bulkUpdateArticles'];
  isClosed = false;

  constructor(bulkUpdate: Backend['bulkUpdateArticles']) {
    this.#bulkUpdate = bulkUpdate;
  }

  #call(name: keyof Backend, args: readonly unknown[]): never {
    throw new Called(name, args);
  }

  bulkUpdateArticles(...args: Args<'bulkUpdateArticles'>) {
    return this.#bulkUpdate(...args);
  }

  /** Tokens that begin with `made-up` are not accepted. */
  isAccepted({ apiToken }: Args<'isAccepted'>[0]) {
    return !apiToken?.startsWith('made-up');
  }

  verifyToken(...args: Args<'verifyToken'>) {
    return this.#call('verifyToken', args);
  }

  async close() {
    this.isClosed = true;
  }

  authenticate(...args: Args<'authenticate'>) {
    return this.#call('authenticate', args);
  }

  projectVersions(...args: Args<'projectVersions'>) {
    return this.#call('projectVersions', args);
  }

  rateLimit(...args: Args<'rateLimit'>) {
    return this.#call('rateLimit', args);
  }

  checkReady(...args: Args<'checkReady'>) {
    return this.#call('checkReady', args);
  }

  updateReaderGroup(...args: Args<'updateReaderGroup'>) {
    return this.#call('updateReaderGroup', args);
  }

  changeReaderGroupMembers(...args: Args<'changeReaderGroupMembers'>) {
    return this.#call('changeReaderGroupMembers', args);
  }

  articles(...args: Args<'articles'>) {
    return this.#call('articles', args);
  }

  listArticles(...args: Args<'listArticles'>) {
    return this.#call('listArticles', args);
  }

  articlesOfCategories(...args: Args<'articlesOfCategories'>) {
    return this.#call('articlesOfCategories', args);
  }

  articleVersions(...args: Args<'articleVersions'>) {
    return this.#call('articleVersions', args);
  }

  articleTranslations(...args: Args<'articleTranslations'>) {
    return this.#call('articleTranslations', args);
  }

  rootCategories(...args: Args<'rootCategories'>) {
    return this.#call('rootCategories', args);
  }

  categories(...args: Args<'categories'>) {
    return this.#call('categories', args);
  }

  childCategories(...args: Args<'childCategories'>) {
    return this.#call('childCategories', args);
  }

  categoriesOfArticles(...args: Args<'categoriesOfArticles'>) {
    return this.#call('categoriesOfArticles', args);
  }

  readerGroups(...args: Args<'readerGroups'>) {
    return this.#call('readerGroups', args);
  }

  listReaderGroups(...args: Args<'listReaderGroups'>) {
    return this.#call('listReaderGroups', args);
  }

  readers(...args: Args<'readers'>) {
    return this.#call('readers', args);
  }

  listReaders(...args: Args<'listReaders'>) {
    return this.#call('listReaders', args);
  }

  readersOfGroups(...args: Args<'readersOfGroups'>) {
    return this.#call('readersOfGroups', args);
  }

  invitedSsoUsers(...args: Args<'invitedSsoUsers'>) {
    return this.#call('invitedSsoUsers', args);
  }

  listInvitedSsoUsers(...args: Args<'listInvitedSsoUsers'>) {
    return this.#call('listInvitedSsoUsers', args);
  }

  groupsOfReaders(...args: Args<'groupsOfReaders'>) {
    return this.#call('groupsOfReaders', args);
  }
}
