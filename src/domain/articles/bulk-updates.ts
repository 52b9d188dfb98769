import type { InputIssue, Validation } from '../errors.ts';
import type { Notices, ServiceError } from '../notices.ts';
import { idProblem, textProblem } from '../text.ts';
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
  const report = (field: string, problem: string | null) => {
    if (problem !== null) {
      issues.push({ path: ['articles', `${index}`, field], message: `${field} ${problem}.` });
    }
  };
  report('articleId', idProblem(draft.articleId));
  if (draft.languageCode != null) report('languageCode', idProblem(draft.languageCode));
  if (draft.categoryId != null) report('categoryId', idProblem(draft.categoryId));
  if (draft.title != null) report('title', textProblem(draft.title));
  if (draft.content != null) report('content', textProblem(draft.content));
  if (draft.htmlContent != null) report('htmlContent', textProblem(draft.htmlContent));
  if (draft.source != null) report('source', textProblem(draft.source));
  if (draft.hidden === null) report('hidden', 'must be true or false, not null; leave it out to keep it');
  if (draft.order === null) report('order', 'must be a number, not null; leave it out to keep it');
  if (draft.order != null) report('order', orderProblem(draft.order));
  if (draft.versionNumber != null) report('versionNumber', versionNumberProblem(draft.versionNumber));
  return issues.length === issuesBefore;
}

/** Positions start at 1: see docs/service.md, "Bulk article update". */
export const orderProblem = (order: number): string | null => (order < 1 ? 'must be 1 or more' : null);

export const versionNumberProblem = (versionNumber: number): string | null =>
  versionNumber < 1 ? 'must be 1 or more' : null;

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
