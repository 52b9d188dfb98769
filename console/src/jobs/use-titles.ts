import { useCallback, useEffect, useMemo, useState } from 'react';
import { findArticles } from '../articles/article-list.ts';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { useShared } from '../shared.ts';

type Articles = ReadonlyMap<string, ArticleFieldsFragment>;

export interface Titles {
  articleOf(articleId: string): ArticleFieldsFragment | undefined;
  /** Reads the list of articles until these are found. */
  find(articleIds: readonly string[]): Promise<Articles>;
}

/** The articles of jobs, as this page has changed them, or else in the list of the version and language that is shown. */
export function useTitles(): Titles {
  const { api, versionLanguage, work } = useShared();
  const [found, setFound] = useState<Articles>(new Map());
  const known = useMemo(() => {
    const ended = [...work.ended.values()].flatMap(({ toUndo, rest }) => [...toUndo, ...rest.map(({ item }) => item)]);
    const edits = [...work.edits.values(), ...work.unknown.values(), ...ended];
    return new Map(edits.map(({ article }) => [article.articleId, article]));
  }, [work]);
  const find = useCallback<Titles['find']>(
    async (articleIds) => {
      const read = versionLanguage && (await findArticles(api, versionLanguage, articleIds));
      if (read) setFound(read.articles);
      return read?.articles ?? new Map();
    },
    [api, versionLanguage],
  );
  return { articleOf: (articleId) => found.get(articleId) ?? known.get(articleId), find };
}

export function useTitlesOf({ find }: Titles, items: readonly { readonly articleId: string }[]): void {
  const ids = items.map(({ articleId }) => articleId).join(' ');
  useEffect(() => {
    if (ids !== '') void find(ids.split(' '));
  }, [find, ids]);
}
