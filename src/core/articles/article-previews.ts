import type { Result } from '../base/result.ts';
import { isSameId } from '../base/text.ts';
import type { BackendError, InputIssue } from '../errors.ts';
import type { FieldChange } from '../field-changes.ts';
import type { Article, Category, ProjectVersion } from './articles.ts';
import {
  type ArticleUpdate,
  compareMembers,
  isSameMember,
  makesTranslation,
  SHARED_MEMBERS,
  type UpdateTarget,
} from './bulk-updates.ts';
import { type ArticleUpdateItem, isPublished, ruleOf } from './forks.ts';
import { changedSince, isPlaced } from './revisions.ts';

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
  /** The article as it was read, without the changes of earlier items. */
  readonly read: Article | null;
  /** True where the version is published; null where the read does not tell. */
  readonly isPublished: boolean | null;
  /** True where the update would go to a new draft of the version. */
  readonly wouldFork: boolean;
  /** True where the item would make the text of the article in its language. */
  readonly makesTranslation: boolean;
}

/** The parts of the articles that a preview needs besides those that its updates set. */
export interface PreviewSelection {
  /** True where the text of every article is shown. */
  readonly withText: boolean;
  readonly callsPerArticle: number;
  /** True where everything that a revision is made of is needed. */
  readonly withRevision?: boolean;
  readonly withPublicVersion?: boolean;
  /**
   * True where an article that has no text in the language of an update, which its project version has, is returned
   * without one (`untranslated`), and not as null.
   */
  readonly withUntranslated?: boolean;
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
  const changed = { texts: new Map<string, Partial<Article>>(), shared: new Map<string, Partial<Article>>() };
  return updates.map((update, index) => {
    const stored = articles[index] ?? null;
    if (stored === null) return missingPreview(update, index);
    const targetCategory = targetCategories[index] ?? null;
    return previewArticleUpdate(update, { index, stored, changed, targetCategory, titleProblem });
  });
}

/** What the earlier updates change: of each text, and of what all languages and versions of an article share. */
interface EarlierChanges {
  readonly texts: Map<string, Partial<Article>>;
  readonly shared: Map<string, Partial<Article>>;
}

interface PreviewedItem extends Pick<ArticlePreviewOptions, 'titleProblem'> {
  readonly index: number;
  readonly stored: Article;
  readonly changed: EarlierChanges;
  readonly targetCategory: Category | null;
}

function previewArticleUpdate(update: ArticleUpdateItem, item: PreviewedItem): ArticlePreview {
  const { index, stored, changed, targetCategory, titleProblem } = item;
  const key = JSON.stringify([stored.articleId, stored.languageCode, stored.versionNumber]);
  const isNew = stored.isUntranslated === true && !changed.texts.has(key);
  if (isNew && !makesTranslation(update, stored.contentType)) return missingPreview(update, index);
  const article = { ...stored, ...changed.texts.get(key), ...changed.shared.get(stored.articleId) };
  const published = previewPublished(update, stored);
  const issues = [
    ...revisionIssues(update, stored, index),
    ...titleIssues(update, index, titleProblem),
    ...categoryIssues({ update, index, targetCategory, article }),
    ...(published.problem === null ? [] : [{ path: ['articles', `${index}`], message: published.problem }]),
  ];
  const succeeds = issues.length === 0;
  const changes = succeeds ? changesOf(article, update) : [];
  const setsOf = (isShared: boolean): Partial<Article> =>
    Object.fromEntries(
      changes.filter(({ field }) => isSharedField(field) === isShared).map(({ field, to }) => [field, to]),
    );
  if (succeeds) {
    changed.texts.set(key, { ...changed.texts.get(key), ...setsOf(false) });
    changed.shared.set(stored.articleId, { ...changed.shared.get(stored.articleId), ...setsOf(true) });
  }
  return {
    index,
    articleId: update.articleId,
    issues,
    changes,
    movesTo: changes.some(({ field }) => field === 'categoryId') ? targetCategory : null,
    article: isNew ? null : article,
    read: isNew ? null : stored,
    isPublished: published.isPublished,
    wouldFork: published.forks && succeeds,
    makesTranslation: isNew && succeeds,
  };
}

const isSharedField = (field: string): boolean => SHARED_MEMBERS.some((name) => name === field);

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

/** The preview of an item whose article does not exist, or not in its language or version. */
const missingPreview = (update: UpdateTarget, index: number): ArticlePreview => ({
  index,
  articleId: update.articleId,
  issues: [missingArticleIssue(update, index)],
  changes: [],
  movesTo: null,
  article: null,
  read: null,
  isPublished: null,
  wouldFork: false,
  makesTranslation: false,
});

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

/** The issue of an item whose article has changed since its revision was read; none where it has not. */
export function revisionIssues(update: UpdateTarget, article: Article, index: number): readonly InputIssue[] {
  const changed = isPlaced(article) ? changedSince(update, article) : null;
  return changed === null
    ? []
    : [{ path: ['articles', `${index}`, 'ifRevision'], message: `CHANGED_SINCE: ${changed.details}` }];
}

function changesOf(article: Article, update: ArticleUpdate): readonly FieldChange[] {
  return compareMembers(article, update).flatMap(({ field, seen: from = null, asked: to }) =>
    field === null || to == null || isSameMember(field, to, from) ? [] : [{ field, from, to }],
  );
}
