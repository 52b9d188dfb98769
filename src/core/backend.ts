import type { ArticleCreation, CompletedCreation, CreationOutcome } from './articles/article-creations.ts';
import type { CompletedBulkUpdate } from './articles/article-outcomes.ts';
import type { PreviewSelection } from './articles/article-previews.ts';
import type {
  Article,
  ArticleKey,
  ArticleListRequest,
  ArticleSelection,
  ArticleSlug,
  ArticleVersion,
  Category,
  CategoryKey,
  ProjectVersion,
  TeamAccount,
} from './articles/articles.ts';
import type { ArticleUpdate } from './articles/bulk-updates.ts';
import type { CategoryCreation, CompletedCategoryCreation } from './articles/category-creations.ts';
import type { ArticleForks, ArticleUpdateItem, LostFork } from './articles/forks.ts';
import type { ArticlePublications } from './articles/publications.ts';
import type { PageOf, PageRequest } from './base/pages.ts';
import type { Result } from './base/result.ts';
import type { Caller } from './callers/caller.ts';
import type { BackendError } from './errors.ts';
import type { CallCount, RateLimit, ReservedCalls } from './rate-limit.ts';
import type {
  CompletedMembersUpdate,
  CompletedReaderGroupUpdate,
  MembersUpdate,
  ReaderGroupUpdate,
} from './reader-groups/reader-group-updates.ts';
import type { InvitedSsoUser, Reader, ReaderGroup, ReaderGroupSelection } from './reader-groups/reader-groups.ts';

export type BackendResult<T> = Promise<Result<T, BackendError>>;

/**
 * The names of methods whose promises are no results. Such a promise would be rejected where a read fails, which
 * callers would take for a bug of the gateway.
 */
export type WithoutResult<Port> = {
  [Name in keyof Port & string]: [ValueOf<Port[Name]>] extends [never]
    ? NonNullable<Port[Name]> extends (...args: never) => Promise<unknown>
      ? Name
      : never
    : never;
}[keyof Port & string];

export type PagesOf<Port> = Extract<
  { [Name in keyof Port]: ValueOf<Port[Name]> }[keyof Port],
  PageOf<unknown, unknown>
>;

/** The value in the results that a method promises. Never for other methods. */
type ValueOf<Method> =
  NonNullable<Method> extends (...args: never) => BackendResult<infer Value> | BatchResults<infer Value>
    ? Value
    : never;

/** A page of the port. Its total is a separate read, which may fail alone. */
export type Page<T> = PageOf<T, BackendResult<number>>;

/**
 * What the entries of a list show of its language. Where some entry names the requested one, those that name another are
 * stand-ins for missing translations, and are left out. Where none does, any entry may be one, and all stay.
 */
export interface LanguageOfList {
  readonly isProven: boolean;
  /** The number of entries that are left out. */
  readonly standIns: number;
}

/** A page of a list of articles. Without `language`, all of them are surely in the requested language. */
export interface ArticlePage extends Page<Article> {
  readonly language?: LanguageOfList;
}

/** One result per key, in the order of the keys, so that one failure does not hide the others. */
export type BatchResults<T> = Promise<readonly Result<T, BackendError>[]>;

/**
 * The port: everything that the gateway needs of a knowledge base. Every input has been validated by core. Expected
 * failures are values; a thrown error is a bug. Things that do not exist are null, never an error. A method with
 * `BatchResults` costs the embedded store one or two statements for any number of keys.
 */
