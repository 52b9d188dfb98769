import { useState } from 'react';
import { type ArticleChange, type ArticleDraft, draftOfArticle } from './article-drafts.ts';
import type { ArticleFieldsFragment } from './generated/graphql.ts';

/** The selected articles with their edits. They stay selected where they are not listed. */
export function useArticleSelection() {
  const [drafts, setDrafts] = useState<readonly ArticleDraft[]>([]);
  return {
    drafts,
    setDrafts,
    toggle(article: ArticleFieldsFragment) {
      const others = drafts.filter((draft) => draft.article.articleId !== article.articleId);
      setDrafts(others.length < drafts.length ? others : [...drafts, draftOfArticle(article)]);
    },
    /** Selects these too. What was selected before keeps its edits. */
    add: (found: readonly ArticleFieldsFragment[]) =>
      setDrafts((current) => {
        const selected = new Set(current.map(({ article }) => article.articleId));
        return [...current, ...found.filter(({ articleId }) => !selected.has(articleId)).map(draftOfArticle)];
      }),
    edit: (edited: ArticleDraft, change: ArticleChange) =>
      setDrafts(drafts.map((draft) => (draft === edited ? { ...draft, ...change } : draft))),
    /** A draft that was edited while the update was sent is another object by now, and stays selected. */
    drop: (updated: readonly ArticleDraft[]) => {
      const dropped = new Set(updated);
      setDrafts((current) => current.filter((draft) => !dropped.has(draft)));
    },
  };
}
