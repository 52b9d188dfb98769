import { z } from 'zod';
import {
  type Behaviour,
  type FaultyService,
  json,
  openFaultyService,
  type Received,
  status,
} from '../faulty-service.ts';
import { ApiFile, type ApiOperation } from './api-file.ts';
import { EPOCH_MS, INITIAL, type Knowledge, latestOf, type StoredArticle, USERS } from './knowledge.ts';
import { PLAIN, type Readings } from './readings.ts';
import {
  articleList,
  categoryTree,
  type Edition,
  editionOf,
  findNode,
  languages,
  listEntry,
  projectVersions,
  search,
  versionEntry,
  versions,
  wholeArticle,
} from './reads.ts';
import {
  articleOf,
  checkUser,
  create,
  createItem,
  defaultLanguageOf,
  fork,
  publish,
  Refused,
  textOf,
  unpublish,
  update,
  updateItem,
  type WriteContext,
} from './writes.ts';

export const STAND_IN_TOKEN = 'token-1';

export interface StandInOptions {
  readonly readings?: Partial<Readings>;
  /** The virtual milliseconds that pass with each call, so that nothing has to sleep. */
  readonly callMs?: number;
  /** The virtual milliseconds that pass with each real one besides; 0 by default. */
  readonly timeFactor?: number;
  /** What is stored of a text, in place of what the readings say. */
  readonly stores?: (text: string) => string;
}

/** The reading lag of `3 seconds`, and what passes by default with each call: a write shows after eight. */
const LAG_MS = 3_000;
const CALL_MS = 400;

/** Later sources than the API file: docs/service.md, "Article lists" and "Publishing". */
const LATER_PARAMETERS = ['page', 'hitsPerPage', 'url'];
const UNPUBLISH = /^\/v2\/Articles\/bulkpublish\/[^/]+$/iu;

const body = z.object({ user_id: z.string(), version_number: z.int() });
const forkBody = body.extend({ lang_code: z.string() });
const publishItem = body.extend({ article_id: z.string() });
const unpublishBody = z.strictObject({
  articles: z.array(z.strictObject({ article_id: z.string(), version_number: z.int() })).min(1),
  user_id: z.string().min(1),
  project_version_id: z.string().min(1),
  unpublish_message: z.string().nullish(),
});
const categoryItem = z.object({
  name: z.string(),
  project_version_id: z.string(),
  order: z.int().optional(),
  parent_category_id: z.string().nullish(),
});
const groupBody = z.object({
  title: z.string(),
  description: z.string().nullish(),
  associated_readers: z.array(z.string()).nullish(),
  associated_invited_sso_users: z.array(z.string()).nullish(),
  access_scope: z.looseObject({ access_level: z.int() }),
});

/** A call in words that its route understands. */
interface Call {
  /** The parameters of the path, in its order. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type Payload = { readonly data: unknown } | { readonly result: unknown } | { readonly bare: unknown };

/** A payload, with a flag where it is not true; a status of 400 has no payload. */
interface Answer {
  readonly payload?: Payload;
  readonly success?: boolean;
  readonly errors?: readonly string[];
}

const data = (value: unknown): Answer => ({ payload: { data: value } });
const result = (value: unknown): Answer => ({ payload: { result: value } });

/**
 * The service as the papers allow it: a real server whose answers, and the requests to it, are valid by the API file.
 * What the papers leave open is chosen by `readings`. Its time is virtual, and passes with each call.
 */
export class StandInService {
  readonly http: FaultyService;
  readonly readings: Readings;
  /** Requests and answers that the API file does not allow. Tests expect none. */
  readonly invalid: string[] = [];
  readonly #api: ApiFile;
  readonly #callMs: number;
  readonly #timeFactor: number;
  readonly #stores: StandInOptions['stores'];
  /** What there was from when on, the latest last. */
  readonly #states: { readonly from: number; readonly knowledge: Knowledge }[] = [{ from: 0, knowledge: INITIAL }];
  #now = EPOCH_MS;
  /** `performance.now()` of the last call. */
  #calledAt = performance.now();
  #created = 0;

