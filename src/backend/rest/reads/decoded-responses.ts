import type { Article, ArticleVersion } from '../../../domain/articles/articles.ts';
import type { ProjectVersion } from '../../../domain/articles/project-versions.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { Result } from '../../../domain/result.ts';
import type { ArticleWithFallback } from '../../../v2/articles.ts';
import type { ReaderEntry } from '../../../v2/readers.ts';
import type { CategoryTree } from './category-trees.ts';
import type { ListStart } from './listed-articles.ts';
import type { PageEntries } from './paging.ts';
import type { PayloadResult } from './read-response.ts';

/** A result that may be there already. */
type Decoded<T> = Result<T, BackendError> | Promise<Result<T, BackendError>>;

/** Decodes a payload. Equal calls of the service decode theirs alike. */
type Decode<T> = (payload: PayloadResult) => Decoded<T>;

/** Decodes each response once, however many requests the read cache serves with it. Nobody may change what it returns. */
class DecodedOnce<T> {
  /** Forgets what was decoded together with its response. */
  readonly #decoded = new WeakMap<PayloadResult, Decoded<T>>();

  decode(payload: PayloadResult, decode: Decode<T>): Decoded<T> {
    const known = this.#decoded.get(payload);
    if (known !== undefined) return known;
    const decoded = decode(payload);
    this.#decoded.set(payload, decoded);
    return decoded;
  }
}

/** What the responses of one service were decoded to, by what was read. */
export class DecodedResponses {
  readonly articles = new DecodedOnce<ArticleWithFallback | null>();
  readonly articleVersions = new DecodedOnce<readonly ArticleVersion[]>();
  readonly articlePages = new DecodedOnce<PageEntries<Article>>();
  readonly articleListStarts = new DecodedOnce<ListStart | null>();
  readonly categoryTrees = new DecodedOnce<CategoryTree | null>();
  readonly projectVersions = new DecodedOnce<readonly ProjectVersion[]>();
  readonly readerGroupPages = new DecodedOnce<PageEntries<ReaderGroup>>();
  readonly readerPages = new DecodedOnce<PageEntries<ReaderEntry>>();
}
