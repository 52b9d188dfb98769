import type { FieldChange } from '../field-changes.ts';
import type { Article } from './articles.ts';
import type { ArticleUpdate } from './bulk-updates.ts';
import type { Category } from './categories.ts';

/** The effect that one item of a bulk update would have. */
export interface ArticlePreview {
  readonly articleId: string;
  /** A reason for which the item would fail; null when none is known beforehand. */
  readonly problem: string | null;
  readonly changes: readonly FieldChange[];
  /** The new category of the article; null when it would not move. */
  readonly movesTo: Category | null;
  /** The article before the item; null when it does not exist. */
  readonly article: Article | null;
}

export interface ArticlePreviewOptions {
  readonly updates: readonly ArticleUpdate[];
  /** The stored article of each update; null when it does not exist. */
  readonly articles: readonly (Article | null)[];
  /** The target category of each update; null when the update moves nothing, or to a category that does not exist. */
  readonly targetCategories: readonly (Category | null)[];
}

/** Previews the updates in order: a second one for the same article starts from the result of the first. */
export function previewArticleUpdates({
  updates,
  articles,
  targetCategories,
}: ArticlePreviewOptions): readonly ArticlePreview[] {
  const states = new Map<string, Article>();
  return updates.map((update, index) => {
    const storedArticle = articles[index] ?? null;
    if (storedArticle === null) {
      const problem = 'No such article, or not in this language or version.';
      return { articleId: update.articleId, problem, changes: [], movesTo: null, article: null };
    }
    const key = JSON.stringify([storedArticle.articleId, storedArticle.languageCode, storedArticle.versionNumber]);
    const article = states.get(key) ?? storedArticle;
    const problem = moveProblem(update, article, targetCategories[index] ?? null);
    const changes = problem === null ? changesOf(article, update) : [];
    states.set(key, { ...article, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) });
    const isMoved = changes.some(({ field }) => field === 'categoryId');
    const movesTo = isMoved ? (targetCategories[index] ?? null) : null;
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
  const candidates: readonly FieldChange[] = [
    { field: 'title', from: article.title, to: update.title },
    { field: textField, from: article[textField] ?? null, to: text },
    { field: 'categoryId', from: article.categoryId ?? null, to: update.categoryId },
    { field: 'hidden', from: article.hidden, to: update.hidden },
    { field: 'translationStatus', from: article.translationStatus, to: update.translationStatus },
    { field: 'order', from: article.order, to: update.order },
    // No read gives the stored source.
    { field: 'source', from: null, to: update.source },
  ];
  return candidates.filter(({ from, to }) => to != null && to !== from);
}
