import { type Behaviour, envelope, type FaultyService, json, type Received, reset } from './faulty-service.ts';

/** What becomes of a call that writes: `cutBefore` and `cutAfter` end it without an answer. */
export type Fate = 'applied' | 'cutBefore' | 'cutAfter';

export interface LaggingOptions {
  readonly articleIds: readonly string[];
  /** Calls after a write in which lists do not show it. */
  readonly listLag: number;
  /** The same of the reads of one article. */
  readonly articleLag: number;
  /** True where an update makes a new version. */
  readonly makesVersions?: boolean;
  /** False where no read tells when an article was changed. */
  readonly tellsTimes?: boolean;
}

export interface ArticleState {
  readonly title: string;
  readonly content: string;
  readonly hidden: boolean;
  readonly latestVersion: number;
  /** 0 where none is public. */
  readonly publicVersion: number;
  readonly modifiedAt: number;
}

/** A service whose time passes by its calls, and whose reads show what was there some calls ago. */
export interface LaggingService {
  /** What is there now. */
  state(articleId: string, languageCode: string): ArticleState;
  /** The fate of the next write. */
  nextFate: Fate;
  /** Changes an article as another client does. */
  edit(articleId: string, languageCode: string, members: Partial<ArticleState>): void;
  /** Lets the time of so many calls pass. */
  pass(calls: number): void;
  /** The kinds of the answers to writes, one for each. */
  readonly answers: readonly ('accepted' | 'refused')[];
}

const LANGUAGES = ['en', 'de'] as const;

const EPOCH_MS = Date.UTC(2026, 0, 1);

/** The milliseconds between two calls. */
const CALL_MS = 400;

const VERSION = {
  id: 'version',
  version_code_name: 'version',
  is_main_version: true,
  language_versions: LANGUAGES.map((code, index) => ({ code, name: code, set_as_default: index === 0 })),
};

