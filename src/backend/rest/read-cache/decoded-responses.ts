import type { Result } from '../../../base/result.ts';
import type { Article, ArticleVersion } from '../../../domain/articles/articles.ts';
import type { ProjectVersion } from '../../../domain/articles/project-versions.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { ArticleWithFallback } from '../../../v2/articles.ts';
import type { ReaderEntry } from '../../../v2/readers.ts';
import type { CategoryTree } from '../reads/category-trees.ts';
import type { ListStart } from '../reads/listed-articles.ts';
import type { PageEntries } from '../reads/paging.ts';
import type { PayloadResult } from '../reads/read-response.ts';

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
export class DecodedResponses {
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
