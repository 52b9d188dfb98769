import { useCallback, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type ArticleList, patched } from './article-list.ts';

export interface Selection {
  /** The selected articles by their IDs. */
  readonly articles: ReadonlyMap<string, ArticleFieldsFragment>;
  readonly toggle: (article: ArticleFieldsFragment) => void;
  readonly add: (articles: readonly ArticleFieldsFragment[]) => void;
  readonly clear: () => void;
  /** Shows the updates in the selection, which costs no call. */
  readonly patch: ArticleList['patch'];
}

export function useSelection(): Selection {
  const [articles, setArticles] = useState<Selection['articles']>(new Map());
  const add = (added: readonly ArticleFieldsFragment[]) =>
    setArticles((current) => new Map([...current, ...added.map((article) => [article.articleId, article] as const)]));
  const toggle = useCallback((article: ArticleFieldsFragment) => {
    setArticles((current) => {
      const next = new Map(current);
      if (!next.delete(article.articleId)) next.set(article.articleId, article);
      return next;
    });
  }, []);
  const patch = useCallback<ArticleList['patch']>((edits, categories) => {
    setArticles(
      (current) =>
        new Map(patched([...current.values()], edits, categories).map((article) => [article.articleId, article])),
    );
  }, []);
  return { articles, toggle, add, clear: () => setArticles(new Map()), patch };
}
