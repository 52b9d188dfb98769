import { useCallback, useEffect, useRef, useState } from 'react';
import type { Api, Failure } from '../api.ts';
import { type ArticleFieldsFragment, ArticlesDocument, type ArticlesQueryVariables } from '../generated/graphql.ts';
import type { View } from '../view.ts';
import type { CategoryChoice } from './categories.ts';
import { type Edit, keyOf } from './edits.ts';
import type { VersionLanguage } from './version-language.ts';

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
  /** Reads the list again from its first page. */
  reload(): void;
  /** Shows the updates in the list, which costs no call. */
  patch(edits: readonly Edit[], categories: readonly CategoryChoice[]): void;
}

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
    orderBy: order,
  };
}

type State = Omit<ArticleList, 'loadMore' | 'reload' | 'patch'> & { readonly cursor: string | null };

const EMPTY: State = { articles: [], total: null, isLoading: true, hasMore: false, failure: null, cursor: null };

/** Reads the pages of a list, one after another. It begins again when `reloads` changes. */
export function useArticleList(api: Api, query: ArticleQuery, reloads: number): ArticleList {
  const [state, setState] = useState(EMPTY);
  const key = JSON.stringify([query, reloads]);
  const pages = useRef({ run: 0, isReading: false });
  const read = useCallback(
    async (known: State) => {
      const run = ++pages.current.run;
      pages.current.isReading = true;
      setState({ ...known, isLoading: true, failure: null });
      const next = await readPage(api, JSON.parse(key)[0], known);
      // Another list was requested meanwhile.
      if (run !== pages.current.run) return;
      pages.current.isReading = false;
      setState(next);
    },
    [api, key],
  );
  useEffect(() => {
    void read(EMPTY);
    return () => {
      pages.current.run++;
    };
  }, [read]);
  const loadMore = () => {
    if (!pages.current.isReading && state.hasMore) void read(state);
  };
  const patch = useCallback<ArticleList['patch']>((edits, categories) => {
    setState((current) => ({ ...current, articles: patched(current.articles, edits, categories) }));
  }, []);
  return { ...state, loadMore, reload: () => void read(EMPTY), patch };
}

/** The articles after edits. Lists have no texts. */
export function patched(
  articles: State['articles'],
  edits: readonly Edit[],
  categories: readonly CategoryChoice[],
): State['articles'] {
  const changes = new Map(edits.map(({ article, change }) => [keyOf(article), change]));
  return articles.map((article) => {
    const { categoryId, content: _text, ...change } = changes.get(keyOf(article)) ?? {};
    const name =
      categories
        .find((choice) => choice.categoryId === categoryId)
        ?.path.split(' / ')
        .at(-1) ?? '';
    return { ...article, ...change, ...(categoryId !== undefined && { category: { categoryId, name } }) };
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
const MAX_SELECTED = 10_000;

/** Reads the pages of a list, at most `MAX_SELECTED` articles, until there are enough. */
export async function readListUntil(
  api: Api,
  query: ArticleQuery,
  areEnough: (articles: State['articles']) => boolean,
): Promise<State> {
  let list = EMPTY;
  do list = await readPage(api, query, list);
  while (list.hasMore && list.failure === null && list.articles.length < MAX_SELECTED && !areEnough(list.articles));
  return list;
}

/** Reads all pages of a list, at most `MAX_SELECTED` articles. */
export const readWholeList = (api: Api, query: ArticleQuery): Promise<State> => readListUntil(api, query, () => false);