  private constructor(
    http: FaultyService,
    { readings = {}, callMs = CALL_MS, timeFactor = 0, stores }: StandInOptions,
  ) {
    this.http = http;
    this.#api = new ApiFile();
    this.readings = { ...PLAIN, ...readings };
    this.#callMs = callMs;
    this.#timeFactor = timeFactor;
    this.#stores = stores;
    http.onAny((...exchange) => this.#serve(...exchange));
  }

  static async open(options: StandInOptions = {}): Promise<StandInService> {
    return new StandInService(await openFaultyService(), options);
  }

  get url(): string {
    return this.http.url;
  }

  /** What there is now, whatever reads show. */
  get knowledge(): Knowledge {
    return this.#states.at(-1)?.knowledge ?? INITIAL;
  }

  /** The stored article of an ID. */
  article(id: string): StoredArticle {
    return articleOf(this.knowledge, id);
  }

  /** What there was after each change, the latest last. */
  get history(): readonly Knowledge[] {
    return this.#states.map(({ knowledge }) => knowledge);
  }

  /** Lets time pass. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  close(): Promise<void> {
    return this.http.close();
  }

  #passSinceLastCall(): void {
    const calledAt = performance.now();
    this.pass(this.#callMs + this.#timeFactor * (calledAt - this.#calledAt));
    this.#calledAt = calledAt;
  }

  /** What reads show. */
  get #shown(): Knowledge {
    const shownAt = this.#now - (this.readings.lag === 'none' ? 0 : LAG_MS);
    return this.#states.findLast(({ from }) => from <= shownAt)?.knowledge ?? INITIAL;
  }

  get #context(): WriteContext {
    return { readings: this.readings, now: this.#now, stores: this.#stores };
  }

  #change(change: (knowledge: Knowledge) => Knowledge): void {
    this.#states.push({ from: this.#now, knowledge: change(this.knowledge) });
  }

  #serve(...[response, request]: Parameters<Behaviour>): void | Promise<void> {
    this.#passSinceLastCall();
    response.setHeader('date', new Date(this.#now).toUTCString());
    response.setHeader('x-ratelimit-remaining', '1000');
    // Missing and wrong tokens get the same answer without a body.
    if (request.headers['api_token'] !== STAND_IN_TOKEN) return status(401)(response, request);
    const findings = this.#checkRequest(request);
    this.invalid.push(...findings);
    const [httpStatus, answer] = findings.length > 0 ? [400, refusal(findings.join(' '))] : this.#answer(request);
    const envelope = request.method === 'GET' ? encode(answer) : this.#inCase(encode(answer));
    if (findings.length === 0) this.#checkAnswer(request, httpStatus, envelope);
    return json(httpStatus, envelope)(response, request);
  }

  #answer(request: Received): readonly [status: number, answer: Answer] {
    const [path = '', search = ''] = request.url.split('?');
    try {
      for (const [method, pattern, handle] of this.#routes) {
        const match = method === request.method ? pattern.exec(path) : null;
        if (match === null) continue;
        const params = match.slice(1).map(decodeURIComponent);
        const answer = handle({ params, query: new URLSearchParams(search), body: request.body });
        return [answer.payload === undefined ? 400 : 200, answer];
      }
    } catch (error) {
      if (error instanceof Refused) return [400, refusal(error.message)];
      throw error;
    }
    this.invalid.push(`${request.method} ${path} is not played`);
    return [400, refusal('Not played.')];
  }

