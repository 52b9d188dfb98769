import { createNotice, type Notice } from '../notices.ts';
import type { ArticleUpdate } from './bulk-updates.ts';

/** The members of an update that all languages and versions of an article share. */
const SHARED_MEMBERS = ['categoryId', 'hidden', 'order'] as const;

/** The most articles that one notice names. */
const NAMED_ARTICLES = 10;

/** A warning for each shared member that items set differently for one article. */
export function sharedMemberWarnings(updates: readonly ArticleUpdate[]): readonly Notice[] {
  if (!hasRepeatedArticle(updates)) return [];
  return SHARED_MEMBERS.flatMap((member) => {
    const first = new Map<string, unknown>();
    const conflicting = new Set<string>();
    for (const { articleId, [member]: value } of updates) {
      if (value == null) continue;
      if (!first.has(articleId)) first.set(articleId, value);
      else if (first.get(articleId) !== value) conflicting.add(articleId);
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
