import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Article, Category, Edition, ProjectVersion } from '../../core/articles/articles.ts';
import type { Backend, BackendResult, BatchResults } from '../../core/backend.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { createLogger } from '../../core/base/logger.ts';
import { serviceUrlOf } from '../../core/base/network.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { compareTexts } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { createRequestFacts } from '../../core/callers/request-facts.ts';
import type { BackendError } from '../../core/errors.ts';
import { DEFAULT_RETRY_AFTER_SECONDS, estimateEnd } from '../../core/rate-limit.ts';
import { openBackend } from '../../server/open-backend.ts';
import { userAgent } from '../../server/process/package-version.ts';
import { createProgressBar, printError } from '../../server/process/terminal.ts';
import { encodeReaderGroup } from '../../service/v2/reader-groups.ts';
import type { KnowledgeBaseEntries } from '../../store/knowledge-base/document.ts';
import { listProblems, withoutProblems } from '../../store/knowledge-base/file.ts';
import {
  type ImportedArticle,
  type ImportedVersion,
  importedVersion,
  type KnowledgeBase,
  OPTIONS_OF_STATUSES,
} from '../../store/knowledge-base/format.ts';
import { loadConfig } from '../load-config.ts';
import { openPartialFile, type PartialFile } from './partial-file.ts';

interface ServiceOptions {
  /** Overrides the settings. */
  readonly token: string | undefined;
  /** True where each article is read in each language, since lists have no texts. */
  readonly withTexts: boolean;
  readonly withReaders: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Opens the service of `UPSTREAM_URL` for an export to a file. What was read is kept beside it until the file is complete,
 * so that an interrupted export goes on.
 */
export async function openServiceSource(
  path: string,
  options: ServiceOptions,
  variables: Variables,
): Promise<Result<ServiceSource, string>> {
  const config = loadConfig({});
  if (!config.ok) return config;
  const { backend: service, log } = config.value;
  if (service.kind !== 'rest') return err('--from-service reads the service of UPSTREAM_URL, which is not set.');
  const apiToken = options.token || service.apiToken || variables['KB_API_TOKEN'] || '';
  if (!/^[\x21-\x7e]+$/u.test(apiToken))
    return err('set UPSTREAM_API_TOKEN or KB_API_TOKEN to a token of the service.');
  const url = serviceUrlOf(service.baseUrl);
  const partial = openPartialFile(`${path}.part`, `${url} ${createHash('sha256').update(apiToken).digest('hex')}`);
  if (!partial.ok) return partial;
  if (!partial.value.isEmpty())
    printError(`This goes on from what ${toPrintable(partial.value.path)} has. Remove it to begin anew.\n`);
  const backend = await openBackend({
    // Nothing is read twice, and an export takes as many calls as it takes.
    config: { ...service, readCacheMs: 0, maxReadCalls: Number.POSITIVE_INFINITY },
    userAgent: userAgent(),
    coalesceWrites: false,
    audit: null,
    apiTokens: [],
    log: createLogger({ level: log.level, write: printError }),
  });
  const { timeoutMs } = service;
  return ok(new ServiceSource({ ...options, backend, partial: partial.value, apiToken, timeoutMs, url }));
}

interface SourceOptions extends ServiceOptions {
  readonly backend: Backend;
  readonly partial: PartialFile;
  readonly apiToken: string;
  readonly timeoutMs: number;
  readonly url: string;
}

/** The longest that the pages of one list wait for the rate limit. */
const LIST_MS = 60 * 60_000;

/** How often a read is tried while the service cannot be reached, with so long a pause, and how long while it asks to wait. */
const [MAX_ATTEMPTS, PAUSE_MS, MAX_WAIT_MS] = [3, 2_000, 10 * 60_000];

const WHOLE_LIST = { limit: Number.POSITIVE_INFINITY, itemsOnly: true };

/** The service as a knowledge base. Its reads throw with a message for people. */
export class ServiceSource {
  readonly #options: SourceOptions;
  readonly #bar = createProgressBar('reading {step} [{bar}] {value} of {total}{status}', { alsoAsLines: true });
  /** What an import would refuse, or the service does not offer. */
  readonly #leftOut = new Set<string>();
  /** Its request keeps what it has read. */
  #caller: Caller | null = null;
  #callMs: number | null = null;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** Reads everything, and then lets it be used. */
  async read<T>(use: (entries: KnowledgeBaseEntries) => Promise<T>): Promise<T> {
    try {
      const base = await this.#lists();
      const listed = sorted(base.articles, ({ id }) => id).map(({ versions, ...article }) => ({
        ...article,
        versions: sorted(versions, ({ lang_code }) => lang_code),
      }));
      const entries = {
        ...base,
        articles: this.#options.withTexts ? await this.#withTexts(listed, base.team_accounts) : listed,
      };
      this.#bar.stop();
      return await use(entries);
    } finally {
      this.#bar.stop();
    }
  }

