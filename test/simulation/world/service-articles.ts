import { z } from 'zod';
import type { VirtualTime } from './virtual-time.ts';

const EDITION = { projectVersionId: 'version', languageCode: 'en', categoryId: 'category' } as const;

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
}

const update = z.object({
  article_id: z.string(),
  title: z.string(),
  content: z.string().optional(),
  hidden: z.boolean().optional(),
  order: z.int().optional(),
});

const publication = z.object({ article_id: z.string(), version_number: z.int(), publish_message: z.string() });

export type ReceivedUpdate = ReturnType<ServiceArticles['decodeItems']>[number];

/** The articles of a service with one edition, and its reads. */
export class ServiceArticles {
  readonly #time: VirtualTime;
  readonly #updatesInPlace: boolean;
  readonly #articles: Map<string, ServiceArticle>;

  constructor(time: VirtualTime, articleIds: readonly string[], updatesInPlace = false) {
    this.#time = time;
    this.#updatesInPlace = updatesInPlace;
    const modifiedAt = time.epochNow - 86_400_000;
    this.#articles = new Map(
      articleIds.map((articleId) => {
        const empty = { title: 'before', content: 'before', hidden: false, order: 1, modifiedAt, titles: ['before'] };
        const publicVersion = 0;
        return [articleId, { articleId, ...empty, publicVersion }];
      }),
    );
  }

  get all(): Iterable<ServiceArticle> {
    return this.#articles.values();
  }

  find(articleId: string): ServiceArticle {
    const article = this.#articles.get(articleId);
    if (article === undefined) throw new Error(`There is no article ${articleId}.`);
    return article;
  }

  decodeItems(body: Uint8Array) {
    return z
      .array(update)
      .parse(JSON.parse(Buffer.from(body).toString()))
      .map(({ article_id: articleId, ...fields }) => ({ articleId, ...fields }));
  }

  decodePublications(body: Uint8Array) {
    return z
      .array(publication)
      .parse(JSON.parse(Buffer.from(body).toString()))
      .map(({ article_id: articleId, version_number: version, publish_message: job }) => ({ articleId, version, job }));
  }

  publish(articleId: string, version: number): void {
    this.find(articleId).publicVersion = version;
  }

  apply({ articleId, ...fields }: ReceivedUpdate): void {
    const article = this.find(articleId);
    const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
    Object.assign(article, Object.fromEntries(sent), { modifiedAt: this.#time.epochNow });
    article.titles.push(fields.title);
  }

  /** The payload of a read by its URL. */
  read(url: string): unknown {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.toLowerCase().split('/').slice(2);
    const [collection, id = ''] = path;
    if (collection === 'articles') return this.#whole(this.find(decodeURIComponent(pathname.split('/')[3] ?? id)));
    if (path.length === 1) return [PROJECT_VERSION];
    const entries = [...this.#articles.values()].map((article) => this.#entry(article));
    if (path.at(-1) === 'articles') {
      const [page, size] = [searchParams.get('page'), Number(searchParams.get('hitsPerPage'))];
      return page === null ? entries.slice(0, 1_000) : entries.slice(Number(page) * size, (Number(page) + 1) * size);
    }
    return [{ id: EDITION.categoryId, name: 'All', order: 1, articles: entries, child_categories: [] }];
  }

  #entry({ articleId, title, hidden, order, modifiedAt, titles, publicVersion }: ServiceArticle) {
    const modified_at = new Date(modifiedAt).toISOString();
    const versions = { latest_version: this.#updatesInPlace ? 1 : titles.length, public_version: publicVersion };
    const fixed = { ...versions, language_code: EDITION.languageCode, content_type: 0 };
    return { id: articleId, title, hidden, order, slug: articleId, translation_option: 0, modified_at, ...fixed };
  }

  #whole(article: ServiceArticle) {
    const place = { category_id: EDITION.categoryId, project_version_id: EDITION.projectVersionId };
    const version_number = this.#updatesInPlace ? 1 : article.titles.length;
    return { ...this.#entry(article), ...place, version_number, content: article.content, html_content: null };
  }
}

const PROJECT_VERSION = {
  id: EDITION.projectVersionId,
  version_code_name: 'v1',
  is_main_version: true,
  language_versions: [{ code: EDITION.languageCode, name: 'English', set_as_default: true }],
};
