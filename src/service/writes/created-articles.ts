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
import { isSameId } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { createTitleSearch, readArticle } from '../reads/articles.ts';
import { RequestCache, type RequestCacheOptions } from '../reads/request-cache.ts';
import type { CreationAttempt, CreationAttempts } from './creation-attempts.ts';
import { looksWithin } from './looks.ts';
import { createServiceClock, TOLERANCE_MS } from './service-clock.ts';

interface LookupOptions extends Omit<RequestCacheOptions, 'readCache'> {
  readonly caller: Caller;
  readonly attempts: CreationAttempts;
  /** `performance.now()` since which `attempts` has all creates of this gateway. */
  readonly startedAt: number;
  readonly lookPausesMs: readonly number[];
}

interface Finding {
  readonly outcome: CreationOutcome;
  /** True where another look would have the same finding. */
  readonly isFinal: boolean;
}

/** The time of the request that a further look needs, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Looks for the articles of items with an unknown outcome, several times while the request lasts, since lists may be
 * late: see docs/contract.md, "Creating articles". Its reads bypass the read cache.
 */
export async function findCreated(
  { lookPausesMs, ...options }: LookupOptions,
  items: readonly ArticleCreation[],
  outcomes: readonly CreationOutcome[],
): Promise<readonly CreationOutcome[]> {
  const places = countEach(items.map(placeOf));
  let found = outcomes.map((outcome): Finding => ({ outcome, isFinal: outcome.kind !== 'unknown' }));
  if (found.every(({ isFinal }) => isFinal)) return outcomes;
  for await (const _ of looksWithin(options.caller, lookPausesMs, LOOK_MS)) {
    const look = createLook(options);
    found = await Promise.all(
      found.map(({ outcome, isFinal }, index) => {
        const item = items[index];
        if (isFinal || outcome.kind !== 'unknown' || item === undefined) return { outcome, isFinal: true };
        return look(item, outcome, places.get(placeOf(item)) === 1);
      }),
    );
    if (found.every(({ isFinal }) => isFinal)) break;
  }
  return found.map(({ outcome }) => outcome);
}

/** Where its reads fail, an item keeps its known candidates. */
function createLook({ caller, attempts, startedAt, ...options }: Omit<LookupOptions, 'lookPausesMs'>) {
  const clock = createServiceClock(options.upstream);
  const cache = new RequestCache({ ...options, upstream: clock, readCache: null }, caller);
  const search = createTitleSearch(cache);
  /** The articles that the create may have made; none where one can't be read. */
  const readSent = async (item: ArticleCreation, { beganAt }: CreationAttempt, drafts: readonly Article[]) => {
    const reads = allOk(
      await Promise.all(drafts.map(({ articleId, languageCode }) => readArticle(cache, { articleId, languageCode }))),
    );
    // What was created before this process may have been reported by the one before it.
    const earliest = Math.max(clock.latestAt(beganAt) - TOLERANCE_MS, clock.latestAt(startedAt));
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
        isFirstDraft(article) &&
        isSameId(article.categoryId, item.categoryId) &&
        !attempts.isReported(article.articleId),
    );
    const isClear = isOnlyOfPlace && item.categoryId != null && drafts.length <= MAX_CANDIDATES;
    if (attempt === undefined || !isClear || !(await mayHaveNoRival(attempts, attempt)))
      return { outcome: unknown, isFinal: titled.value.length > 0 };
    const [article, ...others] = await readSent(item, attempt, drafts);
    if (article && others.length === 0 && attempts.tryClaim(attempt, article.articleId))
      return createdBy(article.articleId);
    return { outcome: unknown, isFinal: others.length > 0 };
  };
}

/**
 * False where another create has an unknown outcome or goes through another gateway. That is asked after the search: a
 * gateway whose create has made a listed article had announced it before.
 */
const mayHaveNoRival = async (attempts: CreationAttempts, attempt: CreationAttempt): Promise<boolean> =>
  attempts.rivalsOf(attempt) !== 'unknown' && attempt.isOnlyOne(attempt.place);

const createdBy = (articleId: string): Finding => ({
  outcome: { kind: 'created', details: null, articleId, evidence: 'READ_BACK' },
  isFinal: true,
});

const isFirstDraft = ({ versionNumber, latestVersionNumber, publicVersionNumber }: Article): boolean =>
  versionNumber === 1 && (latestVersionNumber ?? 1) === 1 && publicVersionNumber === null;

/** True for an article that the call, or an equal one, has created. `earliest` is in milliseconds since 1970. */
function isAsSent(article: Article | null, item: ArticleCreation, earliest: number): article is Article {
  const content = article?.contentType === 'WYSIWYG' ? article.htmlContent : article?.content;
  return (
    article !== null &&
    isFirstDraft(article) &&
    titleOf({ title: article.title ?? '' }) === titleOf(item) &&
    isSameId(article.categoryId, item.categoryId) &&
    isSameId(article.createdBy, item.userId) &&
    (content ?? '') === (item.content ?? '') &&
    (article.createdAt?.getTime() ?? 0) >= earliest
  );
}

/** Sorts the articles. One that is in several categories is listed once. */
const newestFirst = (articles: readonly Article[]) =>
  [...new Map(articles.map((article) => [article.articleId, article])).values()]
    .sort((one, other) => (other.modifiedAt?.getTime() ?? 0) - (one.modifiedAt?.getTime() ?? 0))
    .slice(0, MAX_CANDIDATES)
    .map(({ articleId, languageCode }) => ({ articleId, languageCode }));
