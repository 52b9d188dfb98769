import type { ReadAccessScope } from '../reader-groups/access-scopes.ts';
import { type ReaderGroup, type ReaderGroupUpdate, replacementOf } from '../reader-groups/reader-group-updates.ts';
import type { Article, ArticleUpdate } from './bulk-updates.ts';
import type { Category } from './categories.ts';

/** The properties whose change a preview can name. */
export type ChangedField =
  | 'title'
  | 'description'
  | 'content'
  | 'htmlContent'
  | 'categoryId'
  | 'hidden'
  | 'translationStatus'
  | 'order'
  | 'source';

/** A property that a write would change. Both values are as they are read; null where there is none. */
export interface FieldChange {
  readonly field: ChangedField;
  readonly from: unknown;
  readonly to: unknown;
}

/** What one item of a bulk update would do to its article. */
export interface ArticlePreview {
  readonly articleId: string;
  /** Why the item would fail, as far as can be told beforehand; null where nothing speaks against it. */
  readonly problem: string | null;
  readonly changes: readonly FieldChange[];
  /** The category that the article would move to; null where it would stay. */
  readonly movesTo: Category | null;
  /** The article as it stands before the item; null where it does not exist. */
  readonly article: Article | null;
}

export interface ArticlePreviewOptions {
  readonly updates: readonly ArticleUpdate[];
  /** What each update finds, by its position. */
  readonly found: readonly (Article | null)[];
  /** What each update would move its article into, by its position; null where it moves nothing or there is no such category. */
  readonly targets: readonly (Category | null)[];
}

/** Goes through the items in order, so that a second item for one article starts from what the first would leave. */
export function previewArticleUpdates({ updates, found, targets }: ArticlePreviewOptions): readonly ArticlePreview[] {
  const states = new Map<string, Article>();
  return updates.map((update, index) => {
    const read = found[index] ?? null;
    if (read === null) {
      const problem = 'No such article, or not in this language or version.';
      return { articleId: update.articleId, problem, changes: [], movesTo: null, article: null };
    }
    const key = JSON.stringify([read.articleId, read.languageCode, read.versionNumber]);
    const article = states.get(key) ?? read;
    const problem = moveProblem(update, article, targets[index] ?? null);
    const changes = problem === null ? changesOf(article, update) : [];
    states.set(key, { ...article, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) });
    const moves = changes.some(({ field }) => field === 'categoryId');
    const movesTo = moves ? (targets[index] ?? null) : null;
    return { articleId: update.articleId, problem, changes, movesTo, article };
  });
}

function moveProblem(update: ArticleUpdate, article: Article, target: Category | null): string | null {
  if (update.categoryId == null || target?.projectVersionId === article.projectVersionId) return null;
  return 'The target category does not exist in the project version of the article.';
}

function changesOf(article: Article, update: ArticleUpdate): readonly FieldChange[] {
  const isHtml = article.contentType === 'WYSIWYG';
  const text = update.content ?? (isHtml ? update.htmlContent : null);
  const textField = isHtml ? 'htmlContent' : 'content';
  const wanted: readonly FieldChange[] = [
    { field: 'title', from: article.title, to: update.title },
    { field: textField, from: article[textField] ?? null, to: text },
    { field: 'categoryId', from: article.categoryId ?? null, to: update.categoryId },
    { field: 'hidden', from: article.hidden, to: update.hidden },
    { field: 'translationStatus', from: article.translationStatus, to: update.translationStatus },
    { field: 'order', from: article.order, to: update.order },
    // The service keeps it, and no read gives it back.
    { field: 'source', from: null, to: update.source },
  ];
  return wanted.filter(({ from, to }) => to != null && to !== from);
}

/** What an update would do to a reader group. */
export interface ReaderGroupPreview {
  readonly group: ReaderGroup;
  readonly accessScope: ReadAccessScope;
  readonly changesAccessScope: boolean;
  readonly changes: readonly FieldChange[];
  readonly addedReaderIds: readonly string[];
  readonly removedReaderIds: readonly string[];
  readonly addedInvitedSsoUserIds: readonly string[];
  readonly removedInvitedSsoUserIds: readonly string[];
}

export function previewReaderGroupUpdate(update: ReaderGroupUpdate, group: ReaderGroup): ReaderGroupPreview {
  const next = replacementOf(update, group);
  const properties: readonly FieldChange[] = [
    { field: 'title', from: group.title, to: next.title },
    { field: 'description', from: group.description, to: next.description },
  ];
  return {
    group,
    accessScope: next.accessScope,
    changesAccessScope: JSON.stringify(group.accessScope) !== JSON.stringify(next.accessScope),
    changes: properties.filter(({ from, to }) => from !== to),
    addedReaderIds: missing(next.readerIds, group.readerIds),
    removedReaderIds: missing(group.readerIds, next.readerIds),
    addedInvitedSsoUserIds: missing(next.invitedSsoUserIds, group.invitedSsoUserIds),
    removedInvitedSsoUserIds: missing(group.invitedSsoUserIds, next.invitedSsoUserIds),
  };
}

/** Those of `ids` that are not among `others`, each once. */
function missing(ids: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set(ids).difference(new Set(others))];
}
