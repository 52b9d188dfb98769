import { z } from 'zod';
import type { VirtualTime } from './virtual-time.ts';

/** Each article has a text in each, and English is the default. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;

const EDITION = { projectVersionId: 'version', categoryId: 'category' } as const;

interface ServiceArticle {
  readonly articleId: string;
  title: string;
  content: string;
  hidden: boolean;
  order: number;
  modifiedAt: number;
  /** The titles that it has had, the latest last. Each write has one of its own, and makes a version. */
  readonly titles: string[];
  /** 0 where none is public. */
  publicVersion: number;
  /** The drafts that were copied from a version. Each is a version of its own. */
  readonly drafts: Draft[];
}

interface Draft {
  readonly versionNumber: number;
  readonly baseVersion: number;
  readonly createdAt: number;
  readonly userId: string;
}

/** The milliseconds after a change in which lists, and reads of one article, do not show it. */
export interface ReadLags {
  readonly list: number;
  readonly article: number;
}

const update = z.object({
  article_id: z.string(),
  lang_code: z.string().optional(),
  title: z.string(),
  content: z.string().optional(),
  hidden: z.boolean().optional(),
  order: z.int().optional(),
});

const fork = z.object({ version_number: z.int(), lang_code: z.string(), user_id: z.string() });

const publication = z.object({ article_id: z.string(), version_number: z.int(), publish_message: z.string() });

export type ReceivedUpdate = ReturnType<ServiceArticles['decodeItems']>[number];

export interface ArticlesOptions {
  readonly time: VirtualTime;
  readonly articleIds: readonly string[];
  /** True where an update changes the version that is there, else it makes a new one. */
  readonly updatesInPlace?: boolean;
  /** True where texts are stored trimmed, with their line ends and characters in one form. */
  readonly normalizes?: boolean;
  /** True where lists and reads tell the status of a version. */
  readonly tellsStatus?: boolean;
}

/** The articles of a service with one project version, and its reads. */
export class ServiceArticles {
  readonly #options: ArticlesOptions;
  /** The articles of each language. */
  readonly #texts: ReadonlyMap<string, ReadonlyMap<string, ServiceArticle>>;
  /** What was there before each change, and until when. */
  readonly #past = new Map<ServiceArticle, { readonly until: number; readonly article: ServiceArticle }[]>();
  /** The titles that the texts of each article were given, in the order of the writes. */
  readonly written = new Map<string, string[]>();
  lags: ReadLags = { list: 0, article: 0 };
  /** For each read of one article that did not show all writes of it: the titles that it lacked. */
  readonly lacked: (readonly string[])[] = [];

  constructor(options: ArticlesOptions) {
    this.#options = options;
    const modifiedAt = options.time.epochNow - 86_400_000;
    const textsOf = () =>
      options.articleIds.map((articleId) => {
        const empty = { title: 'before', content: 'before', hidden: false, order: 1, modifiedAt, titles: ['before'] };
        const drafts: Draft[] = [];
        return [articleId, { articleId, ...empty, publicVersion: 0, drafts }] as const;
      });
    this.#texts = new Map(LANGUAGES.map((code) => [code, new Map(textsOf())]));
  }

  find(articleId: string, languageCode = 'en'): ServiceArticle {
    const article = this.#articlesIn(languageCode).get(articleId);
    if (article === undefined) throw new Error(`There is no article ${articleId}.`);
    return article;
  }

