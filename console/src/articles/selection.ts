import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type ArticleList, patched } from './article-list.ts';

/** The type of dragged articles, whose data are their IDs with spaces between. */
export const DRAGGED_ARTICLES = 'application/x-kb-articles';

export interface Selection {
  /** The selected articles by their IDs. */
  readonly articles: ReadonlyMap<string, ArticleFieldsFragment>;
  /** How many of them the present filter does not show. */
  readonly notShown: number;
  readonly toggle: (article: ArticleFieldsFragment) => void;
  readonly add: (articles: readonly ArticleFieldsFragment[]) => void;
  readonly clear: () => void;
  /** Puts the IDs of what is dragged into its data: an article alone, or the selection where that holds it. */
  readonly drag: (dataTransfer: DataTransfer, articleId: string) => void;
  /** Shows the updates in the selection, which costs no call. */
  readonly patch: ArticleList['patch'];
}

const byId = (articles: readonly ArticleFieldsFragment[]): Selection['articles'] =>
  new Map(articles.map((article) => [article.articleId, article]));

/** The selection, which stays when the filter of the list changes. */
export function useSelection(list: ArticleList): Selection {
  const [selected, setArticles] = useState<Selection['articles']>(new Map());
  const { articles, notShown } = useMemo(() => {
    const shown = byId(list.articles);
    const all = [...selected].map(([id, article]) => shown.get(id) ?? article);
    return { articles: byId(all), notShown: all.filter(({ articleId }) => !shown.has(articleId)).length };
  }, [selected, list.articles]);
  const add = (added: readonly ArticleFieldsFragment[]) =>
    setArticles((current) => new Map([...current, ...byId(added)]));
  const toggle = useCallback((article: ArticleFieldsFragment) => {
    setArticles((current) => {
      const next = new Map(current);
      if (!next.delete(article.articleId)) next.set(article.articleId, article);
      return next;
    });
  }, []);
  const patch = useCallback<ArticleList['patch']>((edits, categories) => {
    setArticles((current) => byId(patched([...current.values()], edits, categories)));
  }, []);
  const latest = useRef(articles);
  useEffect(() => {
    latest.current = articles;
  });
  const drag = useCallback<Selection['drag']>((dataTransfer, articleId) => {
    const ids = latest.current.has(articleId) ? [...latest.current.keys()] : [articleId];
    dataTransfer.setData(DRAGGED_ARTICLES, ids.join(' '));
    dataTransfer.effectAllowed = 'move';
  }, []);
  return { articles, drag, notShown, toggle, add, clear: () => setArticles(new Map()), patch };
}
