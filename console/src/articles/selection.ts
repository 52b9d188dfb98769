import { useCallback, useMemo, useRef, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type ArticleList, patched } from './article-list.ts';

/** The type of dragged articles, whose data are their IDs with spaces between. */
export const DRAGGED_ARTICLES = 'application/x-kb-articles';

const byId = (articles: readonly ArticleFieldsFragment[]): ReadonlyMap<string, ArticleFieldsFragment> =>
  new Map(articles.map((article) => [article.articleId, article]));

/** The selected articles by their IDs, which stay when the filter of the list changes, and how many of them that does not show. */
export function useSelection(list: ArticleList) {
  const [selected, setArticles] = useState(() => byId([]));
  const { articles, notShown } = useMemo(() => {
    const shown = byId(list.articles);
    const all = [...selected].map(([id, article]) => shown.get(id) ?? article);
    return { articles: byId(all), notShown: all.filter(({ articleId }) => !shown.has(articleId)).length };
  }, [selected, list.articles]);
  const add = (added: readonly ArticleFieldsFragment[]) =>
    setArticles((current) => new Map([...current, ...byId(added)]));
  const latest = useRef({ shown: list.articles, articleId: '' });
  latest.current.shown = list.articles;
  /** Selects an article or takes it out, alone or with all between the last one and it. */
  const toggle = useCallback((article: ArticleFieldsFragment, isRange: boolean) => {
    const { shown, articleId } = latest.current;
    const ends = [articleId, article.articleId].map((id) => shown.findIndex((one) => one.articleId === id));
    const isKnown = isRange && !ends.includes(-1);
    const run = isKnown ? shown.slice(Math.min(...ends), Math.max(...ends) + 1) : [article];
    latest.current.articleId = article.articleId;
    setArticles((current) => {
      if (!current.has(article.articleId)) return new Map([...current, ...byId(run)]);
      const left = byId(run);
      return new Map([...current].filter(([id]) => !left.has(id)));
    });
  }, []);
  /** Shows the updates in the selection, which costs no call. */
  const patch = useCallback<ArticleList['patch']>((edits, categories) => {
    setArticles((current) => byId(patched([...current.values()], edits, categories)));
  }, []);
  /** Puts the IDs of what is dragged into its data: an article alone, or the selection where that holds it. */
  const drag = (dataTransfer: DataTransfer, articleId: string) => {
    const ids = articles.has(articleId) ? [...articles.keys()] : [articleId];
    dataTransfer.setData(DRAGGED_ARTICLES, ids.join(' '));
    dataTransfer.effectAllowed = 'move';
  };
  return { articles, drag, notShown, toggle, add, clear: () => setArticles(new Map()), patch };
}

export type Selection = ReturnType<typeof useSelection>;
