import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Api, type Failure, NO_ANSWER, readPages } from '../api.ts';
import { type ArticleFieldsFragment, ArticlesDocument, type ArticlesQueryVariables } from '../generated/graphql.ts';
import { useShared } from '../shared.ts';
import type { VersionLanguage, View } from '../view.ts';
import type { CategoryChoice } from './categories.ts';
import { type Edit, keyOf } from './edits.ts';

/** The number of articles that the service lists in one call. */
const PAGE_SIZE = 100;

/** The variables that select the articles of a list. */
type ArticleQuery = Omit<ArticlesQueryVariables, 'first' | 'after'>;

interface State {
  readonly articles: readonly ArticleFieldsFragment[];
  /** Null when the backend reports no total. */
  readonly total: number | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** The end of the last page that was read. */
  readonly cursor: string | null;
  readonly failure: Failure | null;
}

export interface ArticleList extends State {
  /** Reads the next page, unless one is being read. */
  loadMore(): void;
  /** Reads pages until there are so many articles, or no more. Null where the list was replaced meanwhile. */
  loadUntil(count: number): Promise<State | null>;
  /** Reads the list again from its first page. */
  reload(): void;
  /** Shows the updates in the list, which costs no call. */
  patch(edits: readonly Edit[], categories: readonly CategoryChoice[]): void;
}

/**
 * The query of a view. A text is searched in the order of the backend, which is the only one where a service searches. The page
 * itself puts articles into the order of the category tree.
 */
function articleQueryOf({ projectVersionId, languageCode }: VersionLanguage, view: View): ArticleQuery {
  const { text, hidden, translation, status, since, category, order } = view;
  const filter = {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(hidden !== '' && { hidden: hidden === 'true' }),
    ...(translation !== '' && { translationStatus: [translation] }),
    ...(status !== '' && { status: [status] }),
    ...(since !== '' && { modifiedSince: `${since}T00:00:00Z` }),
  };
  return {
    projectVersionId,
    languageCode,
    categoryId: category === '' ? null : category,
    filter: Object.keys(filter).length === 0 ? null : filter,
    orderBy: text.trim() === '' ? (order === 'CATEGORY' ? 'TITLE' : order) : 'ID',
  };
}

const EMPTY: State = { articles: [], total: null, isLoading: true, hasMore: false, failure: null, cursor: null };

/** Reads the pages of the list of the view, one after another. It begins again when `reloads` changes. */
export function useArticleList(): ArticleList {
  const { api, view, versionLanguage, reloads } = useShared();
  const [state, setState] = useState(EMPTY);
  const key = JSON.stringify([articleQueryOf(versionLanguage, view), reloads]);
  // What is known, for what reads on, with the number of the list and the end of the last reading.
  const latest = useRef({ known: EMPTY, run: 0, reading: Promise.resolve() });
  const put = useCallback((next: State) => {
    latest.current.known = next;
    setState(next);
  }, []);
  const read = useCallback(
    async (from: State) => {
      const run = from === EMPTY ? ++latest.current.run : latest.current.run;
      put({ ...from, isLoading: true, failure: null });
      const { articles, ...next } = await readPage(api, JSON.parse(key)[0], from);
      // Another list was requested meanwhile. Otherwise, the known articles may have been updated.
      if (run === latest.current.run) put({ ...next, articles: [...latest.current.known.articles, ...articles] });
    },
    [api, key, put],
  );
  const begin = useCallback((from: State) => (latest.current.reading = read(from)), [read]);
  useEffect(() => {
    void begin(EMPTY);
    return () => {
      latest.current.run++;
    };
  }, [begin]);
  const loadMore = () => {
    const { known } = latest.current;
    if (!known.isLoading && known.hasMore) void begin(known);
  };
  const loadUntil = async (count: number): Promise<State | null> => {
    const { run } = latest.current;
    for (;;) {
      await latest.current.reading;
      if (latest.current.run !== run) return null;
      const { known } = latest.current;
      if (known.articles.length >= count || !known.hasMore || known.failure) return known;
      await begin(known);
    }
  };
  const patch = useCallback<ArticleList['patch']>(
    (edits, categories) => {
      const { known } = latest.current;
      put({ ...known, articles: patched(known.articles, edits, categories) });
    },
    [put],
  );
  return { ...state, loadMore, loadUntil, reload: () => void begin(EMPTY), patch };
}

/** The most articles that are read without scrolling, to sort them by title as people expect. */
const MOST_SORTED = 2_000;

