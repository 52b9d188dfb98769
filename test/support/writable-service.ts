import { type Behaviour, envelope, type FaultyService, json, type Received } from './faulty-service.ts';
import { listedEntry } from './service-editions.ts';

/** An item of a bulk update as the service received it. */
export type SentItem = { readonly article_id: string } & Readonly<Record<string, unknown>>;

/** A service with one edition whose articles can be written, and which keeps all items that it got. */
export interface WritableService {
  /** The items of each call, in the order of the calls. */
  readonly calls: readonly (readonly SentItem[])[];
  readonly applied: readonly SentItem[];
  /** The items of each call that publishes, with the language. */
  readonly publications: readonly { readonly languageCode: string; readonly items: readonly SentItem[] }[];
  /** The values of an article; undefined when there is none. */
  article(articleId: string): Readonly<Record<string, unknown>> | undefined;
  /** Behaves so for the next bulk updates, one after another, and then as a healthy service. */
  onNextWrites(...behaviours: readonly WriteBehaviour[]): void;
  /** The same for the next calls that publish. */
  onNextPublications(...behaviours: readonly WriteBehaviour[]): void;
  /** Answers all reads so; null: as a healthy service. */
  onReads(behaviour: Behaviour | null): void;
}

/** `apply` writes the items, and returns the behaviour that answers with their outcomes. */
export type WriteBehaviour = (apply: () => Behaviour) => Behaviour;

export const healthyWrite: WriteBehaviour = (apply) => apply();

/** Writes the items, and then behaves like that. */
export const applyThen =
  (behaviour: Behaviour): WriteBehaviour =>
  (apply) => {
    apply();
    return behaviour;
  };

export const unapplied =
  (behaviour: Behaviour): WriteBehaviour =>
  () =>
    behaviour;

/** `shownId` is how answers write an ID. */
export function serveWritable(
  service: FaultyService,
  articleIds: readonly string[],
  shownId: (id: string) => string = (id) => id,
): WritableService {
  const articles = new Map<string, Record<string, unknown>>(articleIds.map((id) => [id, { ...initialArticle(id) }]));
  const calls: (readonly SentItem[])[] = [];
  const applied: SentItem[] = [];
  const publications: { languageCode: string; items: readonly SentItem[] }[] = [];
  const next: WriteBehaviour[] = [];
  const nextPublications: WriteBehaviour[] = [];
  let reads: Behaviour | null = null;

  const apply = (items: readonly SentItem[]): Behaviour => {
    const results = items.map((item) => {
      const { article_id, translation_option, ...members } = item;
      const article = articles.get(article_id);
      if (article === undefined) return { article_id, success: false, errors: [{ description: 'No such article.' }] };
      Object.assign(article, members, { modified_at: new Date().toISOString() });
      applied.push(item);
      return { article_id: shownId(article_id), success: true };
    });
    return json(200, envelope(results));
  };
  service.on('PUT /v2/Articles/bulkupdate', (response, request) => {
    const items = itemsOf(request);
    calls.push(items);
    return (next.shift() ?? healthyWrite)(() => apply(items))(response, request);
  });
  const publish = (items: readonly SentItem[]): Behaviour => {
    const [done] = items.filter(({ article_id, version_number }) => {
      const article = articles.get(article_id);
      if (article === undefined) throw new Error('An article that does not exist is published.');
      const isDone = article['public_version'] === version_number;
      Object.assign(article, { public_version: version_number, status: 3 });
      return isDone;
    });
    if (done === undefined) return json(200, envelope(items.map(({ article_id }) => ({ article_id, success: true }))));
    const description = `Failed to publish article with an id ${done.article_id}\r\nError: Article has already been published.`;
    return json(400, { success: false, errors: [{ description }] });
  };
  service.on('POST /v2/Articles/bulkpublish/en', (response, request) => {
    const items = itemsOf(request);
    publications.push({ languageCode: 'en', items });
    return (nextPublications.shift() ?? healthyWrite)(() => publish(items))(response, request);
  });
  service.onAny((response, request) => (reads ?? readOf(articles, request, shownId))(response, request));
  return {
    calls,
    applied,
    article: (articleId) => articles.get(articleId),
    onNextWrites: (...behaviours) => void next.push(...behaviours),
    publications,
    onNextPublications: (...behaviours) => void nextPublications.push(...behaviours),
    onReads: (behaviour) => {
      reads = behaviour;
    },
  };
}

const itemsOf = ({ body }: Received): readonly SentItem[] => {
  if (!Array.isArray(body)) throw new Error('The body of a bulk update is no list.');
  return body;
};

const initialArticle = (id: string) => ({
  ...listedEntry(id, 'en'),
  version_number: 3,
  public_version: 2,
  status: 0,
  content: `text of ${id}`,
  html_content: null,
  category_id: 'category',
  project_version_id: 'version',
  modified_at: '2020-01-01T00:00:00Z',
  is_fall_back_content: false,
});

const VERSION = {
  id: 'version',
  version_code_name: 'version',
  is_main_version: true,
  language_versions: [{ code: 'en', name: 'English', set_as_default: true }],
};

function readOf(
  articles: ReadonlyMap<string, Record<string, unknown>>,
  { url }: Received,
  shownId: (id: string) => string,
): Behaviour {
  const [, , resource, id = '', kind = ''] = new URL(url, 'http://service').pathname.split('/').map(decodeURIComponent);
  const article = articles.get(id);
  const shown = new Map([...articles].map(([key, values]) => [key, { ...values, id: shownId(key) }] as const));
  const entries = [...shown.values()].map(
    ({ content: _c, html_content: _h, category_id: _k, ...entry }: Record<string, unknown>) => entry,
  );
  if (resource === 'Articles' && article !== undefined) return json(200, envelope(article));
  if (resource === 'ProjectVersions' && id === '') return json(200, envelope([VERSION]));
  if (resource === 'ProjectVersions' && kind === 'articles') return json(200, envelope(entries));
  return json(400, { success: false, errors: [{ description: 'Not found.' }] });
}
