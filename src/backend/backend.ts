import type {
  Article,
  ArticleFilter,
  ArticleKey,
  ArticleUpdate,
  ArticleVersion,
  BulkUpdate,
} from '../domain/articles/bulk-updates.ts';
import type { Category, CategoryKey } from '../domain/articles/categories.ts';
import type { ProjectVersion, RateLimit } from '../domain/articles/project-versions.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import type { Page, PageRequest } from '../domain/pages.ts';
import type { MembersChange, MembersChanged } from '../domain/reader-groups/reader-group-members.ts';
import type {
  ReaderGroup,
  ReaderGroupExtent,
  ReaderGroupUpdate,
  ReaderGroupUpdated,
} from '../domain/reader-groups/reader-group-updates.ts';
import type { InvitedSsoUser, Reader } from '../domain/reader-groups/readers.ts';
import type { Result } from '../domain/result.ts';

export type Answer<T> = Promise<Result<T, BackendError>>;

/** One result per key, in the order of the keys: one that fails does not hide the others. */
export type Answers<T> = Promise<readonly Result<T, BackendError>[]>;

/**
 * The port: what the gateway needs of a knowledge base, whoever keeps it. Every input has passed the rules of `domain/`
 * before it comes here. Expected failures are values; what is thrown is a bug.
 *
 * A batch method (`Answers`) costs the local store one statement, however many keys it is given. What does not exist is
 * null, never an error.
 */
export interface Backend extends Writes, ArticleReads, CategoryReads, ReaderReads {
  /** Whether the caller may ask at all, as far as can be told without asking the service. Checked before any input. */
  authenticate(caller: Caller): Result<void, BackendError>;
  /** True where the service is known, without a call, to have accepted the caller's token within the last hour. */
  isAccepted(caller: Caller): boolean;
  /** Asks the service, at most once at a time for a token, whether it accepts the caller's; ok at once where `isAccepted`. */
  verifyToken(caller: Caller): Promise<Result<void, BackendError>>;
  projectVersions(caller: Caller): Answer<readonly ProjectVersion[]>;
  /** What is known of the caller's budget without spending any of it. */
  rateLimit(caller: Caller): Answer<RateLimit | null>;
  /** Whether calls can be answered now; the reason where they can't. Sends the service no request. */
  checkReady(): Promise<Result<void, string>>;
  /** Ends what is open. No other method is called after it. */
  close(): Promise<void>;
}

interface Writes {
  /** At least one item. Fails only where no item can have an outcome of its own. */
  bulkUpdateArticles(caller: Caller, updates: readonly ArticleUpdate[]): Answer<BulkUpdate>;
  updateReaderGroup(caller: Caller, update: ReaderGroupUpdate): Answer<ReaderGroupUpdated>;
  /**
   * Reads the whole group, applies the change (`applyMembersChange`) and writes it back, with no other update of the
   * group by this gateway in between. A change that changes nothing (`changesNothing`) writes nothing. A group whose
   * access scope is UNRECOGNIZED can't be written back: `rejected`, nothing sent.
   */
  changeReaderGroupMembers(caller: Caller, change: MembersChange): Answer<MembersChanged>;
}

interface ArticleReads {
  /** A translation that does not exist is null, never the text of another language. */
  articles(caller: Caller, keys: readonly ArticleKey[]): Answers<Article | null>;
  /** Null where the project version, the language or the category does not exist. */
  listArticles(caller: Caller, filter: ArticleFilter, page: PageRequest): Answer<Page<Article> | null>;
  articlesOfCategories(caller: Caller, categories: readonly Category[], page: PageRequest): Answers<Page<Article>>;
  articleVersions(caller: Caller, articles: readonly Article[]): Answers<readonly ArticleVersion[]>;
  /** The latest version of each language, the article's own among them, by language code. */
  articleTranslations(caller: Caller, articles: readonly Article[]): Answers<readonly Article[]>;
}

interface CategoryReads {
  /** The top of the tree in its order; null where the project version or language does not exist. */
  rootCategories(
    caller: Caller,
    tree: { readonly projectVersionId: string; readonly languageCode?: string | undefined },
  ): Answer<readonly Category[] | null>;
  categories(caller: Caller, keys: readonly CategoryKey[]): Answers<Category | null>;
  childCategories(caller: Caller, parents: readonly Category[]): Answers<readonly Category[]>;
  categoriesOfArticles(caller: Caller, articles: readonly Article[]): Answers<Category | null>;
}

interface ReaderReads {
  /** Groups are whole unless no more than their heads is asked for. */
  readerGroups(caller: Caller, groupIds: readonly string[], extent?: ReaderGroupExtent): Answers<ReaderGroup | null>;
  listReaderGroups(caller: Caller, page: PageRequest, extent?: ReaderGroupExtent): Answer<Page<ReaderGroup>>;
  readers(caller: Caller, readerIds: readonly string[]): Answers<Reader | null>;
  listReaders(caller: Caller, emailContains: string | null, page: PageRequest): Answer<Page<Reader>>;
  readersOfGroups(caller: Caller, groups: readonly ReaderGroup[], page: PageRequest): Answers<Page<Reader>>;
  invitedSsoUsers(caller: Caller, invitationIds: readonly string[]): Answers<InvitedSsoUser | null>;
  /** By invitation ID, whether or not a group has them. */
  listInvitedSsoUsers(caller: Caller, emailContains: string | null, page: PageRequest): Answer<Page<InvitedSsoUser>>;
  /** Perhaps no more than the heads of the groups. */
  groupsOfReaders(caller: Caller, readers: readonly Reader[]): Answers<readonly ReaderGroup[]>;
}
