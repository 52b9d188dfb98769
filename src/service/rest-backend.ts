import { hash } from 'node:crypto';
import type { Backend, BackendResult } from '../core/backend.ts';
import { MAX_SOCKETS, MAX_WAITING_CALLS } from '../core/base/limits.ts';
import { err, mapOk, ok, type Result } from '../core/base/result.ts';
import { TickQueue } from '../core/base/tick-queue.ts';
import type { Caller } from '../core/callers/caller.ts';
import { type BackendError, unauthenticated } from '../core/errors.ts';
import { noMetrics } from '../core/metrics.ts';
import type { RateLimit } from '../core/rate-limit.ts';
import type { Reader } from '../core/reader-groups/reader-groups.ts';
import { type CallPipelineOptions, openCallPipeline } from './calls/call-pipeline.ts';
import { checkService } from './calls/readiness.ts';
import { apiRootOf } from './calls/service-client.ts';
import { createInvalidationStep, createInvalidations } from './read-cache/invalidations.ts';
import { ReadCache } from './read-cache/read-cache.ts';
import { readArticles, readArticlesOfUpdates } from './reads/article-search.ts';
import {
  readArticleBySlug,
  readArticlesOfCategory,
  readArticlesWithTitles,
  readArticleVersions,
  readDefaultLanguageTime,
  readMatchingArticles,
  readTranslations,
} from './reads/articles.ts';
import { readCategoriesOfArticles, readCategory, readChildCategories, readRootCategories } from './reads/categories.ts';
import { listProjectVersions } from './reads/project-versions.ts';
import { readReaderGroupPage, readReaderGroups } from './reads/reader-groups.ts';
import {
  readGroupsOfReaders,
  readInvitedSsoUser,
  readInvitedSsoUserPage,
  readReader,
  readReaderPage,
  readReadersOfGroup,
} from './reads/readers.ts';
import { createRequestCaches, type RequestCache, RequestReads } from './reads/request-cache.ts';
import { readTeamAccount, readTeamAccountPage } from './reads/team-accounts.ts';
import { createTokenVerification } from './reads/token-verification.ts';
import { READ_LAGS_MS, type ReadLags, RecentWrites } from './recent-writes/recent-writes.ts';
import { createBulkUpdates } from './writes/bulk-updates.ts';
import { createArticleCreations, createCategoryCreations } from './writes/creations.ts';
import { GroupMutex } from './writes/group-locks.ts';
import { KnownHidden } from './writes/keep-hidden.ts';
import { createAnnouncements } from './writes/peer-creations.ts';
import { createPublications } from './writes/publications.ts';
import { createReaderGroupWrites } from './writes/reader-group-writes.ts';

type DefaultedOption =
  | 'proxyUrl'
  | 'userAgent'
  | 'maxSockets'
  | 'maxWaiting'
  | 'ticks'
  | 'tracer'
  | 'metrics'
  | 'shared';

export interface RestBackendOptions
  extends Omit<CallPipelineOptions, DefaultedOption | 'invalidations'>,
    Partial<Pick<CallPipelineOptions, DefaultedOption>> {
  /** The items of one call of the bulk update (`UPSTREAM_BULK_SIZE`). */
  readonly bulkSize: number;
  readonly maxReadCalls: number;
  /** What happens to group writes while the shared state can't be reached (`STATE_FAILURE`). */
  readonly onSharedFailure?: 'closed' | 'open';
  /** How long a response to a read may be used again (`READ_CACHE_SECONDS`). Zero or absent means never. */
  readonly readCacheMs?: number;
  readonly readCacheBytes?: number;
  readonly readLagsMs?: ReadLags;
  /** False: an update without `hidden` is sent as it is (`KEEP_HIDDEN`). */
  readonly keepsHidden?: boolean;
  /** The pauses before articles are read again whose latest version is not sure, in milliseconds. */
  readonly versionPausesMs?: readonly number[];
  /** The pauses before the articles of creates with an unknown outcome are looked for again. */
  readonly lookPausesMs?: readonly number[];
  /** `performance.now()` when the gateway started: an article that was there before is none of its creates. */
  readonly startedAt?: number;
}

