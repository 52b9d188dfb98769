import { MAX_CANDIDATES } from '../../../base/limits.ts';
import { mapFound, mapOk } from '../../../base/result.ts';
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
import type { BackendResult } from '../../backend.ts';
import type { RequestResult, ServiceCall } from '../calls/service-call.ts';
import { readAllArticles } from '../reads/article-lists.ts';
import { readArticle } from '../reads/articles.ts';
import { readArticlesOfAllCategories } from '../reads/categories.ts';
import { editionOf } from '../reads/project-versions.ts';
import { createRequestCaches, type RequestCache, type RequestCacheOptions } from '../reads/request-cache.ts';

/** An item that was sent, and whose outcome no answer tells. */
export interface UnknownCreation {
  readonly kind: 'not-told';
  readonly details: string;
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
  outcomes: readonly (CreationOutcome | UnknownCreation)[],
): Promise<readonly CreationOutcome[]> {
  const clock = new ServiceClock(options.upstream);
  const cache = createRequestCaches({ ...options, upstream: clock, readCache: null })(caller);
  const places = countEach(items.map(placeOf));
  const titles = new Map<string, ReturnType<typeof readByTitle>>();
  const lookFor = async (item: ArticleCreation, { details, beganAt }: UnknownCreation): Promise<CreationOutcome> => {
    const list = JSON.stringify([item.projectVersionId, item.categoryId == null]);
    const reading = titles.get(list) ?? readByTitle(cache, item);
    titles.set(list, reading);
    const byTitle = await reading;
    if (!byTitle.ok) return unknownCreation(details);
    const titled = byTitle.value.get(item.title) ?? [];
    const drafts = titled.filter((article) => isFirstDraft(article) && article.categoryId === item.categoryId);
    const isReadable = places.get(placeOf(item)) === 1 && drafts.length <= MAX_CANDIDATES;
    const reads = await Promise.all(
      (isReadable ? drafts : []).map(({ articleId, languageCode }) => readArticle(cache, { articleId, languageCode })),
    );
    if (reads.some(({ ok }) => !ok)) return unknownCreation(details);
    const earliest = clock.latestAt(beganAt) - TOLERANCE_MS;
    const found = reads.flatMap((read) => (read.ok && isAsSent(read.value, item, earliest) ? [read.value] : []));
    const [article] = found;
    return article !== undefined && found.length === 1
      ? { kind: 'created', details: null, articleId: article.articleId, evidence: 'READ_BACK' }
      : unknownCreation(details, newestFirst(titled));
  };
  return Promise.all(
    outcomes.map((outcome, index) => {
      const item = items[index];
      return outcome.kind === 'not-told' ? (item ? lookFor(item, outcome) : unknownCreation(outcome.details)) : outcome;
    }),
  );
}

/** The articles of the edition in which an item is created. A category tree lacks those that are in none. */
async function readByTitle(
  cache: RequestCache,
  { projectVersionId, categoryId }: ArticleCreation,
): BackendResult<ReadonlyMap<string | null, readonly Article[]>> {
  const edition = await editionOf(cache, { projectVersionId });
  if (!edition.ok || edition.value === null) return mapOk(edition, () => new Map());
  const articles =
    categoryId == null
      ? mapFound(await readAllArticles(cache, edition.value), (list) => [...list.values()])
      : await readArticlesOfAllCategories(cache, edition.value);
  return mapOk(articles, (found) => Map.groupBy(found ?? [], ({ title }) => title));
}

const isFirstDraft = ({ versionNumber, latestVersionNumber, publicVersionNumber }: Article): boolean =>
  versionNumber === 1 && (latestVersionNumber ?? 1) === 1 && publicVersionNumber === null;

/** How much earlier than its call an article may seem to be created. */
const TOLERANCE_MS = 5_000;

/** True for an article that nobody but the call can have created. `earliest` is in milliseconds since 1970. */
function isAsSent(article: Article | null, item: ArticleCreation, earliest: number): article is Article {
  if (article === null || !isFirstDraft(article)) return false;
  const content = article.contentType === 'WYSIWYG' ? article.htmlContent : article.content;
  return (
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
class ServiceClock {
  readonly #upstream: RequestCacheOptions['upstream'];
  /** The most milliseconds that the service's clock may be ahead of `performance.now()`. */
  #lead = Number.NEGATIVE_INFINITY;

  constructor(upstream: RequestCacheOptions['upstream']) {
    this.#upstream = upstream;
  }

  async send(caller: Caller, call: ServiceCall): Promise<RequestResult> {
    const sent = { at: 0 };
    const result = await this.#upstream.send(caller, { ...call, sent });
    const time = result.ok ? serviceTimeOf(result.value.headers) : null;
    // The answer was made after its call was sent, so the clock was ahead by this or less.
    if (time !== null) this.#lead = Math.max(this.#lead, time + DATE_PRECISION_MS - sent.at);
    return result;
  }

  /** The latest time that the service's clock may have shown at a `performance.now()`; infinite where no answer tells. */
  latestAt(moment: number): number {
    return this.#lead === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : this.#lead + moment;
  }
}
