import { useCallback, useMemo, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';

export interface Selection {
  /** The selected articles by their IDs. */
  readonly articles: ReadonlyMap<string, ArticleFieldsFragment>;
  readonly toggle: (article: ArticleFieldsFragment) => void;
  readonly add: (articles: readonly ArticleFieldsFragment[]) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [articles, setArticles] = useState<Selection['articles']>(new Map());
  const add = useCallback((added: readonly ArticleFieldsFragment[]) => {
    setArticles((current) => new Map([...current, ...added.map((article) => [article.articleId, article] as const)]));
  }, []);
  const toggle = useCallback((article: ArticleFieldsFragment) => {
    setArticles((current) => {
      const next = new Map(current);
      if (!next.delete(article.articleId)) next.set(article.articleId, article);
      return next;
    });
  }, []);
  const clear = useCallback(() => setArticles(new Map()), []);
  return useMemo(() => ({ articles, toggle, add, clear }), [articles, toggle, add, clear]);
}
