import { setTimeout } from 'node:timers/promises';
import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  placeOf,
  titleOf,
  type UnknownCreation,
} from '../../core/articles/article-creations.ts';
import type { Article } from '../../core/articles/articles.ts';
import { MAX_CANDIDATES } from '../../core/base/limits.ts';
import { allOk } from '../../core/base/result.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { RequestResult, ServiceCall } from '../calls/service-call.ts';
import { createTitleSearch, readArticle } from '../reads/articles.ts';
import { RequestCache, type RequestCacheOptions } from '../reads/request-cache.ts';
import { serviceTimeOf } from '../v2/rate-limit.ts';
import type { CreationAttempt, CreationAttempts } from './creation-attempts.ts';

interface LookupOptions extends Omit<RequestCacheOptions, 'readCache'> {
  readonly caller: Caller;
  readonly attempts: CreationAttempts;
  /** True where other gateways may make equal creates: what is found may then be theirs, and stays unknown. */
  readonly hasPeers: boolean;
  readonly lookPausesMs: readonly number[];
}

/** What one look has found of an item. */
interface Finding {
  readonly outcome: CreationOutcome;
  /** True where another look would find nothing else. */
  readonly isFinal: boolean;
}

/** The time of the request that a further look takes, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Looks for the articles of the items whose outcome is unknown, several times while the request lasts, since lists may lag:
 * see docs/contract.md, "Creating articles". Its reads pass the read cache by.
 */
export async function findCreated(
  { lookPausesMs, ...options }: LookupOptions,
  items: readonly ArticleCreation[],
  outcomes: readonly CreationOutcome[],
): Promise<readonly CreationOutcome[]> {
  const places = countEach(items.map(placeOf));
  let found = outcomes.map((outcome): Finding => ({ outcome, isFinal: outcome.kind !== 'unknown' }));
  for (const pauseMs of [0, ...lookPausesMs]) {
    if (found.every(({ isFinal }) => isFinal)) break;
    if (pauseMs > 0 && timeLeft(options.caller) < pauseMs + LOOK_MS) break;
    await setTimeout(pauseMs);
    const look = createLook(options);
    found = await Promise.all(
      found.map(({ outcome, isFinal }, index) => {
        const item = items[index];
        if (isFinal || outcome.kind !== 'unknown' || item === undefined) return { outcome, isFinal: true };
        return look(item, outcome, places.get(placeOf(item)) === 1);
      }),
    );
  }
  return found.map(({ outcome }) => outcome);
}

/** Where its reads fail, an item keeps the candidates that it has. */
function createLook({ caller, attempts, hasPeers, ...options }: Omit<LookupOptions, 'lookPausesMs'>) {
  const clock = createServiceClock(options.upstream);
  const cache = new RequestCache({ ...options, upstream: clock, readCache: null }, caller);
  const search = createTitleSearch(cache);
  /** Those that the create may have made; none where one cannot be read. */
  const readSent = async (item: ArticleCreation, { beganAt }: CreationAttempt, drafts: readonly Article[]) => {
    const reads = allOk(
      await Promise.all(drafts.map(({ articleId, languageCode }) => readArticle(cache, { articleId, languageCode }))),
    );
    const earliest = clock.latestAt(beganAt) - TOLERANCE_MS;
    return reads.ok ? reads.value.filter((article) => isAsSent(article, item, earliest)) : [];
  };
  return async (item: ArticleCreation, outcome: UnknownCreation, isOnlyOfPlace: boolean): Promise<Finding> => {
    const attempt = outcome.attemptId === undefined ? undefined : attempts.find(outcome.attemptId);
    if (attempt?.articleId != null) return createdBy(attempt.articleId);
    const titled = await search(item);
    if (!titled.ok) return { outcome, isFinal: false };
    const unknown = { ...outcome, candidates: newestFirst(titled.value) };
    const drafts = titled.value.filter(
      (article) =>
        isFirstDraft(article) && article.categoryId === item.categoryId && !attempts.isReported(article.articleId),
    );
    const rivals = attempt === undefined || hasPeers || !isOnlyOfPlace ? 'unknown' : attempts.rivalsOf(attempt);
    if (attempt === undefined || rivals === 'unknown' || item.categoryId == null || drafts.length > MAX_CANDIDATES)
      return { outcome: unknown, isFinal: titled.value.length > 0 };
    const [article, ...others] = await readSent(item, attempt, drafts);
    if (article && others.length === 0 && attempts.tryClaim(attempt, article.articleId))
      return createdBy(article.articleId);
    return { outcome: unknown, isFinal: others.length > 0 };
  };
}

const createdBy = (articleId: string): Finding => ({
  outcome: { kind: 'created', details: null, articleId, evidence: 'READ_BACK' },
  isFinal: true,
});

const isFirstDraft = ({ versionNumber, latestVersionNumber, publicVersionNumber }: Article): boolean =>
  versionNumber === 1 && (latestVersionNumber ?? 1) === 1 && publicVersionNumber === null;

/** How much earlier than its call an article may seem to be created. */
const TOLERANCE_MS = 5_000;

/** True for an article that the call, or an equal one, has created. `earliest` is in milliseconds since 1970. */
function isAsSent(article: Article | null, item: ArticleCreation, earliest: number): article is Article {
  const content = article?.contentType === 'WYSIWYG' ? article.htmlContent : article?.content;
  return (
    article !== null &&
    isFirstDraft(article) &&
    titleOf({ title: article.title ?? '' }) === titleOf(item) &&
    article.categoryId === item.categoryId &&
    article.createdBy === item.userId &&
    (content ?? '') === (item.content ?? '') &&
    (article.createdAt?.getTime() ?? 0) >= earliest
  );
}

/** An article that is in several categories is told once. */
const newestFirst = (articles: readonly Article[]) =>
  [...new Map(articles.map((article) => [article.articleId, article])).values()]
    .sort((one, other) => (other.modifiedAt?.getTime() ?? 0) - (one.modifiedAt?.getTime() ?? 0))
    .slice(0, MAX_CANDIDATES)
    .map(({ articleId, languageCode }) => ({ articleId, languageCode }));

/** A header `Date` is of the second in which it was made. */
const DATE_PRECISION_MS = 1_000;

/** Makes calls, and learns the service's clock from the answers. */
function createServiceClock(upstream: RequestCacheOptions['upstream']) {
  /** The most milliseconds that the service's clock may be ahead of `performance.now()`; null where no answer tells. */
  let lead: number | null = null;
  return {
    async send(caller: Caller, call: ServiceCall): Promise<RequestResult> {
      const sent = { at: 0 };
      const result = await upstream.send(caller, { ...call, sent });
      const time = result.ok ? serviceTimeOf(result.value.headers) : null;
      // The answer was made after its call was sent, so the clock was ahead by this or less.
      if (time !== null) lead = Math.max(lead ?? Number.NEGATIVE_INFINITY, time + DATE_PRECISION_MS - sent.at);
      return result;
    },
    /** The latest time that the service's clock may have shown at a `performance.now()`. */
    latestAt: (moment: number): number => (lead ?? Number.POSITIVE_INFINITY) + moment,
  };
}
