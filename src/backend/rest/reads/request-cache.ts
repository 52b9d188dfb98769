import type { TickQueue } from '../../../base/json/tick-queue.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { pathIdProblem } from '../../../base/text.ts';
import type { Article, ArticleVersion, ProjectVersion } from '../../../domain/articles/articles.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { RequestReads } from '../../../domain/callers/request-record.ts';
import { type BackendError, readsTooCostly } from '../../../domain/errors.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { ArticleWithFallback } from '../../../v2/articles.ts';
import type { ReaderEntry } from '../../../v2/readers.ts';
import type { BackendResult } from '../../backend.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { type PayloadResult, readPayload } from '../calls/read-response.ts';
import type { RequestResult, ServiceCall } from '../calls/service-call.ts';
import type { ReadCache } from '../read-cache/read-cache.ts';
import type { ListStart } from './article-lists.ts';
import type { CategoryTree } from './categories.ts';
import type { PageEntries } from './paging.ts';

/** Reads each key at most once. */
class ReadOnce<T> {
  #results: Map<string, BackendResult<T>> | null = null;

  has(key: string): boolean {
    return this.#results?.has(key) ?? false;
  }

  read(key: string, read: () => BackendResult<T>): BackendResult<T> {
    this.#results ??= new Map();
    const result = this.#results.get(key) ?? read();
    this.#results.set(key, result);
    return result;
  }
}

/**
 * Values that are each made of an object, once, and forgotten with it. Many requests may share an object and its value, so
 * no code may change either.
 */
class MadeOnce<K extends object, V> {
  readonly #made = new WeakMap<K, V>();

  of(object: K, make: (object: K) => V): V {
    const known = this.#made.get(object);
    if (known !== undefined) return known;
    const made = make(object);
    this.#made.set(object, made);
    return made;
  }
}

/** The decoded form of each response. Equal calls of the service are decoded alike, so the call alone decides it. */
type DecodedOnce<T> = MadeOnce<PayloadResult, Result<T, BackendError> | Promise<Result<T, BackendError>>>;

/** The decoded forms of responses. Each response is decoded once, however often the read cache uses it. */
class DecodedResponses {
  readonly articles: DecodedOnce<ArticleWithFallback | null> = new MadeOnce();
  readonly articleVersions: DecodedOnce<readonly ArticleVersion[]> = new MadeOnce();
  readonly articlePages: DecodedOnce<PageEntries<Article>> = new MadeOnce();
  readonly articleListStarts: DecodedOnce<ListStart | null> = new MadeOnce();
  readonly categoryTrees: DecodedOnce<CategoryTree | null> = new MadeOnce();
  readonly projectVersions: DecodedOnce<readonly ProjectVersion[]> = new MadeOnce();
  readonly readerGroupPages: DecodedOnce<PageEntries<ReaderGroup>> = new MadeOnce();
  readonly readerPages: DecodedOnce<PageEntries<ReaderEntry>> = new MadeOnce();
  /** The entries of the whole list by their IDs. */
  readonly readersById = new MadeOnce<PageEntries<ReaderEntry>, ReadonlyMap<string, ReaderEntry>>();
}

/** The calls that one request makes, which are counted. */
interface RequestCalls {
  send(call: ServiceCall): PayloadResult | Promise<PayloadResult>;
  check(furtherCalls: number): Result<void, BackendError>;
}

interface RequestCacheOptions {
  readonly decoded: DecodedResponses;
  readonly ticks: TickQueue;
  readonly calls: RequestCalls;
}

