import type { InputIssue, Rules } from '../errors.ts';
import type { Notices, ServiceError } from '../notices.ts';
import { idProblem, textProblem } from '../text.ts';

/** As articles are read. Only the first three can be written (spec: `translation_option`). */
export type ArticleTranslationStatus = 'NONE' | 'NEEDS_TRANSLATION' | 'TRANSLATED' | 'IN_PROGRESS' | 'UNRECOGNIZED';

/** The changes to one language version of an article. Absent and null are two things: null is sent as null. */
export interface ArticleUpdate {
  /** Empty only where a REST caller sent none: no such article exists, so the item fails. */
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

/** An update as a caller may state it, before the rules were held against it. */
export type ArticleUpdateDraft = Omit<ArticleUpdate, 'hidden' | 'order'> & {
  readonly hidden?: boolean | null | undefined;
  readonly order?: number | null | undefined;
};

/** What became of one submitted item. */
export interface ArticleOutcome {
  readonly kind: 'updated' | 'failed' | 'unknown' | 'not-attempted';
  readonly articleId: string;
  readonly details: string | null;
}

/** An answered bulk update: one outcome per submitted item, in the submitted order. */
export interface BulkUpdate extends Notices {
  readonly outcomes: readonly ArticleOutcome[];
  readonly serviceErrors: readonly ServiceError[];
}

/** The service's own text for a bulk update without items (spec, Errors). */
export const EMPTY_BULK_TEXT = 'A non-empty request body is required.';

/** Holds every rule against every item, and returns the items as updates. */
export function* articleUpdateRules(
  drafts: readonly ArticleUpdateDraft[],
  maxItems: number,
): Rules<readonly ArticleUpdate[]> {
  const updates: ArticleUpdate[] = [];
  if (drafts.length === 0) yield { path: ['articles'], message: EMPTY_BULK_TEXT };
  if (drafts.length > maxItems) {
    yield { path: ['articles'], message: `articles must have at most ${maxItems} items; it has ${drafts.length}.` };
    return updates;
  }
  for (const [index, draft] of drafts.entries()) {
    const issues: InputIssue[] = [];
    if (keepsRules(draft, index, issues)) updates.push(draft);
    else yield* issues;
  }
  return updates;
}

function keepsRules(draft: ArticleUpdateDraft, index: number, issues: InputIssue[]): draft is ArticleUpdate {
  const before = issues.length;
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
  if (draft.versionNumber != null) report('versionNumber', versionProblem(draft.versionNumber));
  return issues.length === before;
}

/** Positions count from 1 (spec, Article update item). */
export const orderProblem = (order: number): string | null => (order < 1 ? 'must be 1 or more' : null);

export const versionProblem = (versionNumber: number): string | null =>
  versionNumber < 1 ? 'must be 1 or more' : null;

/** Which text of which article: absent means the default language and the latest version. */
export interface ArticleKey {
  readonly articleId: string;
  readonly languageCode?: string | undefined;
  readonly versionNumber?: number | undefined;
}

/** The text that an update is about. */
export const articleKeyOf = ({ articleId, languageCode, versionNumber }: ArticleUpdate): ArticleKey => ({
  articleId,
  languageCode: languageCode ?? undefined,
  versionNumber: versionNumber ?? undefined,
});

/** One language version of an article, as it is read. A member that is absent was not part of the answer. */
export interface Article {
  readonly articleId: string;
  readonly languageCode: string;
  readonly projectVersionId: string;
  readonly versionNumber: number;
  /** True where this version was asked for by its number, rather than as the latest. */
  readonly pinned: boolean;
  readonly latestVersionNumber: number | null;
  readonly title: string | null;
  readonly content?: string | null;
  readonly htmlContent?: string | null;
  readonly categoryId?: string | null;
  readonly slug: string | null;
  readonly hidden: boolean;
  readonly order: number | null;
  readonly translationStatus: ArticleTranslationStatus | null;
  readonly contentType: ArticleContentType | null;
  readonly modifiedAt: Date | null;
}

/** Which editor an article was written with. */
export type ArticleContentType = 'MARKDOWN' | 'WYSIWYG' | 'BLOCK';

export interface ArticleVersion {
  readonly versionNumber: number;
  readonly createdAt: Date | null;
  readonly modifiedAt: Date | null;
  readonly status: string | null;
}

/** Which articles to list. Absent: the default project version, its default language, every category. */
export interface ArticleFilter {
  readonly projectVersionId?: string | undefined;
  readonly languageCode?: string | undefined;
  readonly categoryId?: string | undefined;
}
