import type { Article, ArticleVersion } from '../../../domain/articles/articles.ts';
import type { ProjectVersion } from '../../../domain/articles/project-versions.ts';
import type { Caller, RequestReads } from '../../../domain/callers/caller.ts';
import { readsTooCostly } from '../../../domain/errors.ts';
import type { TickQueue } from '../../../domain/json/tick-queue.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import { err } from '../../../domain/result.ts';
import { pathIdProblem } from '../../../domain/text.ts';
import type { ArticleWithFallback } from '../../../v2/articles.ts';
import type { ReaderEntry } from '../../../v2/readers.ts';
import type { BackendResult } from '../../backend.ts';
import type { ServiceCall } from '../http/client.ts';
import type { Upstream } from '../upstream.ts';
import type { CategoryTree } from './category-trees.ts';
import type { PageEntries } from './paging.ts';
import { type PayloadResult, readPayload } from './read-response.ts';

/** Reads each key at most once. */
class ReadOnce<T> {
  #results: Map<string, BackendResult<T>> | null = null;

  read(key: string, read: () => BackendResult<T>): BackendResult<T> {
    this.#results ??= new Map();
    const result = this.#results.get(key) ?? read();
    this.#results.set(key, result);
    return result;
  }
}

/** The reads of one request since its last write. Another request never sees them. */
export class RequestCache {
  readonly articles = new ReadOnce<ArticleWithFallback | null>();
  readonly articleVersions = new ReadOnce<readonly ArticleVersion[]>();
  readonly articlePages = new ReadOnce<PageEntries<Article>>();
  readonly articleLists = new ReadOnce<ReadonlyMap<string, Article> | null>();
  readonly categoryTrees = new ReadOnce<CategoryTree | null>();
  readonly projectVersions = new ReadOnce<readonly ProjectVersion[]>();
  readonly readerGroups = new ReadOnce<ReaderGroup | null>();
  readonly readerGroupPages = new ReadOnce<PageEntries<ReaderGroup>>();
  readonly readerPages = new ReadOnce<PageEntries<ReaderEntry>>();
  readonly readerLists = new ReadOnce<ReadonlyMap<string, ReaderEntry>>();
  readonly ticks: TickQueue;
  readonly #send: (call: ServiceCall) => Promise<PayloadResult>;

  constructor(ticks: TickQueue, send: (call: ServiceCall) => Promise<PayloadResult>) {
    this.ticks = ticks;
    this.#send = send;
  }

  /** Counts as one call of the request, and fails where that would be too many. */
  get(path: ServiceCall['path'], query: ServiceCall['query'] = {}): Promise<PayloadResult> {
    return this.#send({ method: 'GET', path, query });
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
  readonly ticks: TickQueue;
}

export class RequestCaches {
  readonly #options: RequestCachesOptions;

  constructor(options: RequestCachesOptions) {
    this.#options = options;
  }

  forCaller(caller: Caller): RequestCache {
    const reads = this.#readsOf(caller);
    reads.cache ??= new RequestCache(this.#options.ticks, (call) => this.#send(caller, reads, call));
    return reads.cache;
  }

  #readsOf({ request }: Caller): CountedReads {
    const existing = request?.reads;
    if (existing instanceof CountedReads && existing.owner === this) return existing;
    const reads = new CountedReads(this);
    if (request) request.reads = reads;
    return reads;
  }

  async #send(caller: Caller, reads: CountedReads, call: ServiceCall): Promise<PayloadResult> {
    const { upstream, maxCalls } = this.#options;
    if (reads.calls >= maxCalls) return err(readsTooCostly(maxCalls + 1, maxCalls));
    reads.calls += 1;
    return readPayload(await upstream.send(caller, call));
  }
}

/** False where an ID cannot stand in a path, so that nothing with this ID exists. */
export const areValidPathIds = (...ids: readonly string[]): boolean => ids.every((id) => pathIdProblem(id) === null);