const DEFAULTS = {
  proxyUrl: null,
  userAgent: 'kb-gateway',
  maxSockets: MAX_SOCKETS,
  maxWaiting: MAX_WAITING_CALLS,
  tracer: null,
  metrics: noMetrics,
  shared: null,
  onSharedFailure: 'closed',
  readCacheMs: 0,
  readCacheBytes: 0,
  readLagsMs: READ_LAGS_MS,
  keepsHidden: true,
  lookPausesMs: [1_000, 2_000, 4_000],
  // Together longer than an article may lag behind its writes (`MAX_ARTICLE_LAG_MS`).
  versionPausesMs: [1_000, 2_000, 4_000, 4_000],
} as const;

/** The backend that forwards every call to the service at `baseUrl`. */
export function openRestBackend(given: RestBackendOptions): Backend {
  const options = { ...DEFAULTS, ticks: new TickQueue(), startedAt: performance.now(), ...given };
  const { baseUrl, proxyUrl, maxReadCalls: maxCalls, ticks, metrics, shared, log } = options;
  const { onSharedFailure } = options;
  const { invalidations, kept } = readCachingOf(options);
  const upstream = openCallPipeline({
    ...options,
    invalidations: invalidations && createInvalidationStep(invalidations),
  });
  const verification = createTokenVerification(upstream);
  const groupMutex = new GroupMutex({ verification, shared, onSharedFailure, serviceUrl: apiRootOf(baseUrl) });
  const announce = createAnnouncements({ verification, shared, onSharedFailure });
  const keyOf = (caller: Caller) => upstream.tokenKeyOf(caller);
  const recentWrites = new RecentWrites(keyOf, options.readLagsMs, options.timeoutMs);
  const knownHidden = options.keepsHidden ? new KnownHidden({ keyOf, maxAgeMs: kept.maxAgeMs, recentWrites }) : null;
  const requestReads = new RequestReads();
  const readCache = new ReadCache({ ...kept, upstream, metrics });
  const cacheOf = createRequestCaches({ requestReads, upstream, maxCalls, readCache, ticks, recentWrites });
  return {
    ...callerFacts(upstream, baseUrl),
    requireKnown: verification.requireKnown,
    smallCallDelayMs: (caller) => upstream.tokenStateOf(caller)?.budget.delayMs() ?? 0,
    reserveCalls: (caller, wanted) => upstream.reserve(caller, wanted),
    checkReady: () => checkService(upstream, proxyUrl ?? baseUrl),
    async close() {
      upstream.close();
    },
    ...createBulkUpdates({ ...options, requestReads, upstream, maxCalls, recentWrites, knownHidden }),
    ...createArticleCreations({ ...options, requestReads, upstream, maxCalls, announce }),
    createCategories: createCategoryCreations({ ...options, upstream }),
    ...createPublications({ ...options, requestReads, upstream, maxCalls, recentWrites }),
    ...createReaderGroupWrites({ upstream, groupMutex, log }),
    checkReadCalls: (caller, calls) => cacheOf(caller).checkCalls(calls),
    forgetReads: (caller) => requestReads.forget(caller),
    ...createReads(cacheOf),
    articlesOfUpdates: createArticleReads(cacheOf, knownHidden),
  };
}

/** What is known of a caller and of the service without a call to it. */
function callerFacts(upstream: ReturnType<typeof openCallPipeline>, baseUrl: string) {
  const authenticate = (caller: Caller): Result<void, BackendError> =>
    upstream.tokenOf(caller) === null ? err(unauthenticated()) : ok(undefined);
  return {
    authenticate,
    knowledgeBaseId: async (caller: Caller) => mapOk(authenticate(caller), () => hash('sha256', apiRootOf(baseUrl))),
    rateLimit: async (caller: Caller): BackendResult<RateLimit | null> => {
      const known = authenticate(caller);
      if (!known.ok) return known;
      const budget = upstream.tokenStateOf(caller)?.budget;
      await budget?.refresh();
      return ok(budget?.current() ?? null);
    },
  };
}

