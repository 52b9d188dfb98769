import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Article, Category, ProjectVersion, VersionLanguage } from '../../core/articles/articles.ts';
import { revisionOf } from '../../core/articles/revisions.ts';
import type { Backend, BackendResult, BatchResults } from '../../core/backend.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { createLogger } from '../../core/base/logger.ts';
import { serviceUrlOf } from '../../core/base/network.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { ok, type Result } from '../../core/base/result.ts';
import { compareTexts } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { createRequestFacts } from '../../core/callers/request-facts.ts';
import type { BackendError } from '../../core/errors.ts';
import { DEFAULT_RETRY_AFTER_SECONDS, estimateEnd } from '../../core/rate-limit.ts';
import { openBackend } from '../../server/open-backend.ts';
import { userAgent } from '../../server/package-version.ts';
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
  STATUS_NUMBERS,
} from '../../store/knowledge-base/format.ts';
import type { Variables } from '../command-options.ts';
import { loadService } from '../load-config.ts';
import { openPartialFile, type PartialFile } from './partial-file.ts';

/** The editors by their names in the format. */
const CONTENT_TYPES = ['markdown', 'wysiwyg', 'block'] as const;

interface ServiceOptions {
  /** Overrides the token of the settings. */
  readonly token: string | undefined;
  /** True where each article is read in each language, since lists have no texts. */
  readonly withTexts: boolean;
  /** True for articles with their revisions and without readers. */
  readonly asRows: boolean;
}

/**
 * Opens the service of `UPSTREAM_URL` for an export to a file. What was read is kept beside it until the file is complete,
 * so that an interrupted export goes on.
 */
