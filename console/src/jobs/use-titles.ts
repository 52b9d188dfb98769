import { useEffect, useMemo, useState } from 'react';
import { findArticles } from '../articles/article-list.ts';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { useShared } from '../shared.ts';

/** The articles of items, as this page has changed them, or else in the list of the version and language that is shown. */
export function useTitles(items: readonly { readonly articleId: string }[]) {
  const { api, versionLanguage, work } = useShared();
  const [found, setFound] = useState<ReadonlyMap<string, ArticleFieldsFragment>>(new Map());
  const known = useMemo(() => {
    const ended = [...work.ended.values()].flatMap(({ toUndo, rest }) => [...toUndo, ...rest.map(({ item }) => item)]);
    const edits = [...work.edits.values(), ...work.unknown.values(), ...ended];
    return new Map(edits.map(({ article }) => [article.articleId, article]));
  }, [work]);
  const ids = items.map(({ articleId }) => articleId).join(' ');
  useEffect(() => {
    if (ids === '' || versionLanguage === null) return;
    void findArticles(api, versionLanguage, ids.split(' ')).then(({ articles }) => setFound(articles));
  }, [api, versionLanguage, ids]);
  return (articleId: string) => found.get(articleId) ?? known.get(articleId);
}