  async close(): Promise<void> {
    this.#options.partial.close();
    await this.#options.backend.close();
  }

  /** Removes what is kept for an interrupted export, and tells what the file lacks. */
  onPublished(): void {
    this.#options.partial.remove();
    if (this.#leftOut.size === 0) return;
    printError(`Left out:\n${listProblems([...this.#leftOut], String)}\n`);
  }

  async #lists(): Promise<KnowledgeBase> {
    const { backend, withReaders, url } = this.#options;
    const versions = await this.#part('project versions', async () =>
      versionEntries(await this.#call((caller) => backend.projectVersions(caller))),
    );
    // The default language tells what an article has in common in all languages, and the names of categories.
    const rank = ({ is_default }: JsonObject) => (is_default === true ? 0 : 1);
    const languages = entriesIn(versions, 'languages').toSorted((one, other) => rank(one) - rank(other));
    const total = languages.length + (withReaders ? 3 : 0);
    const parts: JsonObject[] = [versions];
    const add = async (key: string, read: () => Promise<JsonObject>) => {
      this.#bar.show(parts.length - 1, total, { step: 'lists', status: '' });
      parts.push(await this.#part(key, read));
    };
    for (const { project_version_id, code } of languages) {
      const edition = { projectVersionId: String(project_version_id), languageCode: String(code) };
      await add(JSON.stringify(edition), () => this.#edition(edition));
    }
    if (withReaders) {
      await add('team accounts', () => this.#teamAccounts());
      await add('readers', () => this.#readers());
      await add('reader groups', () => this.#readerGroups());
    }
    this.#bar.stop();
    const [base, problems] = withoutProblems({
      source: url,
      ...joined(parts, ['project_versions', 'languages', 'team_accounts']),
      ...joined(parts, ['readers', 'invited_sso_users', 'reader_groups']),
      categories: mergedById(parts, 'categories', (first) => first),
      articles: mergedById(parts, 'articles', (first, other) => ({
        ...first,
        public_version: { ...membersOf(first['public_version']), ...membersOf(other['public_version']) },
        versions: [...entriesIn(first, 'versions'), ...entriesIn(other, 'versions')],
      })),
    });
    for (const problem of problems) this.#leftOut.add(problem);
    return base;
  }

  /** A part of the knowledge base, which an interrupted export may have read. */
  async #part(key: string, read: () => Promise<JsonObject>): Promise<JsonObject> {
    const { partial } = this.#options;
    const known = partial.get(key);
    if (isObject(known)) return known;
    this.#caller = null;
    const part = await read();
    partial.set(key, part);
    return part;
  }

  async #edition(edition: Edition): Promise<JsonObject> {
    const { backend } = this.#options;
    const { projectVersionId: project_version_id } = edition;
    const categories: Category[] = [];
    let level = (await this.#call((caller) => backend.rootCategories(caller, edition), [])) ?? [];
    while (level.length > 0) {
      // An entry may name its language in another way than the list that it is in.
      const parents = level.map((category) => ({ ...category, ...edition }));
      for (const category of parents) categories.push(category);
      level = (await this.#call((caller) => all(backend.childCategories(caller, parents)))).flat();
    }
    // Such an order reads the whole list with the fewest calls.
    const request = { ...edition, orderBy: 'TITLE' } as const;
    const page = await this.#call((caller) => backend.listArticles(caller, request, WHOLE_LIST));
    const articles = page?.edges.map(({ node }) => ({ ...node, ...edition })) ?? [];
    const places = await this.#call((caller) => all(backend.categoriesOfArticles(caller, articles)), []);
    return {
      categories: categories.map(({ categoryId: id, parentCategoryId: parent_category_id, name, order }) => ({
        ...{ id, project_version_id, parent_category_id, name, order: positive(order) },
      })),
      articles: articles.map((article, index) => ({
        ...{ id: article.articleId, project_version_id, category_id: places[index]?.categoryId ?? null },
        ...{ slug: article.slug, order: positive(article.order), hidden: article.hidden },
        content_type: article.contentType?.toLowerCase() ?? 'markdown',
        url: article.url,
        public_version: isPublic(article) ? { [edition.languageCode]: article.versionNumber } : {},
        versions: [versionEntry(article)],
      })),
    };
  }

  async #teamAccounts(): Promise<JsonObject> {
    const { backend } = this.#options;
    const accounts = await this.#call((caller) => backend.listTeamAccounts(caller, WHOLE_LIST), null);
    return {
      team_accounts: accounts?.edges.map(({ node: { userId, firstName, lastName } }) => ({
        ...{ user_id: userId, first_name: firstName, last_name: lastName },
      })),
    };
  }

  async #readers(): Promise<JsonObject> {
    const { backend } = this.#options;
    const readers = await this.#call((caller) => backend.listReaders(caller, null, WHOLE_LIST), null);
    const invited = await this.#call((caller) => backend.listInvitedSsoUsers(caller, null, WHOLE_LIST), null);
    return {
      readers: readers?.edges.map(({ node: { readerId, firstName, lastName, email } }) => ({
        ...{ reader_id: readerId, first_name: firstName, last_name: lastName, email },
      })),
      invited_sso_users: invited?.edges.map(({ node }) => ({ invitation_id: node.invitationId, email: node.email })),
    };
  }

  async #readerGroups(): Promise<JsonObject> {
    const { backend } = this.#options;
    const groups = await this.#call((caller) => backend.listReaderGroups(caller, WHOLE_LIST), null);
    return { reader_groups: groups?.edges.map(({ node }) => encodeReaderGroup(node)) };
  }

  /** Reads each article in each language by a call of its own. What is gone by now is left out. */
  async #withTexts(
    articles: readonly ImportedArticle[],
    accounts: KnowledgeBase['team_accounts'],
  ): Promise<readonly ImportedArticle[]> {
    const isAccount = (userId: string) => accounts.some(({ user_id }) => user_id === userId);
    const total = articles.reduce((sum, { versions }) => sum + versions.length, 0);
    const found: ImportedArticle[] = [];
    let done = 0;
    for (const article of articles) {
      const versions: ImportedVersion[] = [];
      for (const { lang_code } of article.versions) {
        this.#bar.show(done, total, { step: 'texts', status: await this.#status(total - done) });
        const { version } = await this.#part(JSON.stringify([article.id, lang_code]), () =>
          this.#text(article, lang_code),
        );
        const parsed = importedVersion.safeParse(version);
        if (parsed.success) versions.push(withAccounts(parsed.data, isAccount));
        else if (version !== null)
          this.#leftOut.add(`articles ${article.id}: its text in ${lang_code} cannot be stored`);
        done += 1;
      }
      if (versions.length > 0) found.push(withPublicVersions({ ...article, versions }));
    }
    return found;
  }

