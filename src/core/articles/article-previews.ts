import type { Result } from '../base/result.ts';
import { isSameId } from '../base/text.ts';
import type { BackendError, InputIssue } from '../errors.ts';
import type { FieldChange } from '../field-changes.ts';
import type { Article, Category, ProjectVersion } from './articles.ts';
import { type ArticleUpdate, compareMembers, isSameMember, type UpdateTarget } from './bulk-updates.ts';
import { type ArticleUpdateItem, isPublished, ruleOf } from './forks.ts';

/** The effect that one item of a bulk update would have. */
export interface ArticlePreview {
  /** The position of the item in the list, from 0. */
  readonly index: number;
  readonly articleId: string;
  /** The reasons for which the item would fail; empty when none is known in advance. */
  readonly issues: readonly InputIssue[];
  readonly changes: readonly FieldChange[];
  /** The new category of the article; null when it would not move. */
  readonly movesTo: Category | null;
  /** The article before the item; null when it does not exist. */
  readonly article: Article | null;
  /** True where the version is published; null where the read does not tell. */
  readonly isPublished: boolean | null;
  /** True where the update would go to a new draft of the version. */
  readonly wouldFork: boolean;
}

/** The parts of the articles that a preview needs besides those that its updates set. */
export interface PreviewSelection {
  /** True where the text of every article is shown. */
  readonly withText: boolean;
  /** The number of further calls to the service for each article. */
  readonly callsPerArticle: number;
  /** True where the public version of every article is needed. */
  readonly withPublicVersion?: boolean;
  /** True where articles are only read from lists, even if a list may be outdated. */
  readonly onlyLists?: boolean;
  /** Returns the project versions where several reads use them together. Without it, each reads them itself. */
  readonly projectVersions?: () => Promise<Result<readonly ProjectVersion[], BackendError>>;
}

/** Everything that lists have of an article, and its public version. */
export const LISTED_WITH_PUBLIC_VERSION = {
  withText: false,
  callsPerArticle: 0,
  withPublicVersion: true,
} as const satisfies PreviewSelection;

export interface ArticlePreviewOptions {
  readonly updates: readonly ArticleUpdateItem[];
  /** The stored article of each update, with at least the members that its updates set; null when it does not exist. */
  readonly articles: readonly (Article | null)[];
  /** The target category of each update; null when the update moves nothing, or its target does not exist. */
  readonly targetCategories: readonly (Category | null)[];
  /** The problem of storing a title; null where there is none, or where only the service knows. */
  readonly titleProblem: (title: string) => string | null;
}

/** Previews the updates in order. A second one for the same article starts from the result of the first. */
export function previewArticleUpdates({
  updates,
  articles,
  targetCategories,
  titleProblem,
}: ArticlePreviewOptions): readonly ArticlePreview[] {
  /** The changes of the earlier updates of each article. */
  const changed = new Map<string, Partial<Article>>();
  return updates.map((update, index) => {
    const { articleId } = update;
    const stored = articles[index] ?? null;
    const targetCategory = targetCategories[index] ?? null;
    if (stored === null) {
      const issues = [missingArticleIssue(update, index)];
      return { index, articleId, issues, ...NO_ARTICLE };
    }
    const key = JSON.stringify([stored.articleId, stored.languageCode, stored.versionNumber]);
    const article = { ...stored, ...changed.get(key) };
    const published = previewPublished(update, stored);
    const issues = [
      ...titleIssues(update, index, titleProblem),
      ...categoryIssues({ update, index, targetCategory, article }),
      ...(published.problem === null ? [] : [{ path: ['articles', `${index}`], message: published.problem }]),
    ];
    const isFailing = issues.length > 0;
    const changes = isFailing ? [] : changesOf(article, update);
    changed.set(key, { ...changed.get(key), ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) });
    const isMoved = changes.some(({ field }) => field === 'categoryId');
    const movesTo = isMoved ? targetCategory : null;
    const { isPublished: isPublic, forks } = published;
    return {
      index,
      articleId,
      issues,
      changes,
      movesTo,
      article,
      isPublished: isPublic,
      wouldFork: forks && !isFailing,
    };
  });
}

function titleIssues(
  { title }: ArticleUpdate,
  index: number,
  titleProblem: ArticlePreviewOptions['titleProblem'],
): readonly InputIssue[] {
  const problem = title == null ? null : titleProblem(title);
  return problem === null ? [] : [{ path: ['articles', `${index}`, 'title'], message: `The title ${problem}.` }];
}

interface TargetCategory {
  readonly update: ArticleUpdate;
  readonly index: number;
  readonly targetCategory: Category | null;
  readonly article: Article;
}

const categoryIssues = ({ update, index, targetCategory, article }: TargetCategory): readonly InputIssue[] =>
  update.categoryId == null || isSameId(targetCategory?.projectVersionId, article.projectVersionId)
    ? []
    : [{ path: ['articles', `${index}`, 'categoryId'], message: NO_SUCH_CATEGORY }];

/** Whether the version is published, and what its rule makes of the update. */
function previewPublished(update: ArticleUpdateItem, article: Article) {
  const rule = ruleOf(update);
  const isPublic = isPublished(article, rule !== undefined);
  if (rule === undefined || isPublic === false) return { isPublished: isPublic, problem: null, forks: false };
  const problem = isPublic === null ? NOT_TOLD : SKIPPED;
  const forks = isPublic === true && rule.kind === 'FORK';
  return { isPublished: isPublic, problem: forks ? null : problem, forks };
}

/** The preview of an item without an article. */
const NO_ARTICLE = { changes: [], movesTo: null, article: null, isPublished: null, wouldFork: false } as const;

const SKIPPED = 'The version is published, and ifPublished is SKIP.';

const NOT_TOLD = 'It is not known whether the version is published.';

const NO_SUCH_CATEGORY = 'The target category does not exist in the project version of the article.';

/** The issue names the whole item where the ID, the language or the version may not exist. */
export const missingArticleIssue = ({ languageCode, versionNumber }: UpdateTarget, index: number): InputIssue => {
  const item = ['articles', `${index}`];
  return languageCode == null && versionNumber == null
    ? { path: [...item, 'articleId'], message: 'There is no such article.' }
    : { path: item, message: 'There is no such article, or not in this language or version.' };
};

function changesOf(article: Article, update: ArticleUpdate): readonly FieldChange[] {
  return compareMembers(article, update).flatMap(({ field, seen: from = null, asked: to }) =>
    field === null || to == null || isSameMember(field, to, from) ? [] : [{ field, from, to }],
  );
}
