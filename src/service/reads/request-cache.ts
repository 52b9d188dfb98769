import type { PreviewSelection } from '../../core/articles/article-previews.ts';
import type { Article, ArticleVersion, Category, ProjectVersion } from '../../core/articles/articles.ts';
import type { BackendResult, LanguageOfList } from '../../core/backend.ts';
import type { Results } from '../../core/base/lazily.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idProblem } from '../../core/base/text.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, readsTooCostly } from '../../core/errors.ts';
import type { ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { NOTHING_FOUND, type PayloadResult, readPayload } from '../calls/read-response.ts';
import { notBegun, type ReadOperation, type RequestResult, type ServiceCall } from '../calls/service-call.ts';
import type { ReadCache } from '../read-cache/read-cache.ts';
import type { ReadOfArticle, RecentWrites } from '../recent-writes/recent-writes.ts';
import type { ArticleWithFallback, ListedArticle } from '../v2/articles.ts';
import type { ReaderEntry } from '../v2/readers.ts';
import type { SearchHits } from '../v2/text-search.ts';
import type { PageEntries } from './paging.ts';

/**
 * Makes the value of each key once. Values of objects are forgotten with them. Requests may use an object and its value
 * together, so no code may change either.
 */
class Once<K, V> {
  readonly #made: Results<K, V>;

  constructor(made: Results<K, V>) {
    this.#made = made;
  }

  has(key: K): boolean {
    return this.#made.get(key) !== undefined;
  }

  of(key: K, make: (key: K) => V): V {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    this.#made.set(key, made);
    return made;
  }
}

export interface CategoryBranch {
  readonly category: Category;
  readonly children: readonly Category[];
  /** Decodes the articles directly in the category, on first use. */
  readonly articles: () => BackendResult<readonly Article[]>;
}

/** An article of the tree. Its entry is decoded only where more than its category is needed. */
export interface ArticleInTree {
  readonly category: Category;
  readonly entry: unknown;
}

export interface ArticleList {
  readonly articles: ReadonlyMap<string, Article>;
  readonly language: LanguageOfList;
}

/**
 * All categories of a version and language with their articles. Only this call shows the category of an article: see
 * docs/service.md, "Categories".
 */
export interface CategoryTree {
  readonly roots: readonly Category[];
  readonly branches: ReadonlyMap<string, CategoryBranch>;
  readonly articles: ReadonlyMap<string, ArticleInTree>;
  readonly language: LanguageOfList;
}

/** The decoded form of each response. Equal calls of the service are decoded equally, so the call alone decides it. */
type DecodedOnce<T> = Once<PayloadResult, Promise<Result<T, BackendError>>>;

/** The decoded forms of responses. Each response is decoded once, however often the read cache uses it. */
class DecodedResponses {
  readonly articles: DecodedOnce<ArticleWithFallback | null> = new Once(new WeakMap());
  readonly articleVersions: DecodedOnce<readonly ArticleVersion[]> = new Once(new WeakMap());
  readonly articlePages: DecodedOnce<PageEntries<ListedArticle>> = new Once(new WeakMap());
  readonly searchHits: DecodedOnce<SearchHits> = new Once(new WeakMap());
  readonly categoryTrees: DecodedOnce<CategoryTree | null> = new Once(new WeakMap());
  readonly projectVersions: DecodedOnce<readonly ProjectVersion[]> = new Once(new WeakMap());
  readonly readerGroupPages: DecodedOnce<PageEntries<ReaderGroup>> = new Once(new WeakMap());
  readonly readerPages: DecodedOnce<PageEntries<ReaderEntry>> = new Once(new WeakMap());
  readonly readersById: Once<PageEntries<ReaderEntry>, ReadonlyMap<string, ReaderEntry>> = new Once(new WeakMap());
}

class ReadsOfRequest {
  calls = 0;
  /** Null where nothing is kept that the next read may use. */
  cache: RequestCache | null = null;
  readonly owner: RequestReads;

  constructor(owner: RequestReads) {
    this.owner = owner;
  }
}

/** The reads of each request at one backend. They are kept with the facts of the request, and end with them. */
export class RequestReads {
  of(caller: Caller): ReadsOfRequest {
    const known = this.#find(caller);
    if (known !== null) return known;
    const reads = new ReadsOfRequest(this);
    caller.request.kept.ofBackend = reads;
    return reads;
  }

  /** Reads in flight keep the cache that they began with, so that none of them fills the next one. */
  forget(caller: Caller): void {
    const reads = this.#find(caller);
    if (reads !== null) reads.cache = null;
  }

  #find({ request: { kept } }: Caller): ReadsOfRequest | null {
    const { ofBackend } = kept;
    return ofBackend instanceof ReadsOfRequest && ofBackend.owner === this ? ofBackend : null;
  }
}

