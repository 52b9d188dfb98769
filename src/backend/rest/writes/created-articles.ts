import { MAX_CANDIDATES } from '../../../base/limits.ts';
import { allOk } from '../../../base/result.ts';
import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  placeOf,
  unknownCreation,
} from '../../../domain/articles/article-creations.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import { serviceTimeOf } from '../../../v2/rate-limit.ts';
import type { RequestResult, ServiceCall } from '../calls/service-call.ts';
import { createTitleSearch, readArticle } from '../reads/articles.ts';
import { createRequestCaches, type RequestCacheOptions } from '../reads/request-cache.ts';

/** An item that was sent, and whose outcome no answer tells. */
export interface UntoldCreation {
  readonly kind: 'not-told';
  readonly details: string | null;
  /** `performance.now()` when its call began. */
  readonly beganAt: number;
}

interface LookupOptions extends Omit<RequestCacheOptions, 'readCache'> {
  readonly caller: Caller;
}

/**
 * Looks for the articles of the items whose outcome is not told: see docs/contract.md, "Creating articles". Its
 * reads pass the read cache by.
 */
export function lookForCreated(
  { caller, ...options }: LookupOptions,
  items: readonly ArticleCreation[],
  outcomes: readonly (CreationOutcome | UntoldCreation)[],
): Promise<readonly CreationOutcome[]> {
  const clock = createServiceClock(options.upstream);
  const cache = createRequestCaches({ ...options, upstream: clock, readCache: null })(caller);
  const search = createTitleSearch(cache);
  const places = countEach(items.map(placeOf));
  const lookFor = async (item: ArticleCreation, { details, beganAt }: UntoldCreation): Promise<CreationOutcome> => {
    const titled = await search(item);
    if (!titled.ok) return unknownCreation(details);
    const drafts = titled.value.filter((article) => isFirstDraft(article) && article.categoryId === item.categoryId);
    const isReadable = places.get(placeOf(item)) === 1 && drafts.length <= MAX_CANDIDATES;
    const reads = allOk(
      await Promise.all(
        (isReadable ? drafts : []).map(({ articleId, languageCode }) =>
          readArticle(cache, { articleId, languageCode }),
        ),
      ),
    );
    if (!reads.ok) return unknownCreation(details);
    const earliest = clock.latestAt(beganAt) - TOLERANCE_MS;
    const [article, ...others] = reads.value.filter((read) => isAsSent(read, item, earliest));
    return article && others.length === 0
      ? { kind: 'created', details: null, articleId: article.articleId, evidence: 'READ_BACK' }
      : unknownCreation(details, newestFirst(titled.value));
  };
  return Promise.all(
    outcomes.map((outcome, index) => {
      const item = items[index];
      return outcome.kind === 'not-told' ? (item ? lookFor(item, outcome) : unknownCreation(outcome.details)) : outcome;
    }),
  );
}

const isFirstDraft = ({ versionNumber, latestVersionNumber, publicVersionNumber }: Article): boolean =>
  versionNumber === 1 && (latestVersionNumber ?? 1) === 1 && publicVersionNumber === null;

/** How much earlier than its call an article may seem to be created. */
const TOLERANCE_MS = 5_000;

/** True for an article that nobody but the call can have created. `earliest` is in milliseconds since 1970. */
function isAsSent(article: Article | null, item: ArticleCreation, earliest: number): article is Article {
  const content = article?.contentType === 'WYSIWYG' ? article.htmlContent : article?.content;
  return (
    article !== null &&
    isFirstDraft(article) &&
    article.title === item.title &&
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