  async #text({ id: articleId }: ImportedArticle, languageCode: string): Promise<JsonObject> {
    const { backend } = this.#options;
    const read = (caller: Caller) => all(backend.articles(caller, [{ articleId, languageCode }]));
    // Such a call leaves some of the rate limit to others, and fails instead of waiting for it.
    const [article] = await this.#call((caller) => read({ ...caller, isBackground: true }));
    return { version: article ? versionEntry({ ...article, languageCode }) : null };
  }

  async #status(pending: number): Promise<string> {
    const rateLimit = await this.#options.backend.rateLimit(callerOf(this.#options));
    const known = { rateLimit: rateLimit.ok ? rateLimit.value : null, callMs: this.#callMs, now: Date.now() };
    return ` | ends about ${new Date(estimateEnd({ calls: pending, ...known })).toLocaleTimeString('en-GB')}`;
  }

  /** Tries a read until it succeeds, or there is no use in it. */
  async #call<T>(read: (caller: Caller) => BackendResult<T>, ifNotOffered?: T): Promise<T> {
    const begunAt = performance.now();
    for (let failures = 0; ; ) {
      const startedAt = performance.now();
      this.#caller ??= callerOf(this.#options);
      const result = await read(this.#caller);
      this.#callMs = performance.now() - startedAt;
      if (result.ok) return result.value;
      const { error } = result;
      // Its request keeps the failure.
      this.#caller = null;
      if (error.kind === 'not-offered' && ifNotOffered !== undefined) {
        this.#leftOut.add(error.message);
        return ifNotOffered;
      }
      if (error.kind === 'unavailable') failures += 1;
      const pauseMs = pauseAfter(error, failures);
      if (pauseMs === null || startedAt - begunAt > MAX_WAIT_MS) throw new Error(this.#stoppedBy(error));
      await sleep(pauseMs);
    }
  }

  #stoppedBy({ kind, message: told }: BackendError): string {
    const { partial } = this.#options;
    const message = kind === 'unauthenticated' ? 'The service does not accept the token.' : told;
    const kept = ` What was read is in ${toPrintable(partial.path)}: the same command goes on from there.`;
    return `nothing was exported: ${message}${partial.isEmpty() ? '' : kept}`;
  }
}

