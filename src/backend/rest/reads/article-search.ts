import { ok, type Result } from '../../../base/result.ts';
import type { Article, ArticleKey, Edition, ProjectVersion } from '../../../domain/articles/articles.ts';
import { type ArticleUpdate, articleKeyOf, textKeyOf } from '../../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ListedField } from '../../../v2/listed-fields.ts';
import type { BackendResult } from '../../backend.ts';
import { mapInSteps, valueIfOffered } from '../calls/read-response.ts';
import { readListStart } from './article-lists.ts';
import { readInLanguage } from './articles.ts';
import { readCategoryTree } from './categories.ts';
import type { CategoryTree } from './category-trees.ts';
import { decodeListEntry, type ListedArticle, type ListStart } from './listed-articles.ts';
import { defaultOf } from './project-versions.ts';
import type { RequestCache } from './request-cache.ts';

/** An article that updates name, and what has to be known of it. */
export interface PreviewRequest {
  readonly key: ArticleKey;
  /** The listed properties that the updates set. */
  readonly fields: ReadonlySet<ListedField>;
  /** True where only a read of this one article tells everything: its text, or a version by its number. */
  readonly isSingle: boolean;
}

/** So few articles are read one by one: lists would cost as many calls. */
export const MAX_UNLISTED = 2;

/** One request for each article that the updates name, in the order of the updates, by `textKeyOf`. */
export async function requestsOf(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  withText: boolean,
): Promise<ReadonlyMap<string, PreviewRequest>> {
  const requests = new Map<string, PreviewRequest>();
  await mapInSteps(
    updates,
    (update) => {
      const name = textKeyOf(update);
      requests.set(name, mergeRequest(requests.get(name), update, withText));
    },
    { ticks: cache.ticks, entries: 0 },
  );
  const listed = requests.values().filter(({ isSingle }) => !isSingle);
  if ([...listed].length > MAX_UNLISTED) return requests;
  return new Map(requests.entries().map(([name, request]) => [name, { ...request, isSingle: true }]));
}

type Need = ListedField | 'article' | null;

/** The data of an article that each member of an update needs: a listed property, or the article itself. */
const NEEDS: ReadonlyMap<string, Need> = new Map<string, Need>(
  Object.entries({
    articleId: null,
    languageCode: null,
    title: 'title',
    content: 'article',
    htmlContent: 'article',
    categoryId: 'categoryId',
    hidden: 'hidden',
    versionNumber: 'article',
    translationStatus: 'translationStatus',
    // No read gives the stored source.
    source: null,
    order: 'order',
  } as const satisfies Record<keyof ArticleUpdate, Need>),
);

function mergeRequest(request: PreviewRequest | undefined, update: ArticleUpdate, withText: boolean): PreviewRequest {
  const fields = new Set(request?.fields);
  let isSingle = withText || request?.isSingle === true;
  for (const [member, value] of Object.entries(update)) {
    const need = value == null ? null : (NEEDS.get(member) ?? null);
    if (need === 'article') isSingle = true;
    else if (need !== null) fields.add(need);
  }
  return { key: articleKeyOf(update), fields, isSingle };
}

/**
 * The calls that the requests take where every article exists, and the fewest project versions have them: a read for
 * each single article, the list of project versions, an article list for each language, and a category tree for each
 * language in which articles move.
 */
export function expectedCalls(requests: readonly PreviewRequest[]): number {
  const singles = requests.filter(({ isSingle }) => isSingle);
  const listed = requests.filter(({ isSingle }) => !isSingle);
  const moved = requests.filter(({ fields }) => fields.has('categoryId'));
  const needsVersions = listed.length > 0 || requests.some(({ key }) => key.languageCode === undefined);
  return singles.length + (needsVersions ? 1 : 0) + fewestEditions(listed) + fewestEditions(moved);
}

/** The default language may be one of those that are named. */
function fewestEditions(requests: readonly PreviewRequest[]): number {
  const codes = new Set(requests.flatMap(({ key }) => key.languageCode ?? []));
  return requests.length === 0 ? 0 : Math.max(1, codes.size);
}

/** The requested articles that were found. An article that is in neither map does not exist. */
export interface Findings {
  /** Articles of which everything that was requested is known. */
  readonly known: Map<PreviewRequest, Article>;
  /** Articles that have to be read themselves. */
  readonly unread: Map<PreviewRequest, ArticleKey>;
}

/** The data that the service returns at once for the articles of one edition. */
interface Listing {
  readonly edition: Edition;
  readonly entries: ReadonlyMap<string, ListedArticle>;
  readonly tree: CategoryTree | null;
  /** False where there may be more articles. */
  readonly isWhole: boolean;
}

interface SearchScope {
  readonly requests: readonly PreviewRequest[];
  readonly editions: readonly Edition[];
  /** True where an article that is in none of the editions does not exist. */
  readonly isComplete: boolean;
  /** No further list is read for so few articles: they are left unread. */
  readonly maxUnlisted: number;
}

/** Finds articles in the lists of the editions that may have them. */
class ArticleSearch {
  readonly #cache: RequestCache;
  readonly #findings: Findings;
  #pending: readonly PreviewRequest[];
  #editions: readonly Edition[];
  #isComplete: boolean;
  readonly #maxUnlisted: number;
  readonly #probed = new Set<PreviewRequest>();

  constructor(cache: RequestCache, findings: Findings, scope: SearchScope) {
    this.#cache = cache;
    this.#findings = findings;
    this.#pending = scope.requests;
    this.#editions = scope.editions;
    this.#isComplete = scope.isComplete;
    this.#maxUnlisted = scope.maxUnlisted;
  }