export async function openServiceSource(
  path: string,
  options: ServiceOptions,
  variables: Variables,
): Promise<Result<ServiceSource, string>> {
  const unset = '--from-service reads the service of UPSTREAM_URL, which is not set.';
  const loaded = loadService(variables, { unset, given: options.token });
  if (!loaded.ok) return loaded;
  const { service, apiToken, log } = loaded.value;
  const url = serviceUrlOf(service.baseUrl);
  const partial = openPartialFile(`${path}.part`, `${url} ${createHash('sha256').update(apiToken).digest('hex')}`);
  if (!partial.ok) return partial;
  if (!partial.value.isEmpty())
    printError(`This goes on from what ${toPrintable(partial.value.path)} has. Remove it to begin anew.\n`);
  const backend = await openBackend({
    // An export needs as many calls as there are lists and articles, and reads nothing twice.
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

/** The longest time that the pages of one list wait for the rate limit. */
const LIST_MS = 60 * 60_000;

/** The attempts and the pause while the service can't be reached, and the longest wait while it asks to wait. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 2_000;
const MAX_WAIT_MS = 10 * 60_000;

const WHOLE_LIST = { limit: Number.POSITIVE_INFINITY, itemsOnly: true };

/** Reads the service as a knowledge base. Throws with a message for people. */
export class ServiceSource {
  readonly #options: SourceOptions;
  readonly #bar = createProgressBar('reading {step} [{bar}] {value} of {total}{status}', { alsoAsLines: true });
  /** Problems for which the import would refuse an entry, and lists that the service does not offer. */
  readonly #leftOut = new Set<string>();
  /** The articles of lists without a text of their own in the language of the list, by that language. */
  readonly #standIns = new Map<string, number>();
  /** The keys of languages whose lists may hold stand-ins, so that each of their articles is read. */
  readonly #unproven = new Set<string>();
  /** The revisions of each article by language, as they were listed. */
  readonly #revisions = new Map<string, Map<string, string | null>>();
  /** The caller of the current part, whose request keeps what it has read. */
  #caller: Caller | null = null;
  #callMs: number | null = null;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  async read<T>(use: (entries: KnowledgeBaseEntries) => Promise<T>): Promise<T> {
    try {
      const base = await this.#lists();
      const listed = sorted(base.articles, ({ id }) => id).map(({ versions, ...article }) => ({
        ...article,
        versions: sorted(versions, ({ lang_code }) => lang_code),
      }));
      const articles = await this.#withTexts(listed, base.team_accounts);
      this.#bar.stop();
      const revised = () => articles.map((one) => ({ ...one, revisions: this.#revisions.get(one.id) ?? new Map() }));
      return await use({ ...base, articles: this.#options.asRows ? revised() : articles });
    } finally {
      this.#bar.stop();
    }
  }

  async close(): Promise<void> {
    this.#options.partial.close();
    await this.#options.backend.close();
  }

  /** Removes the partial file, and prints what the export lacks. */
  onPublished(): void {
    this.#options.partial.remove();
    const standIns = [...this.#standIns].map(
      ([code, count]) => `texts in ${code} of articles that are not translated, or gone by now: ${count}`,
    );
    const leftOut = [...standIns, ...this.#leftOut];
    if (leftOut.length > 0) printError(`Left out:\n${listProblems(leftOut, String)}\n`);
  }

  async #lists(): Promise<KnowledgeBase> {
    const { backend, asRows, url } = this.#options;
    const versions = await this.#part('project versions', async () =>
      versionEntries(await this.#call((caller) => backend.projectVersions(caller))),
    );
    // The default language is read first: its entry has the values that all languages of an article have in common, and
    // the names of categories.
    const rank = ({ is_default }: JsonObject) => (is_default === true ? 0 : 1);
    const languages = entriesIn(versions, 'languages').toSorted((one, other) => rank(one) - rank(other));
    const total = languages.length + (asRows ? 0 : 3);
    const parts: JsonObject[] = [versions];
    const add = async (key: string, read: () => Promise<JsonObject>) => {
      this.#bar.show(parts.length - 1, total, { step: 'lists', status: '' });
      parts.push(await this.#part(key, read));
    };
    for (const { project_version_id, code, is_default } of languages) {
      const language = { projectVersionId: String(project_version_id), languageCode: String(code) };
      await add(JSON.stringify(language), () => this.#language(language));
      const { is_proven, stand_ins } = parts.at(-1) ?? {};
      // Texts of the default language stand in for those of others.
      if (is_proven === false && is_default !== true) this.#unproven.add(JSON.stringify(language));
      if (typeof stand_ins === 'number') this.#countStandIns(language.languageCode, stand_ins);
      this.#noteRevisions(parts.at(-1) ?? {}, language.languageCode);
    }
    if (!asRows) {
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

  #noteRevisions(part: JsonObject, languageCode: string): void {
    for (const { id, revision } of entriesIn(part, 'revisions')) {
      const known = this.#revisions.get(String(id)) ?? new Map<string, string | null>();
      this.#revisions.set(String(id), known.set(languageCode, revision == null ? null : String(revision)));
    }
  }

  #countStandIns(languageCode: string, count: number): void {
    if (count > 0) this.#standIns.set(languageCode, (this.#standIns.get(languageCode) ?? 0) + count);
  }

  /** Reads a part of the knowledge base, unless an interrupted export has read it. */
  async #part(key: string, read: () => Promise<JsonObject>): Promise<JsonObject> {
    const { partial } = this.#options;
    const known = partial.get(key);
    if (isObject(known)) return known;
    this.#caller = null;
    const part = await read();
    partial.set(key, part);
    return part;
  }

  async #language(language: VersionLanguage): Promise<JsonObject> {
    const { backend } = this.#options;
    const { projectVersionId: project_version_id } = language;
    const categories: Category[] = [];
    let level = (await this.#call((caller) => backend.rootCategories(caller, language), [])) ?? [];
    while (level.length > 0) {
      // An entry may have another spelling of the language code than its list.
      const parents = level.map((category) => ({ ...category, ...language }));
      for (const category of parents) categories.push(category);
      level = (await this.#call((caller) => all(backend.childCategories(caller, parents)))).flat();
    }
    // This order reads the whole list with the fewest calls.
    const request = { ...language, orderBy: 'TITLE' } as const;
    const page = await this.#call((caller) => backend.listArticles(caller, request, WHOLE_LIST));
    const articles = page?.edges.map(({ node }) => ({ ...node, ...language })) ?? [];
    const places = await this.#call((caller) => all(backend.categoriesOfArticles(caller, articles)), []);
    return {
      is_proven: page?.language?.isProven,
      revisions: articles.map((article, index) => ({
        id: article.articleId,
        revision: revisionOf({ ...article, categoryId: places[index]?.categoryId ?? null }),
      })),
      stand_ins: page?.language?.standIns,
      categories: categories.map(({ categoryId: id, parentCategoryId: parent_category_id, name, order }) => ({
        id,
        project_version_id,
        parent_category_id,
        name,
        order: positive(order),
      })),
      articles: articles.map(
        (article, index) =>
          ({
            id: article.articleId,
            project_version_id,
            category_id: places[index]?.categoryId ?? null,
            slug: article.slug,
            order: positive(article.order),
            hidden: article.hidden,
            content_type: article.contentType?.toLowerCase() ?? 'markdown',
            url: article.url,
            public_version: isPublic(article) ? { [language.languageCode]: article.versionNumber } : {},
            versions: [versionEntry(article)],
          }) satisfies Record<keyof ImportedArticle, unknown>,
      ),
    };
  }

  async #teamAccounts(): Promise<JsonObject> {
    const { backend } = this.#options;
    const accounts = await this.#call((caller) => backend.listTeamAccounts(caller, WHOLE_LIST), null);
    return {
      team_accounts: accounts?.edges.map(({ node: { userId, firstName, lastName } }) => ({
        user_id: userId,
        first_name: firstName,
        last_name: lastName,
      })),
    };
  }

  async #readers(): Promise<JsonObject> {
    const { backend } = this.#options;
    const readers = await this.#call((caller) => backend.listReaders(caller, null, WHOLE_LIST), null);
    const invited = await this.#call((caller) => backend.listInvitedSsoUsers(caller, null, WHOLE_LIST), null);
    return {
      readers: readers?.edges.map(({ node: { readerId, firstName, lastName, email } }) => ({
        reader_id: readerId,
        first_name: firstName,
        last_name: lastName,
        email,
      })),
      invited_sso_users: invited?.edges.map(({ node }) => ({ invitation_id: node.invitationId, email: node.email })),
    };
  }

  async #readerGroups(): Promise<JsonObject> {
    const { backend } = this.#options;
    const groups = await this.#call((caller) => backend.listReaderGroups(caller, WHOLE_LIST), null);
    return { reader_groups: groups?.edges.map(({ node }) => encodeReaderGroup(node)) };
  }

  /**
   * Reads each article in each language by a call of its own: for its text, or only to find out whether it has one where
   * the list does not show that. What has none is left out.
   */
  async #withTexts(
    articles: readonly ImportedArticle[],
    accounts: KnowledgeBase['team_accounts'],
  ): Promise<readonly ImportedArticle[]> {
    const { withTexts } = this.#options;
    const isAccount = (userId: string) => accounts.some(({ user_id }) => user_id === userId);
    const isRead = ({ project_version_id: projectVersionId }: ImportedArticle, languageCode: string) =>
      withTexts || this.#unproven.has(JSON.stringify({ projectVersionId, languageCode }));
    const total = articles.reduce(
      (sum, article) => sum + article.versions.filter(({ lang_code }) => isRead(article, lang_code)).length,
      0,
    );
    if (total === 0) return articles;
    const found: ImportedArticle[] = [];
    let done = 0;
    for (const article of articles) {
      const versions: ImportedVersion[] = [];
      let { content_type } = article;
      for (const listed of article.versions) {
        if (!isRead(article, listed.lang_code)) {
          versions.push(listed);
          continue;
        }
        this.#bar.show(done, total, { step: 'texts', status: await this.#status(total - done) });
        const read = await this.#version(article, listed);
        if (read !== null) versions.push(withAccounts(read.version, isAccount));
        // The editor that a read reports counts above that of a list.
        content_type = read?.contentType ?? content_type;
        done += 1;
      }
      if (versions.length > 0) found.push(withPublicVersions({ ...article, content_type, versions }));
    }
    return found;
  }

  /** The version with its text, or as it is listed where no texts are exported; null where it is left out. */
  async #version(article: ImportedArticle, listed: ImportedVersion) {
    const { lang_code } = listed;
    const { version, content_type } = await this.#part(JSON.stringify([article.id, lang_code]), () =>
      this.#text(article, lang_code),
    );
    if (version === null) this.#countStandIns(lang_code, 1);
    if (version === null) return null;
    const contentType = CONTENT_TYPES.find((one) => one === content_type) ?? null;
    if (!this.#options.withTexts) return { version: listed, contentType };
    const parsed = importedVersion.safeParse(version);
    if (!parsed.success) this.#leftOut.add(`articles ${article.id}: its text in ${lang_code} cannot be stored`);
    return parsed.success ? { version: parsed.data, contentType } : null;
  }

  async #text({ id: articleId }: ImportedArticle, languageCode: string): Promise<JsonObject> {
    const { backend } = this.#options;
    const read = (caller: Caller) => all(backend.articles(caller, [{ articleId, languageCode }]));
    // A background call leaves some of the rate limit to others, and fails instead of waiting for it.
    const [article] = await this.#call((caller) => read({ ...caller, isBackground: true }));
    if (!article) return { version: null };
    return { version: versionEntry({ ...article, languageCode }), content_type: article.contentType?.toLowerCase() };
  }

  async #status(pending: number): Promise<string> {
    const rateLimit = await this.#options.backend.rateLimit(callerOf(this.#options));
    const known = { rateLimit: rateLimit.ok ? rateLimit.value : null, callMs: this.#callMs, now: Date.now() };
    return ` | ends about ${new Date(estimateEnd({ calls: pending, ...known })).toLocaleTimeString('en-GB')}`;
  }

  /** Repeats a read until it succeeds or can't succeed any more. */
  async #call<T>(read: (caller: Caller) => BackendResult<T>, ifNotOffered?: T): Promise<T> {
    const begunAt = performance.now();
    for (let failures = 0; ; ) {
      const startedAt = performance.now();
      this.#caller ??= callerOf(this.#options);
      const result = await read(this.#caller);
      this.#callMs = performance.now() - startedAt;
      if (result.ok) return result.value;
      const { error } = result;
      // The next attempt needs another caller, since the request keeps the failure.
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

  #stoppedBy({ kind, message: reason }: BackendError): string {
    const { partial } = this.#options;
    const message = kind === 'unauthenticated' ? 'The service does not accept the token.' : reason;
    const kept = ` What was read is in ${toPrintable(partial.path)}: the same command goes on from there.`;
    return `nothing was exported: ${message}${partial.isEmpty() ? '' : kept}`;
  }
}

/** The pause before the next attempt in milliseconds; null where the same call would fail again. */
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

async function all<T>(batch: BatchResults<T>): BackendResult<readonly T[]> {
  const values: T[] = [];
  for (const result of await batch) {
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
}

function versionEntries(versions: readonly ProjectVersion[]): JsonObject {
  // At most one entry may be the default.
  const isFirst = <T extends { readonly isDefault: boolean }>(one: T, list: readonly T[]) =>
    one === list.find(({ isDefault }) => isDefault);
  return {
    project_versions: versions.map((version) => ({
      id: version.projectVersionId,
      name: version.name,
      is_default: isFirst(version, versions),
    })),
    languages: versions.flatMap(({ projectVersionId, languages }) =>
      languages.map((language) => ({
        project_version_id: projectVersionId,
        code: language.code,
        name: language.name,
        is_default: isFirst(language, languages),
      })),
    ),
  };
}

/** A WYSIWYG article may have only HTML. The HTML of a Markdown article is rendered from its Markdown. */
const versionEntry = (article: Article): JsonObject =>
  ({
    lang_code: article.languageCode,
    version_number: article.versionNumber,
    title: article.title ?? '',
    content: (article.contentType === 'WYSIWYG' ? article.content || article.htmlContent : article.content) ?? null,
    translation_option: OPTIONS_OF_STATUSES[article.translationStatus ?? 'UNRECOGNIZED'],
    status: article.status === 'UNRECOGNIZED' || article.status === null ? undefined : STATUS_NUMBERS[article.status],
    description: article.description,
    created_at: article.createdAt?.toISOString(),
    created_by: article.createdBy,
    authors: article.authors?.map(({ userId }) => userId),
  }) satisfies Record<keyof ImportedVersion, unknown>;

/** Removes references to accounts that are gone. */
const withAccounts = (
  { created_by, authors, ...version }: ImportedVersion,
  isAccount: (userId: string) => boolean,
): ImportedVersion => ({
  ...version,
  ...(created_by != null && isAccount(created_by) && { created_by }),
  ...(authors && { authors: authors.filter(isAccount) }),
});

/** True where the version of the entry is the one that readers see. The format holds no earlier versions. */
const isPublic = ({ status, publicVersionNumber, versionNumber }: Article): boolean =>
  status === 'PUBLISHED' && publicVersionNumber === versionNumber;

/** Removes public versions that have changed since they were listed. */
function withPublicVersions({ public_version = {}, ...article }: ImportedArticle): ImportedArticle {
  const isThere = ([code, number]: readonly [string, number]) =>
    article.versions.some((one) => one.lang_code === code && one.version_number === number && one.status === 3);
  return { ...article, public_version: Object.fromEntries(Object.entries(public_version).filter(isThere)) };
}

/** The service allows orders below 1, the format does not. */
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
