import type { InputIssue } from '../errors.ts';
import { type FieldChange, isSameValue } from '../field-changes.ts';
import type { Article, Category } from './articles.ts';
import type { ArticleUpdate } from './bulk-updates.ts';

/** The effect that one item of a bulk update would have. */
export interface ArticlePreview {
  readonly articleId: string;
  /** The reasons for which the item would fail; empty when none is known beforehand. */
  readonly issues: readonly InputIssue[];
  readonly changes: readonly FieldChange[];
  /** The new category of the article; null when it would not move. */
  readonly movesTo: Category | null;
  /** The article before the item; null when it does not exist. */
  readonly article: Article | null;
}

/** The parts of the articles that a preview needs besides those that its updates set. */
export interface PreviewExtent {
  /** True where the text of every article is shown. */
  readonly withText: boolean;
  /** The further calls to the service that are made for each article. */
  readonly callsPerArticle: number;
}

export interface ArticlePreviewOptions {
  readonly updates: readonly ArticleUpdate[];
  /** The stored article of each update, at least with what its updates set; null when it does not exist. */
  readonly articles: readonly (Article | null)[];
  /** The target category of each update; null when the update moves nothing, or to a category that does not exist. */
  readonly targetCategories: readonly (Category | null)[];
  /** Why a title can't be stored; null where it can, or where only the service knows. */
  readonly titleProblem: (title: string) => string | null;
}

/** Previews the updates in order: a second one for the same article starts from the result of the first. */
export function previewArticleUpdates({
  updates,
  articles,
  targetCategories,
  titleProblem,
}: ArticlePreviewOptions): readonly ArticlePreview[] {
  /** The changes that the earlier updates of an article have made. */
  const changed = new Map<string, Partial<Article>>();
  return updates.map((update, index) => {
    const { articleId } = update;
    const storedArticle = articles[index] ?? null;
    if (storedArticle === null) {
      return { articleId, issues: [missingArticleIssue(update, index)], changes: [], movesTo: null, article: null };
    }
    const key = JSON.stringify([storedArticle.articleId, storedArticle.languageCode, storedArticle.versionNumber]);
    const article = { ...storedArticle, ...changed.get(key) };
    const targetCategory = targetCategories[index] ?? null;
    const problem = update.title == null ? null : titleProblem(update.title);
    const item = ['articles', `${index}`];
    const issues = [
      ...(problem === null ? [] : [{ path: [...item, 'title'], message: `The title ${problem}.` }]),
      ...(isMissingTarget(update, article, targetCategory)
        ? [{ path: [...item, 'categoryId'], message: NO_SUCH_CATEGORY }]
        : []),
    ];
    const changes = issues.length === 0 ? changesOf(article, update) : [];
    changed.set(key, { ...changed.get(key), ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) });
    const isMoved = changes.some(({ field }) => field === 'categoryId');
    return { articleId, issues, changes, movesTo: isMoved ? targetCategory : null, article };
  });
}

/** Names the whole item where the ID, the language or the version may be what does not exist. */
const missingArticleIssue = ({ languageCode, versionNumber }: ArticleUpdate, index: number): InputIssue => {
  const item = ['articles', `${index}`];
  return languageCode == null && versionNumber == null
    ? { path: [...item, 'articleId'], message: 'There is no such article.' }
    : { path: item, message: 'There is no such article, or not in this language or version.' };
};

const NO_SUCH_CATEGORY = 'The target category does not exist in the project version of the article.';

const isMissingTarget = ({ categoryId }: ArticleUpdate, article: Article, target: Category | null): boolean =>
  categoryId != null && target?.projectVersionId !== article.projectVersionId;

type Change = (article: Article, update: ArticleUpdate) => FieldChange;

/** In the order of a preview. Null for the members that name the text, and for one that another entry tells. */
const CHANGES = {
  articleId: null,
  languageCode: null,
  versionNumber: null,
  title: (article, update) => ({ field: 'title', from: article.title, to: update.title }),
  content: textChange,
  htmlContent: null,
  categoryId: (article, update) => ({ field: 'categoryId', from: article.categoryId ?? null, to: update.categoryId }),
  hidden: (article, update) => ({ field: 'hidden', from: article.hidden, to: update.hidden }),
  translationStatus: (article, update) => ({
    ...{ field: 'translationStatus', from: article.translationStatus },
    to: update.translationStatus,
  }),
  order: (article, update) => ({ field: 'order', from: article.order, to: update.order }),
  // No read gives the stored source.
  source: (_article, update) => ({ field: 'source', from: null, to: update.source }),
} as const satisfies Record<keyof ArticleUpdate, Change | null>;

/** Only the WYSIWYG editor stores HTML, and where an update sets both texts, `content` counts. */
function textChange(article: Article, update: ArticleUpdate): FieldChange {
  const isHtml = article.contentType === 'WYSIWYG';
  const field = isHtml ? 'htmlContent' : 'content';
  return { field, from: article[field] ?? null, to: update.content ?? (isHtml ? update.htmlContent : null) };
}

function changesOf(article: Article, update: ArticleUpdate): readonly FieldChange[] {
  const candidates = Object.values(CHANGES).flatMap((change) => change?.(article, update) ?? []);
  return candidates.filter(({ from, to }) => to != null && !isSameValue(to, from));
}