type CachingOptions = Required<
  Pick<RestBackendOptions, 'readCacheMs' | 'readCacheBytes' | 'shared' | 'onSharedFailure' | 'timeoutMs'>
>;

/** The invalidations of writes, null where no gateway has a cache, and the bounds of what this gateway keeps. */
function readCachingOf({
  readCacheMs: keptMs,
  readCacheBytes: maxBytes,
  shared,
  onSharedFailure,
  timeoutMs,
}: CachingOptions) {
  const isCaching = keptMs > 0 && maxBytes > 0;
  // A gateway without a cache also invalidates, where other gateways may have a cache.
  const isInvalidating = isCaching || shared !== null;
  const invalidations = isInvalidating
    ? createInvalidations({ shared, onFailure: onSharedFailure, timeoutMs, keptMs })
    : null;
  return {
    invalidations,
    kept: isCaching ? { invalidations, maxAgeMs: keptMs, maxBytes } : { invalidations: null, maxAgeMs: 0, maxBytes },
  };
}

/** The reads that decide on writes. A job reads its articles just before it writes them, and not again for `hidden`. */
const createArticleReads =
  (cacheOf: (caller: Caller) => RequestCache, knownHidden: KnownHidden | null): Backend['articlesOfUpdates'] =>
  async (caller, updates, selection) => {
    const begunAt = performance.now();
    const articles = await readArticlesOfUpdates(cacheOf(caller), updates, selection);
    if (caller.isBackground && articles.ok) knownHidden?.addRead(caller, articles.value, begunAt);
    return articles;
  };

function createReads(cacheOf: (caller: Caller) => RequestCache) {
  /** Reads something for each key, or one page for each parent. */
  const forEach =
    <K, V, P extends readonly unknown[]>(read: (cache: RequestCache, key: K, ...page: P) => BackendResult<V>) =>
    (caller: Caller, keys: readonly K[], ...page: P): Promise<readonly Result<V, BackendError>[]> => {
      const cache = cacheOf(caller);
      return Promise.all(keys.map((key) => read(cache, key, ...page)));
    };
  /** Reads once for all keys. */
  const once =
    <A extends readonly unknown[], R>(read: (cache: RequestCache, ...args: A) => R) =>
    (caller: Caller, ...args: A): R =>
      read(cacheOf(caller), ...args);

  return {
    projectVersions: once(listProjectVersions),
    teamAccounts: forEach(readTeamAccount),
    listTeamAccounts: once(readTeamAccountPage),
    articles: once(readArticles),
    articleBySlug: once(readArticleBySlug),
    articlesWithTitles: once(readArticlesWithTitles),
    listArticles: once(readMatchingArticles),
    articlesOfCategories: forEach(readArticlesOfCategory),
    articleVersions: forEach(readArticleVersions),
    articleTranslations: once(readTranslations),
    defaultLanguageTimes: forEach(readDefaultLanguageTime),
    rootCategories: once(readRootCategories),
    categories: forEach(readCategory),
    childCategories: forEach(readChildCategories),
    categoriesOfArticles: once(readCategoriesOfArticles),
    readerGroups: once(readReaderGroups),
    listReaderGroups: once(readReaderGroupPage),
    readers: forEach(readReader),
    listReaders: once(readReaderPage),
    readersOfGroups: forEach(readReadersOfGroup),
    invitedSsoUsers: forEach(readInvitedSsoUser),
    listInvitedSsoUsers: once(readInvitedSsoUserPage),
    groupIdsOfReaders: async (_caller: Caller, readers: readonly Reader[]) =>
      readers.map(({ groupIds }) => ok(groupIds ?? [])),
    groupsOfReaders: once(readGroupsOfReaders),
  };
}