export interface Backend extends Writes, ArticleReads, CategoryReads, ReaderReads {
  /** Checks the caller's token without a call to the service. It is called before any input is validated. */
  authenticate(caller: Caller): Result<void, BackendError>;
  /** Fails unless the service has accepted the token within the last hour. One call finds that out where it is not known. */
  requireKnown(caller: Caller): Promise<Result<void, BackendError>>;
  projectVersions(caller: Caller): BackendResult<readonly ProjectVersion[]>;
  /** Names the service or the store, the same for all gateways before it, without its address. Makes no call. */
  knowledgeBaseId(caller: Caller): BackendResult<string>;
  /** Lists the accounts in the order of the service, which has no total. */
  listTeamAccounts(caller: Caller, page: PageRequest): BackendResult<Page<TeamAccount>>;
  /** The known rate limit of the caller's token. Makes no call. */
  rateLimit(caller: Caller): BackendResult<RateLimit | null>;
  /**
   * Takes calls of the rate limit for a step of a job that reads before it writes (`Caller.reserved`). `too-costly`
   * where a whole window of the service has fewer than the least. Absent where calls cost nothing.
   */
  reserveCalls?(caller: Caller, wanted: CallCount): BackendResult<ReservedCalls>;
  /** Fails where the request would make too many calls for its reads, if it made so many more. Absent where reads cost nothing. */
  checkReadCalls?(caller: Caller, calls: number): Result<void, BackendError>;
  /**
   * Makes the request read anew what it reads from now on, as is needed between its write and the reads after it. Absent
   * where no read is kept for the next one.
   */
  forgetReads?(caller: Caller): void;
  /** Why no write stores the text; null where one can. Absent where only the service knows. Makes no call. */
  storedTextProblem?(kind: 'title' | 'description', text: string): string | null;
  teamAccounts(caller: Caller, userIds: readonly string[]): BatchResults<TeamAccount | null>;
  /**
   * Milliseconds by which a call of small bulk updates should be delayed, so that more of them are merged into it and
   * the rate limit of the token lasts. It is read once for each call. Absent where calls cost nothing.
   */
  smallCallDelayMs?(caller: Caller): number;
  /** Checks that the backend can be reached, without a request to the service. The error is the reason. */
  checkReady(): Promise<Result<void, string>>;
  /** Closes all connections and files. No method is called afterwards. */
  close(): Promise<void>;
}

export interface Writes {
  /** Takes at least one item. Fails only when no item can have an outcome of its own. */
  bulkUpdateArticles(caller: Caller, updates: readonly ArticleUpdateItem[]): BackendResult<CompletedBulkUpdate>;
  /** Copies versions as new drafts, whether they are published or not. The drafts are in the outcomes. */
  forkArticles(caller: Caller, forks: ArticleForks): BackendResult<CompletedBulkUpdate>;
  /** Takes at least one item. Each is created at most once: see docs/contract.md, "Creating articles". */
  createArticles(caller: Caller, items: readonly ArticleCreation[]): BackendResult<CompletedCreation>;
  /** Takes at least one item, all of whose parents exist. Each is created at most once. */
  createCategories(caller: Caller, items: readonly CategoryCreation[]): BackendResult<CompletedCategoryCreation>;
  /** Takes at least one item. An item whose article is in the requested state already is `updated`, as shown by a read. */
  publishArticles(caller: Caller, publications: ArticlePublications): BackendResult<CompletedBulkUpdate>;
  unpublishArticles(caller: Caller, publications: ArticlePublications): BackendResult<CompletedBulkUpdate>;
  /** Keeps what the update leaves out. Returns `rejected`, unsent, when that can't be kept (`keptScopeProblem`). */
  updateReaderGroup(caller: Caller, update: ReaderGroupUpdate): BackendResult<CompletedReaderGroupUpdate>;
  /**
   * Reads the whole group, applies the update (`applyMembersUpdate`) and writes the group, with no other update of it
   * by this gateway in between. Writes nothing when the update has no effect (`changesNothing`).
   */
  changeReaderGroupMembers(caller: Caller, update: MembersUpdate): BackendResult<CompletedMembersUpdate>;
}

/** The reads that become stale together: articles, lists and category trees, or groups, readers and invited users. */
export type ReadScope = 'articles' | 'groups';

/** The name of a write. Each one is declared in `core/writes/declarations.ts`. */
export type WriteName = keyof Writes;

/**
 * The name of a write that is a mutation. A fork is a step of others, or comes over REST. One that is left out here has no
 * cost and is in no test of all writes, so that it needs tests of its own.
 */
export type MutationName = Exclude<WriteName, 'forkArticles'>;

export type WriteInput<Name extends WriteName> = Parameters<Writes[Name]>[1];

export type WriteValue<Name extends WriteName> =
  Awaited<ReturnType<Writes[Name]>> extends Result<infer Value, BackendError> ? Value : never;

type Write<Name extends WriteName> = (caller: Caller, input: WriteInput<Name>) => BackendResult<WriteValue<Name>>;

/** `Writes`, in a form in which a write can be called by its name. */
export type WritesByName = { readonly [Name in WriteName]: Write<Name> };