  /** Lists the editions in their order, or the one that an article was found to be in, until all are found. */
  async run(): Promise<Result<void, BackendError>> {
    let next: Result<Edition | undefined, BackendError> = ok(this.#isOver() ? undefined : this.#editions[0]);
    while (next.ok && next.value !== undefined) {
      const edition = next.value;
      const listing = await readListing(this.#cache, edition, this.#pending);
      if (!listing.ok) return listing;
      this.#isComplete &&= listing.value.isWhole;
      this.#editions = this.#editions.filter((one) => one !== edition);
      this.#pending = this.#pending.filter((request) => !this.#find(request, listing.value));
      next = await this.#nextEdition();
    }
    if (!next.ok) return next;
    const isSearched = this.#isComplete && this.#editions.length === 0;
    if (!isSearched) for (const request of this.#pending) this.#findings.unread.set(request, request.key);
    return ok(undefined);
  }

  /** True where too few articles are left for a further list. */
  #isOver(): boolean {
    return this.#pending.length <= this.#maxUnlisted;
  }

  /**
   * Where several editions are left, reads one article to learn its project version, so that articles of one edition
   * are found in few calls, however many editions there are.
   */
  async #nextEdition(): BackendResult<Edition | undefined> {
    if (this.#isOver()) return ok(undefined);
    const [first, ...others] = this.#editions;
    const probe = this.#pending.find((request) => !this.#probed.has(request));
    if (first === undefined || others.length === 0 || probe === undefined) return ok(first);
    this.#probed.add(probe);
    const { articleId } = probe.key;
    const key = { articleId, languageCode: first.languageCode };
    // A 404 without a text says the same of an article as of a call that is not offered.
    const read = valueIfOffered(await readInLanguage(this.#cache, key), null);
    if (!read.ok) return read;
    const projectVersionId = read.value?.article.projectVersionId;
    return ok(this.#editions.find((edition) => edition.projectVersionId === projectVersionId) ?? first);
  }

  #find(request: PreviewRequest, { edition, entries, tree }: Listing): boolean {
    const { articleId } = request.key;
    const inTree = tree?.articles.get(articleId);
    const listed = entries.get(articleId) ?? (inTree ? decodeListEntry(inTree.entry, edition) : null);
    if (listed === null) return false;
    const categoryId = inTree?.category.categoryId;
    const isCategoryTold = categoryId !== undefined || !request.fields.has('categoryId');
    if (!request.isSingle && isCategoryTold && request.fields.isSubsetOf(listed.told)) {
      const article = { ...listed.article, ...edition, ...(categoryId !== undefined && { categoryId }) };
      this.#findings.known.set(request, article);
    } else {
      this.#findings.unread.set(request, { ...request.key, languageCode: edition.languageCode });
    }
    return true;
  }
}

/** Stands for the list of an edition that does not exist. */
const NO_ARTICLES: ListStart = { entries: [], isWhole: true };

/** Stands for the list of a service that has no such call. */
const NOT_LISTED: ListStart = { entries: [], isWhole: false };

/**
 * Reads the list of an edition, and its tree where the list does not tell enough of the requested articles: their
 * categories, or the articles behind those that fit into one answer. So an edition costs at most two calls.
 */
async function readListing(
  cache: RequestCache,
  edition: Edition,
  requests: readonly PreviewRequest[],
): BackendResult<Listing> {
  const list = valueIfOffered(await readListStart(cache, edition), NOT_LISTED);
  if (!list.ok) return list;
  const { entries: listed, isWhole } = list.value ?? NO_ARTICLES;
  const entries = new Map(listed.flatMap((entry) => (entry ? [[entry.article.articleId, entry]] : [])));
  const needsTree = requests.some(({ key, fields, isSingle }) =>
    entries.has(key.articleId) ? !isSingle && fields.has('categoryId') : !isWhole,
  );
  const tree = needsTree ? valueIfOffered(await readCategoryTree(cache, edition), null) : ok(null);
  return tree.ok ? ok({ edition, entries, tree: tree.value, isWhole }) : tree;
}

interface SearchRequest extends Pick<SearchScope, 'requests' | 'maxUnlisted'> {
  readonly versions: readonly ProjectVersion[];
}

/** Finds articles of any languages in the lists of the editions that may have them. */
export async function searchEditions(
  cache: RequestCache,
  findings: Findings,
  { requests, versions, maxUnlisted }: SearchRequest,
): BackendResult<void> {
  for (const [languageCode, group] of Map.groupBy(requests, ({ key }) => key.languageCode)) {
    const scope = { requests: group, maxUnlisted, ...editionsIn(versions, languageCode) };
    const search = await new ArticleSearch(cache, findings, scope).run();
    if (!search.ok) return search;
  }
  return ok(undefined);
}

/**
 * The editions in the language, or each in the default language of its project version, the default project version
 * first. A project version whose languages are not told may have any.
 */
function editionsIn(versions: readonly ProjectVersion[], languageCode: string | undefined) {
  const first = defaultOf(versions);
  const sorted = versions.toSorted((one, other) => Number(other === first) - Number(one === first));
  const editions = sorted.flatMap(({ projectVersionId, languages }): readonly Edition[] => {
    const code = languageCode ?? defaultOf(languages)?.code;
    const hasLanguage = languages.length === 0 || languages.some((language) => isSameCode(language.code, code));
    return code !== undefined && hasLanguage ? [{ projectVersionId, languageCode: code }] : [];
  });
  const areDefaultsKnown = versions.every(({ languages }) => languages.length > 0);
  return { editions, isComplete: versions.length > 0 && (languageCode !== undefined || areDefaultsKnown) };
}

const isSameCode = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase();
