import { useCallback, useMemo, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type ArticleList, patched, renewed } from './article-list.ts';

export interface Selection {
  /** The selected articles by their IDs. */
  readonly articles: ReadonlyMap<string, ArticleFieldsFragment>;
  /** How many of them the present filter does not show. */
  readonly notShown: number;
  readonly toggle: (article: ArticleFieldsFragment) => void;
  readonly add: (articles: readonly ArticleFieldsFragment[]) => void;
  readonly clear: () => void;
  /** Shows the updates in the selection, which costs no call. */
  readonly patch: ArticleList['patch'];
  readonly renew: ArticleList['renew'];
}

const byId = (articles: readonly ArticleFieldsFragment[]): Selection['articles'] =>
  new Map(articles.map((article) => [article.articleId, article]));

/** The selection, which stays when the filter of the list changes. */
export function useSelection(list: ArticleList): Selection {
  const [articles, setArticles] = useState<Selection['articles']>(new Map());
  const notShown = useMemo(() => {
    const shown = byId(list.articles);
    return [...articles.keys()].filter((id) => !shown.has(id)).length;
  }, [articles, list.articles]);
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
  const renew = useCallback<ArticleList['renew']>((read) => {
    setArticles((current) => byId(renewed([...current.values()], read)));
  }, []);
  return { articles, notShown, toggle, add, clear: () => setArticles(new Map()), patch, renew };
}