  #articlesIn(languageCode: string): ReadonlyMap<string, ServiceArticle> {
    return this.#texts.get(languageCode) ?? new Map();
  }

  decodeItems(body: Uint8Array) {
    return z
      .array(update)
      .parse(JSON.parse(Buffer.from(body).toString()))
      .map(({ article_id: articleId, lang_code: languageCode = 'en', ...fields }) => ({
        ...{ articleId, languageCode },
        ...fields,
      }));
  }

  decodePublications(body: Uint8Array) {
    return z
      .array(publication)
      .parse(JSON.parse(Buffer.from(body).toString()))
      .map(({ article_id: articleId, version_number: version, publish_message: job }) => ({ articleId, version, job }));
  }

  /** The article as a read shows it that lags by so much. */
  #seen(article: ServiceArticle, lagMs: number): ServiceArticle {
    const past = this.#past.get(article) ?? [];
    return past.find(({ until }) => until > this.#options.time.now - lagMs)?.article ?? article;
  }

  #keepPast(article: ServiceArticle | undefined): void {
    if (article === undefined) return;
    const past = this.#past.get(article) ?? [];
    past.push({
      until: this.#options.time.now,
      article: { ...article, titles: [...article.titles], drafts: [...article.drafts] },
    });
    this.#past.set(article, past);
  }

  /** Copies a version as a new draft; null where the version is not there. */
  fork(articleId: string, body: Uint8Array): Draft | null {
    const sent = fork.parse(JSON.parse(Buffer.from(body).toString()));
    const { version_number: baseVersion, lang_code: languageCode, user_id: userId } = sent;
    const article = this.find(articleId, languageCode);
    const latest = this.#versionOf(article);
    if (baseVersion > latest) return null;
    this.#keepPast(article);
    const draft = { versionNumber: latest + 1, baseVersion, createdAt: this.#options.time.epochNow, userId };
    article.drafts.push(draft);
    article.modifiedAt = draft.createdAt;
    return draft;
  }

  #versionOf({ titles, drafts }: ServiceArticle): number {
    return (this.#options.updatesInPlace ? 1 : titles.length) + drafts.length;
  }

  publish(articleId: string, languageCode: string | undefined, version: number): void {
    const article = this.find(articleId, languageCode);
    this.#keepPast(article);
    article.publicVersion = version;
  }

  apply({ articleId, languageCode, hidden, order, ...texts }: ReceivedUpdate): void {
    for (const articles of this.#texts.values()) this.#keepPast(articles.get(articleId));
    const article = this.find(articleId, languageCode);
    const sent = Object.entries(texts).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, this.#stored(value)]],
    );
    Object.assign(article, Object.fromEntries(sent), { modifiedAt: this.#options.time.epochNow });
    article.titles.push(texts.title);
    this.written.set(articleId, [...(this.written.get(articleId) ?? []), texts.title]);
    for (const articles of this.#texts.values())
      Object.assign(articles.get(articleId) ?? {}, {
        ...(hidden !== undefined && { hidden }),
        ...(order !== undefined && { order }),
      });
  }

  #stored(text: string): string {
    return this.#options.normalizes ? text.replaceAll('\r\n', '\n').normalize('NFC').trim() : text;
  }

  /** The payload of a read by its URL. */
  read(url: string): unknown {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.toLowerCase().split('/').slice(2);
    const [collection, id = ''] = path;
    const language = (collection === 'articles' ? path[2] : searchParams.get('langCode')) ?? 'en';
    if (collection === 'articles') {
      const article = this.find(decodeURIComponent(pathname.split('/')[3] ?? id), language);
      const seen = this.#seen(article, this.lags.article);
      const lacked = article.titles.filter((title) => !seen.titles.includes(title));
      if (lacked.length > 0) this.lacked.push(lacked);
      return path.at(-1) === 'versions' ? this.#versions(seen) : this.#whole(seen, language);
    }
    if (path.length === 1) return [PROJECT_VERSION];
    const seen = [...this.#articlesIn(language).values()].map((article) => this.#seen(article, this.lags.list));
    const entries = seen.map((article) => this.#entry(article, language));
    if (path.at(-1) === 'articles') {
      const [page, size] = [searchParams.get('page'), Number(searchParams.get('hitsPerPage'))];
      return page === null ? entries.slice(0, 1_000) : entries.slice(Number(page) * size, (Number(page) + 1) * size);
    }
    return [{ id: EDITION.categoryId, name: 'All', order: 1, articles: entries, child_categories: [] }];
  }

  #versions({ publicVersion, drafts }: ServiceArticle) {
    const first = { version_number: 1, base_version: 0, status: publicVersion === 1 ? 3 : 0, created_at: null };
    return [
      first,
      ...drafts.map(({ versionNumber, baseVersion, createdAt }) => ({
        ...{
          version_number: versionNumber,
          base_version: baseVersion,
          status: publicVersion === versionNumber ? 3 : 0,
        },
        created_at: new Date(createdAt).toISOString(),
      })),
    ];
  }

  #entry(article: ServiceArticle, language: string) {
    const { articleId, title, hidden, order, modifiedAt, publicVersion } = article;
    const modified_at = new Date(modifiedAt).toISOString();
    const latest_version = this.#versionOf(article);
    const status = this.#options.tellsStatus ? { status: publicVersion === latest_version ? 3 : 0 } : {};
    const fixed = {
      ...status,
      latest_version,
      public_version: publicVersion,
      language_code: language,
      content_type: 0,
    };
    return { id: articleId, title, hidden, order, slug: articleId, translation_option: 0, modified_at, ...fixed };
  }

  #whole(article: ServiceArticle, language: string) {
    const place = { category_id: EDITION.categoryId, project_version_id: EDITION.projectVersionId };
    const version_number = this.#versionOf(article);
    return {
      ...this.#entry(article, language),
      ...place,
      version_number,
      content: article.content,
      html_content: null,
    };
  }
}

const PROJECT_VERSION = {
  id: EDITION.projectVersionId,
  version_code_name: 'v1',
  is_main_version: true,
  language_versions: LANGUAGES.map((code) => ({ code, name: code, set_as_default: code === 'en' })),
};