  #checkRequest({ method, url, body: sent }: Received): readonly string[] {
    const [path = ''] = url.split('?');
    if (method !== 'DELETE' || !UNPUBLISH.test(path))
      return this.#api.checkRequest({ method, url, body: sent }, LATER_PARAMETERS);
    const parsed = unpublishBody.safeParse(sent);
    return parsed.success ? [] : [`DELETE ${path} ${parsed.error.message}`];
  }

  #checkAnswer(request: Received, httpStatus: number, envelope: unknown): void {
    const operation = this.#api.find(request);
    const findings = operation === undefined ? [] : this.#findingsOfAnswer(operation, httpStatus, envelope);
    for (const finding of findings) this.invalid.push(`the stand-in itself: ${finding}`);
  }

  /** Two answers are lists by the pages or examples of the vendor, and one object by their schemas. */
  #findingsOfAnswer(operation: ApiOperation, httpStatus: number, envelope: unknown): readonly string[] {
    const { path } = operation;
    if (path === '/v2/Readers' && this.readings.readers === 'list')
      return readerList.parse(envelope).result.flatMap((one) => this.#api.checkAs('GetReaderResponseCustomer', one));
    if (path === '/v2/Articles/bulkpublish/{langCode}' && this.readings.published200 === 'list' && httpStatus === 200)
      return this.#api.checkAs('BulkUpdateArticleResponse', envelope);
    return this.#api.checkAnswer(operation, httpStatus, envelope);
  }

  /** The answer to a write with its IDs as the readings say. */
  #inCase(answer: unknown): unknown {
    if (this.readings.ids === 'as stored') return answer;
    const { articles, categories, groups } = this.knowledge;
    const ids = new Set([
      ...articles.keys(),
      ...categories.map(({ id }) => id),
      ...groups.map(({ reader_group_id }) => reader_group_id),
      ...projectVersions().map(({ id }) => id),
      ...USERS,
      READER.reader_id,
    ]);
    return mapTexts(answer, (text) => (ids.has(text) ? text.toUpperCase() : text));
  }

  readonly #routes: readonly (readonly [method: string, path: RegExp, handle: (call: Call) => Answer])[] = [
    route('GET', 'ProjectVersions', () => data(projectVersions())),
    route('GET', 'ProjectVersions/*/articles', ({ params: [id = ''], query }) =>
      data(
        articleList(this.#shown, editionOf(id, query.get('langCode')), {
          readings: this.readings,
          page: Number(query.get('page') ?? 0),
          hitsPerPage: Number(query.get('hitsPerPage') ?? 0),
        }),
      ),
    ),
    route('GET', 'ProjectVersions/*/categories', ({ params: [id = ''], query }) =>
      data(this.#tree(editionOf(id, query.get('langCode')), query.get('excludeArticles') === 'true')),
    ),
    route('GET', 'ProjectVersions/*/*', ({ params: [id = '', code = ''], query }) =>
      data(search(this.#shown, editionOf(id, code), query.get('searchQuery') ?? '')),
    ),
    route('GET', 'Language/*', ({ params: [id = ''] }) => data(languages(id))),
    route('GET', 'Categories/*', ({ params: [id = ''], query }) => data(this.#category(id, query.get('langCode')))),
    route('POST', 'Categories', ({ body: sent }) =>
      data({ id: this.#createCategory(sent), name: categoryItem.parse(sent).name, order: 0, icon: null }),
    ),
    route('POST', 'Categories/bulkcreate', ({ body: sent }) =>
      data(
        z
          .array(z.unknown())
          .parse(sent)
          .map((item) => ({
            category_id: this.#createCategory(item),
            success: true,
            details: 'Successfully created category',
          })),
      ),
    ),
    route('GET', 'Articles/*/versions', ({ params: [id = ''] }) => data(versions(this.#shown, id, null))),
    route('GET', 'Articles/*/*/versions', ({ params: [id = '', code = ''] }) => data(versions(this.#shown, id, code))),
    route('GET', 'Articles/*/versions/*', ({ params: [id = '', number = ''] }) => this.#version(id, null, number)),
    route('GET', 'Articles/*/*/versions/*', ({ params: [id = '', code = '', number = ''] }) =>
      this.#version(id, code, number),
    ),
    route('GET', 'Articles/*/*', ({ params: [id = '', languageCode = ''], query }) =>
      data(wholeArticle(this.#shown, id, { languageCode, isPublished: query.get('isPublished') === 'true' })),
    ),
    route('POST', 'Articles', ({ body: sent }) => data(this.#create(sent))),
    route('POST', 'Articles/bulkcreate', ({ body: sent }) => this.#bulkCreate(z.array(createItem).parse(sent))),
    route('PUT', 'Articles/bulkupdate', ({ body: sent }) => this.#bulkUpdate(z.array(z.unknown()).parse(sent))),
    route('PUT', 'Articles/*/fork', ({ params: [id = ''], body: sent }) => this.#fork(id, forkBody.parse(sent))),
    route('PUT', 'Articles/*/*', ({ params: [id = '', code = ''], body: sent }) => {
      const item = { ...updateItem.parse(sent), article_id: id, lang_code: code };
      this.#change((knowledge) => update(knowledge, item, this.#context));
      return data({ ...listEntry(this.article(id), code, this.readings), language_code: null });
    }),
    route('POST', 'Articles/bulkpublish/*', ({ params: [code = ''], body: sent }) =>
      this.#bulkPublish(z.array(publishItem).parse(sent), code),
    ),
    route('POST', 'Articles/*/*/publish', ({ params: [id = '', code = ''], body: sent }) => {
      const { user_id: userId, version_number: number } = body.parse(sent);
      checkUser(userId);
      this.#change((knowledge) => publish(knowledge, { articleId: id, code, number }, this.#now));
      return data({ ...listEntry(this.article(id), code, this.readings), language_code: null });
    }),
    route('DELETE', 'Articles/bulkpublish/*', ({ params: [code = ''], body: sent }) => {
      const { articles, user_id: userId } = unpublishBody.parse(sent);
      checkUser(userId);
      return this.#each('unpublish', articles, (knowledge, { article_id: articleId, version_number: number }) =>
        unpublish(knowledge, { articleId, code, number }, this.#now),
      );
    }),
    route('GET', 'Teams', ({ query }) => {
      const skip = Number(query.get('skip') ?? 0);
      return result(USERS.slice(skip, skip + Number(query.get('take') ?? 20)).map((user_id) => ({ user_id })));
    }),
    route('GET', 'Teams/*', ({ params: [id = ''] }) => {
      if (!USERS.some((one) => one === id.toLowerCase())) throw new Refused('The user id does not exist.');
      return result({ user_id: id.toLowerCase(), first_name: 'A', last_name: 'Person' });
    }),
    route('GET', 'Readers', ({ query }) => {
      const isFirst = Number(query.get('offSet') ?? 1) === 1;
      if (this.readings.readers === 'bare object') return { payload: { bare: isFirst ? READER : {} } };
      return result(isFirst ? [READER] : []);
    }),
    route('GET', 'Readers/groups', ({ query }) => {
      const begin = (Number(query.get('offSet') ?? 1) - 1) * 5;
      const page = this.#shown.groups.slice(begin, begin + 5);
      const isBare = query.get('excludeReaders') === 'true';
      return result(page.map((one) => (isBare ? { ...one, associated_readers: [] } : one)));
    }),
    route('GET', 'Readers/groups/*', ({ params: [id = ''] }) => {
      const group = this.#shown.groups.find((one) => one.reader_group_id === id.toLowerCase());
      if (group === undefined) throw new Refused('The reader group Id does not exist.');
      return result(group);
    }),
    route('PUT', 'Readers/groups/*', ({ params: [id = ''], body: sent }) => {
      const changed = groupBody.parse(sent);
      this.#change((knowledge) => ({
        ...knowledge,
        groups: knowledge.groups.map((one) =>
          one.reader_group_id === id.toLowerCase()
            ? {
                reader_group_id: one.reader_group_id,
                title: changed.title,
                description: changed.description ?? null,
                associated_readers: changed.associated_readers ?? [],
                associated_invited_sso_users: changed.associated_invited_sso_users ?? [],
                access_scope: changed.access_scope,
              }
            : one,
        ),
      }));
      return result(false);
    }),
  ];

  #tree(edition: Edition, isBare: boolean) {
    return categoryTree(this.#shown, edition, { readings: this.readings, isBare });
  }

  #category(id: string, languageCode: string | null): object {
    const category = this.knowledge.categories.find((one) => one.id === id.toLowerCase());
    if (category === undefined) throw new Refused('The category Id does not exist.');
    const edition = editionOf(category.projectVersionId, languageCode);
    const node = findNode(categoryTree(this.knowledge, edition, { readings: this.readings, isBare: false }), id);
    if (node === null) throw new Error(`The tree has no ${id}.`);
    return node;
  }

  #createCategory(sent: unknown): string {
    const item = categoryItem.parse(sent);
    const { projectVersionId } = editionOf(item.project_version_id, null);
    const parentId = item.parent_category_id?.toLowerCase() ?? null;
    if (parentId !== null && !this.knowledge.categories.some(({ id }) => id === parentId))
      throw new Refused('The category Id does not exist.');
    this.#created += 1;
    const id = `new-category-${this.#created}`;
    const category = { id, projectVersionId, parentId, name: item.name, order: item.order ?? 0 };
    this.#change((knowledge) => ({ ...knowledge, categories: [...knowledge.categories, category] }));
    return id;
  }

  #version(id: string, languageCode: string | null, number: string): Answer {
    const { url: _url, ...found } = wholeArticle(this.#shown, id, { languageCode, versionNumber: Number(number) });
    return data({ ...found, version_created_at: found.created_at });
  }

  #create(sent: unknown): object {
    this.#created += 1;
    const id = `new-${this.#created}`;
    this.#change((knowledge) => create(knowledge, { id, ...createItem.parse(sent) }, this.#context));
    const article = this.article(id);
    return { ...listEntry(article, defaultLanguageOf(article), this.readings), language_code: null };
  }

  #bulkCreate(items: readonly z.output<typeof createItem>[]): Answer {
    const created = items.map((item) => {
      try {
        const { id } = z.object({ id: z.string() }).parse(this.#create(item));
        return { article_id: id, success: true, details: `Successfully created article ${item.title}` };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return refusal(`Failed to create article ${item.title}\r\nError: ${error.message}`);
      }
    });
    return created.find((one) => 'errors' in one) ?? data(created);
  }

  #bulkUpdate(items: readonly unknown[]): Answer {
    if (items.length === 0) return refusal('A non-empty request body is required.');
    const results = items.map((sent) => {
      const item = updateItem.parse(sent);
      const article_id = item.article_id ?? null;
      try {
        this.#change((knowledge) => update(knowledge, item, this.#context));
        return { article_id, success: true, details: `Successfully updated article with an id ${article_id}` };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return {
          article_id,
          success: false,
          details: `Failed to update article with an id ${article_id}\r\nError: ${error.message}`,
        };
      }
    });
    const failed = results.find(({ success }) => !success);
    if (failed === undefined || this.readings.failingItem === '200') return data(results);
    if (this.readings.failingItem === '400 without items') return refusal(failed.details);
    return { ...data(results), success: false };
  }

  #fork(
    articleId: string,
    { user_id: userId, lang_code: code, version_number: number }: z.output<typeof forkBody>,
  ): Answer {
    checkUser(userId);
    this.#change((knowledge) => fork(knowledge, { articleId, code, number }, this.#now));
    return data(versionEntry(latestOf(textOf(this.article(articleId), code))));
  }

  #bulkPublish(items: readonly z.output<typeof publishItem>[], code: string): Answer {
    const answer = this.#each(
      'publish',
      items,
      (knowledge, { article_id: articleId, version_number: number, user_id }) => {
        checkUser(user_id);
        return publish(knowledge, { articleId, code, number }, this.#now);
      },
    );
    const [first] = items;
    if (this.readings.published200 === 'list' || answer.payload === undefined || first === undefined) return answer;
    return data({ ...listEntry(this.article(first.article_id), code, this.readings), language_code: null });
  }

  /** Applies what can be applied; one item that fails makes an error of the whole answer. */
  #each<Item extends { readonly article_id: string }>(
    verb: 'publish' | 'unpublish',
    items: readonly Item[],
    apply: (knowledge: Knowledge, item: Item) => Knowledge,
  ): Answer {
    const failures = items.flatMap((item) => {
      try {
        this.#change((knowledge) => apply(knowledge, item));
        return [];
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return [`Failed to ${verb} article with an id ${item.article_id}\r\nError: ${error.message}`];
      }
    });
    const [failure] = failures;
    if (failure !== undefined) return refusal(failure);
    return data(
      items.map(({ article_id }) => ({
        article_id,
        success: true,
        details: `Successfully ${verb}ed article with an id ${article_id}`,
      })),
    );
  }
}

const route = (method: string, path: string, handle: (call: Call) => Answer) =>
  [method, new RegExp(`^/v2/${path.replaceAll('*', '([^/]+)')}/?$`, 'iu'), handle] as const;

const refusal = (description: string) => ({ success: false, errors: [description] });

/** The envelope of an answer. */
function encode({ payload, success = true, errors = [] }: Answer): unknown {
  if (payload !== undefined && 'bare' in payload) return payload.bare;
  return {
    ...payload,
    extension_data: null,
    success,
    errors: errors.map((description) => ({
      extension_data: null,
      stack_trace: null,
      description,
      error_code: '400',
      custom_data: null,
    })),
    warnings: [],
    information: [],
  };
}

/** The JSON with the function applied to each text in it. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
}

const readerList = z.object({ result: z.array(z.unknown()) });

const READER = {
  reader_id: 'reader-1',
  first_name: 'A',
  last_name: 'Reader',
  email: 'reader@example.com',
  access_scope: null,
  associated_reader_groups: ['group-1'],
  is_invite_sso_user: false,
  last_login_at: null,
};
