import { idProblem, textProblem } from '../../base/text.ts';
import type { InputIssue, Validation } from '../errors.ts';
import { isSameValue } from '../field-changes.ts';
import { createNotice, type Notice, type Notices, type ServiceError } from '../notices.ts';
import type { ArticleOutcome } from './article-outcomes.ts';
import type { ArticleKey, ArticleTranslationStatus } from './articles.ts';

/** Changes to an article in one language. An absent member is not sent to the service; null is sent as null. */
export interface ArticleUpdate {
  /** Empty when a REST caller sent no ID. No article has the empty ID, so the item fails. */
  readonly articleId: string;
  readonly languageCode?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly htmlContent?: string | null | undefined;
  readonly categoryId?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly versionNumber?: number | null | undefined;
  readonly translationStatus?: ArticleTranslationStatus | null | undefined;
  readonly source?: string | null | undefined;
  readonly order?: number | undefined;
}

/** An update as the caller sent it, before validation. */
export type ArticleUpdateDraft = Omit<ArticleUpdate, 'hidden' | 'order'> & {
  readonly hidden?: boolean | null | undefined;
  readonly order?: number | null | undefined;
};

/** A bulk update with an outcome for each item, in the order of the items. */
export interface CompletedBulkUpdate extends Notices {
  readonly outcomes: readonly ArticleOutcome[];
  readonly serviceErrors: readonly ServiceError[];
}

/** The service's text for a bulk update without items: see docs/service.md, "Bulk article update". */
export const EMPTY_BULK_UPDATE_TEXT = 'A non-empty request body is required.';

const EMPTY_LIST_TEXT = `articles must have at least one item. The service says: ${EMPTY_BULK_UPDATE_TEXT}`;

/** The items of a part of a job stand from `startIndex` on in the whole. */
export function* validateArticleUpdates(
  drafts: readonly ArticleUpdateDraft[],
  maxItems: number,
  startIndex = 0,
): Validation<readonly ArticleUpdate[]> {
  const updates: ArticleUpdate[] = [];
  if (drafts.length === 0) yield { path: ['articles'], message: EMPTY_LIST_TEXT };
  if (drafts.length > maxItems) {
    yield { path: ['articles'], message: `articles must have at most ${maxItems} items; it has ${drafts.length}.` };
    return updates;
  }
  let index = startIndex;
  for (const draft of drafts) {
    const issues: InputIssue[] = [];
    if (isValidUpdate(draft, index, issues)) updates.push(draft);
    else yield* issues;
    index += 1;
  }
  return updates;
}

function isValidUpdate(draft: ArticleUpdateDraft, index: number, issues: InputIssue[]): draft is ArticleUpdate {
  const issuesBefore = issues.length;
  for (const [field, problemOf] of PROBLEMS) {
    const problem = problemOf(draft);
    if (problem !== null) issues.push({ path: ['articles', `${index}`, field], message: `${field} ${problem}.` });
  }
  return issues.length === issuesBefore;
}

type ProblemOf = (draft: ArticleUpdateDraft) => string | null;

const ifSet = <Value>(value: Value | null | undefined, problemOf: (value: Value) => string | null): string | null =>
  value == null ? null : problemOf(value);

/** The rule of each member, in the order of the issues. */
const PROBLEMS = Object.entries({
  articleId: ({ articleId }) => idProblem(articleId),
  languageCode: ({ languageCode }) => ifSet(languageCode, idProblem),
  categoryId: ({ categoryId }) => ifSet(categoryId, idProblem),
  title: ({ title }) => ifSet(title, textProblem),
  content: ({ content }) => ifSet(content, textProblem),
  htmlContent: ({ htmlContent }) => ifSet(htmlContent, textProblem),
  source: ({ source }) => ifSet(source, textProblem),
  hidden: ({ hidden }) => (hidden === null ? 'must be true or false, not null; leave it out to keep it' : null),
  order: ({ order }) =>
    order === null ? 'must be a number, not null; leave it out to keep it' : ifSet(order, orderProblem),
  versionNumber: ({ versionNumber }) => ifSet(versionNumber, versionNumberProblem),
  // Its values are checked where it is parsed.
  translationStatus: () => null,
} satisfies Record<keyof ArticleUpdate, ProblemOf>);

/** Positions start at 1: see docs/service.md, "Bulk article update". */
export function orderProblem(order: number): string | null {
  return order < 1 ? 'must be 1 or more' : null;
}

export function versionNumberProblem(versionNumber: number): string | null {
  return versionNumber < 1 ? 'must be 1 or more' : null;
}

/** The members of an update that name the text that it changes. */
export type UpdateTarget = Pick<ArticleUpdate, 'articleId' | 'languageCode' | 'versionNumber'>;

/** The text that an update changes. */
export const articleKeyOf = ({ articleId, languageCode, versionNumber }: UpdateTarget): ArticleKey => ({
  articleId,
  languageCode: languageCode ?? undefined,
  versionNumber: versionNumber ?? undefined,
});

/** Equal for updates that name the same text. */
export const textKeyOf = ({ articleId, languageCode, versionNumber }: ArticleUpdate): string =>
  JSON.stringify([articleId, languageCode ?? null, versionNumber ?? null]);

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