export function serveLagging(service: FaultyService, options: LaggingOptions): LaggingService {
  const { articleIds, listLag, articleLag, makesVersions = false, tellsTimes = true } = options;
  /** All states of each text with the time from which on each is there, the last one last. */
  const states = new Map<string, { readonly from: number; readonly state: ArticleState }[]>();
  const answers: ('accepted' | 'refused')[] = [];
  let now = 100;
  const textOf = (articleId: string, languageCode: string) => {
    const text = states.get(`${articleId.toLowerCase()} ${languageCode}`);
    if (text === undefined) throw new Error(`There is no article ${articleId} in ${languageCode}.`);
    return text;
  };
  const stateAt = (articleId: string, languageCode: string, time: number): ArticleState => {
    const found = textOf(articleId, languageCode).findLast(({ from }) => from <= time);
    if (found === undefined) throw new Error('Nothing was there at that time.');
    return found.state;
  };
  const current = (articleId: string, languageCode: string) => stateAt(articleId, languageCode, now);
  const change = (articleId: string, languageCode: string, members: Partial<ArticleState>) =>
    textOf(articleId, languageCode).push({ from: now, state: { ...current(articleId, languageCode), ...members } });
  for (const articleId of articleIds)
    for (const languageCode of LANGUAGES)
      states.set(`${articleId} ${languageCode}`, [{ from: 0, state: { ...INITIAL, title: `${articleId} before` } }]);

  const update = (item: Record<string, unknown>) => {
    const articleId = String(item['article_id']);
    const languageCode = String(item['lang_code'] ?? 'en');
    const modifiedAt = EPOCH_MS + now * CALL_MS;
    const { title, content, hidden } = item;
    const latestVersion = current(articleId, languageCode).latestVersion + Number(makesVersions);
    change(articleId, languageCode, {
      ...{ modifiedAt, latestVersion },
      ...(typeof title === 'string' && { title }),
      ...(typeof content === 'string' && { content }),
    });
    // All languages share it.
    if (typeof hidden === 'boolean') for (const code of LANGUAGES) change(articleId, code, { hidden });
  };
  /** False where it is so already. */
  const tryPublish = (method: string, languageCode: string, item: Record<string, unknown>): boolean => {
    const articleId = String(item['article_id']);
    const version = Number(item['version_number']);
    const isPublic = current(articleId, languageCode).publicVersion === version;
    if (isPublic === (method === 'POST')) return false;
    change(articleId, languageCode, { publicVersion: method === 'POST' ? version : 0 });
    return true;
  };
  const serve = (languageCode: string, { method, body }: Received): Behaviour => {
    const { articles = body } = Object(body);
    const items: Record<string, unknown>[] = articles;
    if (method === 'PUT') for (const item of items) update(item);
    const refused = method === 'PUT' ? undefined : items.find((item) => !tryPublish(method, languageCode, item));
    answers.push(refused === undefined ? 'accepted' : 'refused');
    return refused === undefined
      ? json(200, envelope(items.map(({ article_id }) => ({ article_id, success: true }))))
      : refusal(`Failed to publish article with an id ${refused['article_id']}\r\nError: It is so already.`);
  };

  const entry = (articleId: string, languageCode: string, lag: number) => {
    const { title, hidden, latestVersion, publicVersion, modifiedAt } = stateAt(articleId, languageCode, now - lag);
    return {
      ...{ id: articleId, title, hidden, order: 1, slug: articleId, language_code: languageCode, content_type: 0 },
      ...{
        latest_version: latestVersion,
        public_version: publicVersion,
        translation_option: 0,
        is_shared_article: false,
      },
      ...(tellsTimes && { modified_at: new Date(modifiedAt).toISOString() }),
    };
  };
  const read = ({ url }: Received): Behaviour => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const [, , resource, id = '', kind = ''] = pathname.split('/').map(decodeURIComponent);
    if (resource === 'ProjectVersions' && id === '') return json(200, envelope([VERSION]));
    if (resource === 'Articles') {
      if (!articleIds.includes(id)) return refusal('The article does not exist.');
      const { content, latestVersion } = stateAt(id, kind, now - articleLag);
      return json(
        200,
        envelope({
          ...entry(id, kind, articleLag),
          ...{ content, html_content: null, version_number: latestVersion },
          ...{ category_id: 'category', project_version_id: 'version', is_fall_back_content: false },
        }),
      );
    }
    const languageCode = searchParams.get('langCode') ?? 'en';
    const entries = articleIds.map((articleId) => entry(articleId, languageCode, listLag));
    if (kind === 'articles') return json(200, envelope(entries));
    return json(200, envelope([{ id: 'category', name: 'All', order: 1, articles: entries, child_categories: [] }]));
  };

  const lagging: LaggingService & { nextFate: Fate } = {
    state: (articleId, languageCode) => current(articleId, languageCode),
    nextFate: 'applied',
    edit: (articleId, languageCode, members) => {
      now += 1;
      change(articleId, languageCode, { modifiedAt: EPOCH_MS + now * CALL_MS, ...members });
    },
    pass: (calls) => {
      now += calls;
    },
    answers,
  };
  service.onAny((response, request) => {
    now += 1;
    response.setHeader('date', new Date(EPOCH_MS + now * CALL_MS).toUTCString());
    if (request.method === 'GET') return read(request)(response, request);
    const fate = lagging.nextFate;
    lagging.nextFate = 'applied';
    const languageCode = decodeURIComponent(request.url.split('/').at(-1) ?? '');
    const answer = fate === 'cutBefore' ? reset() : serve(languageCode, request);
    return (fate === 'applied' ? answer : reset())(response, request);
  });
  return lagging;
}

const refusal = (description: string): Behaviour =>
  json(400, {
    success: false,
    data: null,
    errors: [{ description, error_code: '400' }],
    warnings: [],
    information: [],
  });

const INITIAL: ArticleState = {
  title: 'before',
  content: 'before',
  hidden: false,
  latestVersion: 3,
  publicVersion: 3,
  modifiedAt: EPOCH_MS,
};