/** Milliseconds; null where the same call would fail again. */
function pauseAfter(error: BackendError, failures: number): number | null {
  if (error.kind === 'rate-limited') return 1_000 * (error.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS);
  return error.kind === 'unavailable' && failures < MAX_ATTEMPTS ? PAUSE_MS : null;
}

function callerOf({ apiToken, timeoutMs }: SourceOptions): Caller {
  const request = createRequestFacts();
  request.tokens.add(apiToken);
  const requestTimeoutMs = LIST_MS + timeoutMs;
  return { apiToken, address: '', request, deadline: performance.now() + requestTimeoutMs, requestTimeoutMs };
}

/** The values of a batch, or its first error. */
async function all<T>(batch: BatchResults<T>): BackendResult<readonly T[]> {
  const values: T[] = [];
  for (const result of await batch) {
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
}

function versionEntries(versions: readonly ProjectVersion[]): JsonObject {
  // At most one may be the default.
  const isFirst = <T extends { readonly isDefault: boolean }>(one: T, list: readonly T[]) =>
    one === list.find(({ isDefault }) => isDefault);
  return {
    project_versions: versions.map((version) => ({
      ...{ id: version.projectVersionId, name: version.name, is_default: isFirst(version, versions) },
    })),
    languages: versions.flatMap(({ projectVersionId, languages }) =>
      languages.map((language) => ({
        ...{ project_version_id: projectVersionId, code: language.code, name: language.name },
        is_default: isFirst(language, languages),
      })),
    ),
  };
}

/** The text of a WYSIWYG article may be its HTML alone. That of Markdown is made of it, for readers. */
const versionEntry = (article: Article): JsonObject => ({
  ...{ lang_code: article.languageCode, version_number: article.versionNumber, title: article.title ?? '' },
  content: (article.contentType === 'WYSIWYG' ? article.content || article.htmlContent : article.content) ?? null,
  translation_option: OPTIONS_OF_STATUSES.get(article.translationStatus ?? '') ?? null,
  ...(article.status !== 'UNRECOGNIZED' && article.status !== null && { status: STATUS_NUMBERS[article.status] }),
  description: article.description,
  created_at: article.createdAt?.toISOString(),
  created_by: article.createdBy,
  authors: article.authors?.map(({ userId }) => userId),
});

/** Accounts that are gone are not in the file. */
const withAccounts = (
  { created_by, authors, ...version }: ImportedVersion,
  isAccount: (userId: string) => boolean,
): ImportedVersion => ({
  ...version,
  ...(created_by != null && isAccount(created_by) && { created_by }),
  ...(authors && { authors: authors.filter(isAccount) }),
});

const STATUS_NUMBERS = { DRAFT: 0, PUBLISHED: 3 } as const;

/** An earlier version that readers see is not in the file. */
const isPublic = ({ status, publicVersionNumber, versionNumber }: Article): boolean =>
  status === 'PUBLISHED' && publicVersionNumber === versionNumber;

/** The article without public versions that have changed since they were listed. */
function withPublicVersions({ public_version = {}, ...article }: ImportedArticle): ImportedArticle {
  const isThere = ([code, number]: readonly [string, number]) =>
    article.versions.some((one) => one.lang_code === code && one.version_number === number && one.status === 3);
  return { ...article, public_version: Object.fromEntries(Object.entries(public_version).filter(isThere)) };
}

/** An order that the service has, and the format has not, is none. */
const positive = (order: number | null): number | null => (order !== null && order > 0 ? order : null);

const sorted = <T>(entries: readonly T[], keyOf: (entry: T) => string): readonly T[] =>
  entries.toSorted((one, other) => compareTexts(keyOf(one), keyOf(other)));

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const entriesIn = (part: JsonObject, list: string): readonly JsonObject[] => {
  const entries = part[list];
  return Array.isArray(entries) ? entries.filter(isObject) : [];
};

const joined = (parts: readonly JsonObject[], lists: readonly string[]): JsonObject =>
  Object.fromEntries(lists.map((list) => [list, parts.flatMap((part) => entriesIn(part, list))]));

function mergedById(
  parts: readonly JsonObject[],
  list: string,
  merge: (first: JsonObject, other: JsonObject) => JsonObject,
): readonly JsonObject[] {
  const entries = new Map<unknown, JsonObject>();
  for (const entry of parts.flatMap((part) => entriesIn(part, list))) {
    const { id } = entry;
    const first = entries.get(id);
    entries.set(id, first === undefined ? entry : merge(first, entry));
  }
  return [...entries.values()];
}