export interface RequestCacheOptions {
  readonly requestReads: RequestReads;
  readonly upstream: Pick<Upstream, 'send'>;
  /** The most calls for the reads of one request. */
  readonly maxCalls: number;
  readonly readCache: ReadCache | null;
  /** The ticks in which large lists are decoded. */
  readonly ticks: TickQueue;
  readonly recentWrites?: RecentWrites;
}

type ReadOnce<T> = Once<string, BackendResult<T>>;

/** The reads of one request until it forgets them. Another request never sees them. */
export class RequestCache {
  readonly articleLists: ReadOnce<ArticleList | null> = new Once(new Map());
  readonly readerGroups: ReadOnce<ReaderGroup | null> = new Once(new Map());
  readonly readerLists: ReadOnce<ReadonlyMap<string, ReaderEntry>> = new Once(new Map());
  /** Reads the project versions where several requests share them. */
  projectVersions: PreviewSelection['projectVersions'];
  /** Other requests share these where they share the responses. */
  readonly decoded: DecodedResponses;
  readonly ticks: TickQueue;
  /** `performance.now()` when the first call was answered; null before. */
  #firstAnswerAt: number | null = null;
  readonly #options: RequestCacheOptions;
  readonly #caller: Caller;
  readonly #reads: ReadsOfRequest;
  readonly #payloads = new Map<string, Promise<PayloadResult>>();

  constructor(options: RequestCacheOptions, caller: Caller, decoded = new DecodedResponses()) {
    this.decoded = decoded;
    this.ticks = options.ticks;
    this.#options = options;
    this.#caller = caller;
    this.#reads = options.requestReads.of(caller);
  }

  /** Milliseconds since the first answer, which a read that waits for the rate limit leaves far behind. */
  get ageMs(): number {
    return performance.now() - (this.#firstAnswerAt ?? performance.now());
  }

  /** Fails where so many further calls would be too many for the request. */
  checkCalls(furtherCalls: number): Result<void, BackendError> {
    const calls = this.#reads.calls + furtherCalls;
    const { maxCalls } = this.#options;
    return calls > maxCalls ? err(readsTooCostly(calls, maxCalls)) : ok(undefined);
  }

  /** The article, with the gateway's own writes that the read does not show. */
  compared(article: Article, read: ReadOfArticle): Article {
    const { recentWrites } = this.#options;
    const unshown = recentWrites?.findUnshown(this.#caller, article, read) ?? null;
    const mayLackVersion = recentWrites?.mayLackVersion(this.#caller, article, read) ?? false;
    if (unshown === null && !mayLackVersion) return article;
    return { ...article, ...(unshown !== null && { unshown }), ...(mayLackVersion && { mayLackVersion }) };
  }

  /**
   * Reads each path with a query once. A read counts as one call of the request unless a cache has the response, and
   * fails where that would be too many.
   */
  get(path: ServiceCall['path'], query: ServiceCall['query'] = {}): Promise<PayloadResult> {
    const key = JSON.stringify([path, query]);
    const payload = this.#payloads.get(key) ?? this.#read(key, { kind: 'read', path, query });
    this.#payloads.set(key, payload);
    return payload;
  }

  async #read(name: string, call: ReadOperation): Promise<PayloadResult> {
    if (idsIn(call).some((id) => idProblem(id) !== null)) return NOTHING_FOUND;
    const { readCache } = this.#options;
    if (!readCache?.serves(this.#caller)) return this.#send(call).then(readPayload);
    return readCache.read({ caller: this.#caller, call, name, send: (sent) => this.#send(sent) });
  }

  async #send(call: ReadOperation): Promise<RequestResult> {
    const check = this.checkCalls(1);
    if (!check.ok) return err(notBegun(check.error));
    this.#reads.calls += 1;
    this.#caller.request.report.add({ kind: 'read-call' });
    const result = await this.#options.upstream.send(this.#caller, call);
    this.#firstAnswerAt ??= performance.now();
    return result;
  }
}

function idsIn({ path, query: { langCode } = {} }: ReadOperation): readonly string[] {
  const ids = path.flatMap((segment) => (typeof segment === 'string' ? [] : segment.id));
  return langCode === undefined ? ids : [...ids, `${langCode}`];
}

/** Finds the cache of the request of a caller. */
export function createRequestCaches(options: RequestCacheOptions): (caller: Caller) => RequestCache {
  const decoded = new DecodedResponses();
  return (caller) => {
    const reads = options.requestReads.of(caller);
    reads.cache ??= new RequestCache(options, caller, decoded);
    return reads.cache;
  };
}