/** The reads of one request since its last write. Another request never sees them. */
export class RequestCache {
  readonly articleLists = new ReadOnce<ReadonlyMap<string, Article> | null>();
  readonly readerGroups = new ReadOnce<ReaderGroup | null>();
  readonly readerGroupPages = new ReadOnce<PageEntries<ReaderGroup>>();
  readonly groupIdsByReader = new ReadOnce<ReadonlyMap<string, readonly string[]>>();
  readonly readerLists = new ReadOnce<ReadonlyMap<string, ReaderEntry>>();
  /** Other requests share these where they share the responses. */
  readonly decoded: DecodedResponses;
  readonly ticks: TickQueue;
  readonly #calls: RequestCalls;
  readonly #payloads = new Map<string, PayloadResult | Promise<PayloadResult>>();

  constructor({ decoded, ticks, calls }: RequestCacheOptions) {
    this.decoded = decoded;
    this.ticks = ticks;
    this.#calls = calls;
  }

  /** Fails where the request would make too many calls, if it made so many more. */
  checkCalls(furtherCalls: number): Result<void, BackendError> {
    return this.#calls.check(furtherCalls);
  }

  /**
   * Reads each path with a query once. It counts as one call of the request unless a cache has the response, and fails
   * where that would be too many.
   */
  get(path: ServiceCall['path'], query: ServiceCall['query'] = {}): PayloadResult | Promise<PayloadResult> {
    const key = JSON.stringify([path, query]);
    const payload = this.#payloads.get(key) ?? this.#calls.send({ kind: 'read', path, query });
    this.#payloads.set(key, payload);
    return payload;
  }
}

/** The cache of one request, and the calls that its reads have cost. */
class CountedReads implements RequestReads {
  readonly owner: RequestCaches;
  cache: RequestCache | null = null;
  calls = 0;

  constructor(owner: RequestCaches) {
    this.owner = owner;
  }

  /** The calls stay counted. Reads in flight keep the old cache, so that none of them fills the next one. */
  clear(): void {
    this.cache = null;
  }
}

interface RequestCachesOptions {
  readonly upstream: Upstream;
  /** The most calls for the reads of one request. */
  readonly maxCalls: number;
  /** Null where each read is a call. */
  readonly readCache: ReadCache | null;
  readonly ticks: TickQueue;
}

export class RequestCaches {
  readonly #options: RequestCachesOptions;
  readonly #decoded = new DecodedResponses();

  constructor(options: RequestCachesOptions) {
    this.#options = options;
  }

  forCaller(caller: Caller): RequestCache {
    const reads = this.#readsOf(caller);
    reads.cache ??= this.#createCache(caller, reads);
    return reads.cache;
  }

  #createCache(caller: Caller, reads: CountedReads): RequestCache {
    const { ticks, readCache } = this.#options;
    const send = (call: ServiceCall) => this.#send(caller, reads, call);
    const reader = readCache?.readerOf(caller);
    return new RequestCache({
      decoded: this.#decoded,
      ticks,
      calls: {
        send: (call) => (readCache && reader ? readCache.read({ reader, call, send }) : send(call).then(readPayload)),
        check: (furtherCalls) => this.#check(reads, furtherCalls),
      },
    });
  }

  #readsOf({ request }: Caller): CountedReads {
    const existing = request.reads;
    if (existing instanceof CountedReads && existing.owner === this) return existing;
    const reads = new CountedReads(this);
    request.reads = reads;
    return reads;
  }

  async #send(caller: Caller, reads: CountedReads, call: ServiceCall): Promise<RequestResult> {
    const check = this.#check(reads, 1);
    if (!check.ok) return err({ kind: 'not-begun', error: check.error });
    reads.calls += 1;
    return this.#options.upstream.send(caller, call);
  }

  #check({ calls }: CountedReads, furtherCalls: number): Result<void, BackendError> {
    const { maxCalls } = this.#options;
    return calls + furtherCalls > maxCalls ? err(readsTooCostly(calls + furtherCalls, maxCalls)) : ok(undefined);
  }
}

/** False where an ID cannot stand in a path, so that nothing with this ID exists. */
export const areValidPathIds = (...ids: readonly string[]): boolean => ids.every((id) => pathIdProblem(id) === null);
