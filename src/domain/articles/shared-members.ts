import { isSameValue } from '../field-changes.ts';
import { createNotice, type Notice } from '../notices.ts';
import type { ArticleUpdate } from './bulk-updates.ts';

/** The members of an update that all languages and versions of an article share; null for the others. */
const SHARED_MEMBERS = {
  articleId: null,
  languageCode: null,
  title: null,
  content: null,
  htmlContent: null,
  categoryId: ({ categoryId }) => categoryId,
  hidden: ({ hidden }) => hidden,
  versionNumber: null,
  translationStatus: null,
  source: null,
  order: ({ order }) => order,
} as const satisfies Record<keyof ArticleUpdate, ((update: ArticleUpdate) => unknown) | null>;

/** The most articles that one notice names. */
const NAMED_ARTICLES = 10;

/** A warning for each shared member that items set differently for one article. */
export function sharedMemberWarnings(updates: readonly ArticleUpdate[]): readonly Notice[] {
  if (!hasRepeatedArticle(updates)) return [];
  return Object.entries(SHARED_MEMBERS).flatMap(([member, read]) => {
    if (read === null) return [];
    const first = new Map<string, unknown>();
    const conflicting = new Set<string>();
    for (const update of updates) {
      const { articleId } = update;
      const value = read(update);
      if (value == null) continue;
      if (!first.has(articleId)) first.set(articleId, value);
      else if (!isSameValue(first.get(articleId), value)) conflicting.add(articleId);
    }
    return conflicting.size === 0 ? [] : [createNotice(warningText(member, [...conflicting]))];
  });
}

/** Nearly no list names an article twice, so this one set takes the place of two for each member. */
function hasRepeatedArticle(updates: readonly ArticleUpdate[]): boolean {
  if (updates.length < 2) return false;
  const articleIds = new Set<string>();
  return updates.some(({ articleId }) => articleIds.size === articleIds.add(articleId).size);
}

function warningText(member: string, articleIds: readonly string[]): string {
  const more = articleIds.length - NAMED_ARTICLES;
  const named = articleIds.slice(0, NAMED_ARTICLES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return (
    `Items set ${member} of one article to different values. All languages of an article share ${member}, so the last ` +
    `item that is applied counts. Articles: ${named}.`
  );
}