interface ArticleReads {
  /** Reads articles; null for a missing translation, never the text of another language. The default selection is 'whole'. */
  articles(caller: Caller, keys: readonly ArticleKey[], selection?: ArticleSelection): BatchResults<Article | null>;
  /** Finds an article; null also when the project version or the language does not exist. */
  articleBySlug(caller: Caller, slug: ArticleSlug): BackendResult<Article | null>;
  /**
   * The article of each update before any of them; null where it does not exist. It has the members that its updates
   * set; over the service it may lack other texts and the category. Returns `too-costly` where too many calls would be
   * needed.
   */
  articlesOfUpdates(
    caller: Caller,
    updates: readonly ArticleUpdate[],
    selection: PreviewSelection,
  ): BackendResult<readonly (Article | null)[]>;
  /** The ID of an article that has the title and the category of the new one, in the default language; null without one. */
  articlesWithTitles(caller: Caller, items: readonly ArticleCreation[]): BatchResults<string | null>;
  /**
   * Looks again for the articles of creates with an unknown outcome: some may now be known as created, the others get
   * the current candidates. The outcomes are those of an earlier `createArticles` with the items.
   */
  lookForCreated(
    caller: Caller,
    items: readonly ArticleCreation[],
    outcomes: readonly CreationOutcome[],
  ): BackendResult<readonly CreationOutcome[]>;
  /** The draft that each fork has made; null where that is not sure: see docs/contract.md, "Published articles". */
  lookForForks(caller: Caller, forks: readonly LostFork[]): BatchResults<number | null>;
  /** Null when the project version, the language or the category does not exist. */
  listArticles(caller: Caller, request: ArticleListRequest, page: PageRequest): BackendResult<ArticlePage | null>;
  articlesOfCategories(caller: Caller, categories: readonly Category[], page: PageRequest): BatchResults<Page<Article>>;
  articleVersions(caller: Caller, articles: readonly Article[]): BatchResults<readonly ArticleVersion[]>;
  /** When the text in the default language was last changed, as lists report it; null where they do not. */
  defaultLanguageTimes(caller: Caller, articles: readonly Article[]): BatchResults<Date | null>;
  /** The latest version in each language, the article's own included, sorted by language code. */
  articleTranslations(caller: Caller, articles: readonly Article[]): BatchResults<readonly Article[]>;
}

interface CategoryReads {
  /** The top level of the category tree, sorted; null when the project version or the language does not exist. */
  rootCategories(
    caller: Caller,
    tree: { readonly projectVersionId: string; readonly languageCode?: string | undefined },
  ): BackendResult<readonly Category[] | null>;
  categories(caller: Caller, keys: readonly CategoryKey[]): BatchResults<Category | null>;
  childCategories(caller: Caller, parents: readonly Category[]): BatchResults<readonly Category[]>;
  categoriesOfArticles(caller: Caller, articles: readonly Article[]): BatchResults<Category | null>;
}

interface ReaderReads {
  /** The default selection is 'whole'. */
  readerGroups(
    caller: Caller,
    groupIds: readonly string[],
    selection?: ReaderGroupSelection,
  ): BatchResults<ReaderGroup | null>;
  listReaderGroups(
    caller: Caller,
    page: PageRequest,
    selection?: ReaderGroupSelection,
  ): BackendResult<Page<ReaderGroup>>;
  readers(caller: Caller, readerIds: readonly string[]): BatchResults<Reader | null>;
  listReaders(caller: Caller, emailContains: string | null, page: PageRequest): BackendResult<Page<Reader>>;
  readersOfGroups(caller: Caller, groups: readonly ReaderGroup[], page: PageRequest): BatchResults<Page<Reader>>;
  invitedSsoUsers(caller: Caller, invitationIds: readonly string[]): BatchResults<InvitedSsoUser | null>;
  /** Lists all invitations, also those without a group, sorted by invitation ID. */
  listInvitedSsoUsers(
    caller: Caller,
    emailContains: string | null,
    page: PageRequest,
  ): BackendResult<Page<InvitedSsoUser>>;
  /** The IDs of the groups of each reader, also where `Reader.groupIds` is null. */
  groupIdsOfReaders(caller: Caller, readers: readonly Reader[]): BatchResults<readonly string[]>;
  /** The groups may be summaries. Groups that no longer exist are left out of their page. */
  groupsOfReaders(caller: Caller, readers: readonly Reader[], page: PageRequest): BatchResults<Page<ReaderGroup>>;
}
