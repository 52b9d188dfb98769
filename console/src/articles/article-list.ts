import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Api, type Failure, NO_ANSWER, readPages } from '../api.ts';
import { type ArticleFieldsFragment, ArticlesDocument, type ArticlesQueryVariables } from '../generated/graphql.ts';
import type { VersionLanguage, View } from '../view.ts';
import type { CategoryChoice } from './categories.ts';
import { type Edit, keyOf } from './edits.ts';

/** The number of articles that the service lists in one call. */
const PAGE_SIZE = 100;

/** The variables that select the articles of a list. */
export type ArticleQuery = Omit<ArticlesQueryVariables, 'first' | 'after'>;

export interface ArticleList {
  readonly articles: readonly ArticleFieldsFragment[];
  /** Null when the backend reports no total. */
  readonly total: number | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly failure: Failure | null;
  /** Reads the next page, unless one is being read. */
  loadMore(): void;
  /** Reads pages until there are so many articles, or no more. Null where the list was replaced meanwhile. */
  loadUntil(count: number): Promise<Loaded | null>;
  /** Reads the list again from its first page. */
  reload(): void;
  /** Shows the updates in the list, which costs no call. */
  patch(edits: readonly Edit[], categories: readonly CategoryChoice[]): void;
}

type Loaded = Pick<ArticleList, 'articles' | 'hasMore' | 'failure'>;

/**
 * The query of a view. A text is searched in the order of the backend, which is the only one where a service searches. The page
 * itself puts articles into the order of the category tree.
 */
export function articleQueryOf({ projectVersionId, languageCode }: VersionLanguage, view: View): ArticleQuery {
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

type State = Omit<ArticleList, 'loadMore' | 'loadUntil' | 'reload' | 'patch'> & {
  readonly cursor: string | null;
};

const EMPTY: State = { articles: [], total: null, isLoading: true, hasMore: false, failure: null, cursor: null };

/** What is known of a list, for rendering and for what reads on, with the functions that change its articles. */
function useKnown() {
  const [state, setState] = useState(EMPTY);
  const known = useRef(EMPTY);
  const put = useCallback((next: State) => {
    known.current = next;
    setState(next);
  }, []);
  const patch = useCallback<ArticleList['patch']>(
    (edits, categories) => put({ ...known.current, articles: patched(known.current.articles, edits, categories) }),
    [put],
  );
  return { state, known, put, patch };
}

/** Reads the pages of a list, one after another. It begins again when `reloads` changes. */
export function useArticleList(api: Api, query: ArticleQuery, reloads: number): ArticleList {
  const { state, known, put, patch } = useKnown();
  const key = JSON.stringify([query, reloads]);
  const pages = useRef({ run: 0, reading: Promise.resolve(), isReading: false });
  const read = useCallback(
    async (from: State) => {
      const run = from === EMPTY ? ++pages.current.run : pages.current.run;
      pages.current.isReading = true;
      put({ ...from, isLoading: true, failure: null });
      const next = await readPage(api, JSON.parse(key)[0], from);
      // Another list was requested meanwhile.
      if (run !== pages.current.run) return;
      pages.current.isReading = false;
      // The known articles may have been updated meanwhile.
      const { articles } = known.current;
      put({ ...next, articles: [...articles, ...next.articles.slice(articles.length)] });
    },
    [api, key, known, put],
  );
  const begin = useCallback((from: State) => (pages.current.reading = read(from)), [read]);
  useEffect(() => {
    void begin(EMPTY);
    return () => {
      pages.current.run++;
    };
  }, [begin]);
  const loadMore = () => {
    if (!pages.current.isReading && state.hasMore) void begin(state);
  };
  const loadUntil = async (count: number): Promise<Loaded | null> => {
    const { run } = pages.current;
    for (;;) {
      await pages.current.reading;
      if (pages.current.run !== run) return null;
      const { articles, hasMore, failure } = known.current;
      if (articles.length >= count || !hasMore || failure) return known.current;
      await begin(known.current);
    }
  };
  return { ...state, loadMore, loadUntil, reload: () => void begin(EMPTY), patch };
}

/** The most articles that are read without scrolling, to sort them by title as people expect. */
const MOST_SORTED = 2_000;

/**
 * The list in the order of the view, by title or by category tree as people of its language expect: 2 before 10. The whole list
 * is read for it, up to so many articles that this costs little; a longer one has the backend's order of titles until its last page.
 */
export function useSortedList(
  list: ArticleList,
  { order, language, categories }: { order: View['order']; language: string; categories: readonly CategoryChoice[] },
): ArticleList {
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
      isWhole && order !== 'MODIFIED_AT_DESC' ? articles.toSorted(comparing(order, language, categories)) : articles,
    [isWhole, order, language, categories, articles],
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

async function readPage(api: Api, query: ArticleQuery, known: State): Promise<State> {
  const { data, failure } = await api.send(ArticlesDocument, { ...query, first: PAGE_SIZE, after: known.cursor });
  if (failure) return { ...known, isLoading: false, failure };
  const { nodes = [], pageInfo, totalCount = null } = data.articles ?? {};
  return {
    articles: [...known.articles, ...nodes],
    total: totalCount,
    hasMore: pageInfo?.hasNextPage ?? false,
    cursor: pageInfo?.endCursor ?? null,
    isLoading: false,
    failure: null,
  };
}

/** The most articles that can be selected. */
export const MAX_SELECTED = 10_000;

/** Reads the pages of a list, at most `MAX_SELECTED` articles, until there are enough. */
export const readList = (api: Api, query: ArticleQuery, areEnough?: (read: State['articles']) => boolean) =>
  readPages<ArticleFieldsFragment>(
    MAX_SELECTED / PAGE_SIZE,
    async (after) => {
      const { data, failure } = await api.send(ArticlesDocument, { ...query, first: PAGE_SIZE, after });
      return data?.articles ?? failure?.message ?? NO_ANSWER;
    },
    areEnough,
  );

/** Reads the list of a version and language until these articles are found, and returns what it has read by ID. */
export async function findArticles(api: Api, versionLanguage: VersionLanguage, ids: Iterable<string>) {
  const wanted = [...ids];
  const query: ArticleQuery = { ...versionLanguage, categoryId: null, filter: null, orderBy: 'ID' };
  const { nodes, problem } = await readList(api, query, (read) => {
    const found = new Set(read.map(({ articleId }) => articleId));
    return wanted.every((id) => found.has(id));
  });
  return { articles: new Map(nodes.map((article) => [article.articleId, article])), problem };
}
