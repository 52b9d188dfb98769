import { hash } from 'node:crypto';
import type { BulkUpdate } from '../../domain/articles.ts';
import type { Caller } from '../../domain/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import { type Lane, openLane } from './lane.ts';

export interface CoalescingOptions {
  /** Items of one merged call; no more than the backend sends, or writes, at once (`UPSTREAM_BULK_SIZE`). */
  readonly maxItems: number;
  /**
   * UTF-16 code units of text in one merged call. JSON writes one as 6 bytes at worst, so that the default stays below
   * what a service may take for too large a body: small calls are merged, large ones gain nothing by it.
   */
  readonly maxChars?: number;
  /** Once so many items of one token wait, the next call is `unavailable` at once. */
  readonly maxWaitingItems?: number;
  /** So many tokens have calls under way at one time; a call with one more is `unavailable` at once. */
  readonly maxTokens?: number;
}

/**
 * The same backend, but bulk updates with one API token that meet are made as one call: what comes while nothing is
 * under way for its token is sent at once, what comes meanwhile is gathered and sent next. Nothing waits for company.
 */
export function coalesceWrites(backend: Backend, options: CoalescingOptions): Backend {
  const { maxItems, maxChars = 1_000_000, maxWaitingItems = 10_000, maxTokens = 1_000 } = options;
  /** Those under way, by the hash of their token. */
  const lanes = new Map<string, Lane>();
  let isOpen = true;

  const send: Backend['bulkUpdateArticles'] = async (caller, updates) =>
    isOpen ? backend.bulkUpdateArticles(caller, updates) : err(unavailable(STOPPED));

  return {
    ...passedThrough(backend),
    bulkUpdateArticles(caller, updates) {
      const { promise, resolve, reject } = Promise.withResolvers<Result<BulkUpdate, BackendError>>();
      const submission = { caller, updates, resolve, reject };
      const key = keyOf(caller);
      const lane = lanes.get(key);
      if (lane) lane.join(submission);
      else if (lanes.size >= maxTokens) resolve(err(unavailable(CROWDED)));
      else {
        const onIdle = () => lanes.delete(key);
        lanes.set(key, openLane(submission, { send, limits: { maxItems, maxChars }, maxWaitingItems, onIdle }));
      }
      return promise;
    },
    close() {
      isOpen = false;
      return backend.close();
    },
  };
}

const STOPPED = 'The gateway is stopping; nothing was sent.';

const CROWDED = 'Article updates of too many API tokens are under way already; nothing was sent.';

/** Callers without a token share the gateway's own. */
const keyOf = ({ apiToken }: Caller): string => (apiToken === null ? '' : hash('sha256', apiToken, 'base64'));

/** Every other method as it is. A backend may be a class, whose methods need their `this` and no spread copies. */
const passedThrough = (backend: Backend): Omit<Backend, 'bulkUpdateArticles' | 'close'> => ({
  authenticate: (caller) => backend.authenticate(caller),
  projectVersions: (caller) => backend.projectVersions(caller),
  rateLimit: (caller) => backend.rateLimit(caller),
  checkReady: () => backend.checkReady(),
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