/**
 * The list in the order of the view, by title or by category tree as people of its language expect: 2 before 10. The whole list
 * is read for it, up to so many articles that this costs little; a longer one has the backend's order of titles until its last page.
 */
export function useSortedList(list: ArticleList): ArticleList {
  const { view, versionLanguage, categories } = useShared();
  const { order } = view;
  const { articles, hasMore, failure, isLoading, total, loadMore } = list;
  const isWhole = !hasMore && failure === null;
  const readsAll =
    hasMore &&
    failure === null &&
    !isLoading &&
    (order === 'CATEGORY'
      ? articles.length < MAX_SELECTED
      : order === 'TITLE' && (total ?? Number.POSITIVE_INFINITY) <= MOST_SORTED);
  useEffect(() => {
    if (readsAll) loadMore();
  });
  const sorted = useMemo(
    () =>
      isWhole && order !== 'MODIFIED_AT_DESC'
        ? articles.toSorted(comparing(order, versionLanguage.languageCode, categories))
        : articles,
    [isWhole, order, versionLanguage.languageCode, categories, articles],
  );
  return { ...list, articles: sorted };
}

function comparing(order: View['order'], language: string, categories: readonly CategoryChoice[]) {
  const collator = new Intl.Collator(Intl.Collator.supportedLocalesOf(language), { numeric: true });
  const ranks = new Map(categories.map(({ categoryId }, rank) => [categoryId, rank]));
  const rankOf = ({ category }: ArticleFieldsFragment) => ranks.get(category?.categoryId ?? '') ?? ranks.size;
  return (one: ArticleFieldsFragment, other: ArticleFieldsFragment): number =>
    (order === 'CATEGORY' &&
      (rankOf(one) - rankOf(other) || (one.order ?? Number.MAX_VALUE) - (other.order ?? Number.MAX_VALUE))) ||
    collator.compare(one.title ?? '', other.title ?? '') ||
    (one.articleId < other.articleId ? -1 : 1);
}

/** The articles after edits, which have the time of the change. Lists have no texts. */
export function patched(
  articles: State['articles'],
  edits: readonly Edit[],
  categories: readonly CategoryChoice[],
): State['articles'] {
  const changes = new Map(edits.map((edit) => [keyOf(edit.article), edit]));
  return articles.map((article) => {
    const edit = changes.get(keyOf(article));
    if (edit === undefined) return article;
    const { categoryId, content: _text, ...change } = edit.change;
    const name = categories.find((choice) => choice.categoryId === categoryId)?.name ?? '';
    const category = categoryId === undefined ? article.category : { categoryId, name };
    const { modifiedAt, status, latestVersionNumber } = edit.article;
    const isDraft = (latestVersionNumber ?? 0) > (article.latestVersionNumber ?? 0);
    return { ...article, ...change, category, modifiedAt, ...(isDraft && { status, latestVersionNumber }) };
  });
}

/** The state after the next page, with the articles of that page alone. */
async function readPage(api: Api, query: ArticleQuery, known: State): Promise<State> {
  const { data, failure } = await api.send(ArticlesDocument, { ...query, first: PAGE_SIZE, after: known.cursor });
  if (failure) return { ...known, articles: [], isLoading: false, failure };
  const { nodes: articles = [], pageInfo, totalCount: total = null } = data.articles ?? {};
  const { hasNextPage: hasMore = false, endCursor: cursor = null } = pageInfo ?? {};
  return { articles, total, hasMore, cursor, isLoading: false, failure: null };
}

/** The most articles that can be selected. */
export const MAX_SELECTED = 10_000;

/** Reads the list of a version and language until these articles are found, and returns what it has read by ID. */
export async function findArticles(api: Api, versionLanguage: VersionLanguage, ids: Iterable<string>) {
  const wanted = [...ids];
  const { nodes, problem } = await readPages<ArticleFieldsFragment>(
    MAX_SELECTED / PAGE_SIZE,
    async (after) => {
      const variables = { ...versionLanguage, orderBy: 'ID', first: PAGE_SIZE, after } as const;
      const { data, failure } = await api.send(ArticlesDocument, variables);
      return data?.articles ?? failure?.message ?? NO_ANSWER;
    },
    (read) => {
      const found = new Set(read.map(({ articleId }) => articleId));
      return wanted.every((id) => found.has(id));
    },
  );
  return { articles: new Map(nodes.map((article) => [article.articleId, article])), problem };
}
