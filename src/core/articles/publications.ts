import { MAX_PUBLISH_MESSAGE } from '../base/limits.ts';
import { idProblem, textProblem } from '../base/text.ts';
import { type InputIssue, type Validation, validateField } from '../errors.ts';
import type { FieldChange } from '../field-changes.ts';
import type { Publication } from './article-outcomes.ts';
import { type ArticlePreview, missingArticleIssue, type PreviewSelection, revisionIssues } from './article-previews.ts';
import type { Article } from './articles.ts';
import {
  ARTICLE_MEMBERS,
  textKeyOf,
  type UpdateTarget,
  type UpdateTargetDraft,
  validateItems,
} from './bulk-updates.ts';
import { isPublished } from './forks.ts';

/** Articles to be published or unpublished, each in one language and version. */
export interface ArticlePublications {
  readonly items: readonly UpdateTarget[];
  /** The team account that publishes. */
  readonly userId: string;
  /** A text for the history of the articles. */
  readonly message?: string | null | undefined;
  /** As in `PreviewSelection`. */
  readonly projectVersions?: PreviewSelection['projectVersions'] | undefined;
}

interface PublicationKind {
  /** The publication of an item that succeeds. */
  readonly publication: Extract<Publication, 'PUBLISHED' | 'UNPUBLISHED'>;
  /** The verb in the texts of the service. */
  readonly verb: 'publish' | 'unpublish';
  /** The answer of the service for an article that is in the requested state already: see docs/service.md, "Publishing". */
  readonly doneText: string;
  /** The version that an item without a number means; null where there is none. */
  readonly defaultVersionOf: (article: Article) => number | null;
  /** True where the article is in the state that an item for the version requests. */
  readonly isDone: (publicVersionNumber: number | null, versionNumber: number | null) => boolean;
  /** The target that is read for a preview. What has no public version is unpublished, whatever version the item names. */
  readonly previewedOf: (item: UpdateTarget) => UpdateTarget;
}

export type PublicationWrite = 'publishArticles' | 'unpublishArticles';

export const PUBLICATION_KINDS = {
  publishArticles: {
    publication: 'PUBLISHED',
    verb: 'publish',
    doneText: 'Article has already been published.',
    defaultVersionOf: ({ latestVersionNumber, versionNumber }) => latestVersionNumber ?? versionNumber,
    isDone: (publicVersionNumber, versionNumber) => publicVersionNumber === versionNumber,
    previewedOf: (item) => item,
  },
  unpublishArticles: {
    publication: 'UNPUBLISHED',
    verb: 'unpublish',
    doneText: 'Article has already been unpublished.',
    defaultVersionOf: ({ publicVersionNumber }) => publicVersionNumber,
    isDone: (publicVersionNumber) => publicVersionNumber === null,
    previewedOf: ({ articleId, languageCode, ifRevision }) => ({ articleId, languageCode, ifRevision }),
  },
} as const satisfies Record<PublicationWrite, PublicationKind>;

/** The text of the service for an item that fails. The reason is a sentence. */
export const failedPublicationText = (write: PublicationWrite, articleId: string, reason: string): string =>
  `Failed to ${PUBLICATION_KINDS[write].verb} article with an id ${articleId}\r\nError: ${reason}`;

/** The largest version number that the service publishes: see docs/service.md, "Publishing". */
export const MAX_PUBLISHED_VERSION = 32_767;

/** The problems of the members of an item, as the end of a sentence. */
const PROBLEMS = {
  articleId: ARTICLE_MEMBERS.articleId.problemOf,
  languageCode: ARTICLE_MEMBERS.languageCode.problemOf,
  versionNumber: ({ versionNumber }: UpdateTargetDraft) =>
    versionNumber != null && (versionNumber < 1 || versionNumber > MAX_PUBLISHED_VERSION)
      ? `must be from 1 to ${MAX_PUBLISHED_VERSION}`
      : null,
  ifRevision: ARTICLE_MEMBERS.ifRevision.problemOf,
} as const satisfies Record<keyof UpdateTarget, (item: UpdateTargetDraft) => string | null>;

/** The problem of the message of a publication, as the end of a sentence. */
export function messageProblem(message: string | null | undefined): string | null {
  if (message == null) return null;
  return message.length > MAX_PUBLISH_MESSAGE
    ? `must have at most ${MAX_PUBLISH_MESSAGE} characters`
    : textProblem(message);
}

interface PublicationsDraft extends Omit<ArticlePublications, 'items'> {
  readonly articles: readonly UpdateTargetDraft[];
}

/** Checks a request to publish or unpublish, and returns it if it is valid. */
export function* validatePublications(
  { articles, userId, message }: PublicationsDraft,
  maxItems: number,
): Validation<ArticlePublications> {
  const items = yield* validateItems<UpdateTargetDraft, UpdateTarget>(articles, { problems: PROBLEMS, maxItems });
  yield* validateField('userId', idProblem(userId));
  yield* validateField('message', messageProblem(message));
  return { items, userId, message };
}

interface PublicationPreviewOptions {
  readonly items: readonly UpdateTarget[];
  /** The stored article of each item; null when it does not exist. */
  readonly articles: readonly (Article | null)[];
  /** The problems that apply to all items. */
  readonly sharedIssues: readonly InputIssue[];
}

/** Previews the items in order. A second one for the same article starts from the result of the first. */
export function previewPublications(
  write: PublicationWrite,
  { items, articles, sharedIssues }: PublicationPreviewOptions,
): readonly ArticlePreview[] {
  /** The public versions after the earlier items. */
  const changed = new Map<string, number | null>();
  return items.map((item, index) => {
    const { articleId } = item;
    const stored = articles[index] ?? null;
    const isPublic = stored && isPublished(stored, true);
    const common = {
      index,
      articleId,
      changes: [],
      movesTo: null,
      read: stored,
      isPublished: isPublic,
      wouldFork: false,
      makesTranslation: false,
    };
    if (stored === null)
      return { ...common, issues: [missingArticleIssue(item, index), ...sharedIssues], article: null };
    const text = textKeyOf({ articleId: stored.articleId, languageCode: stored.languageCode });
    const left = changed.get(text);
    const article = left === undefined ? stored : { ...stored, publicVersionNumber: left };
    const issues = [
      ...revisionIssues(item, stored, index),
      ...itemIssues(write, { item, article, index }),
      ...sharedIssues,
    ];
    if (issues.length > 0) return { ...common, issues, article };
    const changes = changesOf(write, item, article);
    if (changes.length > 0) changed.set(text, write === 'publishArticles' ? versionOf(write, item, article) : null);
    return { ...common, issues, changes, article };
  });
}

/** The version that an item names; null where there is none. */
export const versionOf = (write: PublicationWrite, { versionNumber }: UpdateTarget, article: Article): number | null =>
  versionNumber ?? PUBLICATION_KINDS[write].defaultVersionOf(article);

function itemIssues(
  write: PublicationWrite,
  { item, article, index }: { readonly item: UpdateTarget; readonly article: Article; readonly index: number },
): readonly InputIssue[] {
  const { publicVersionNumber } = article;
  if (write === 'publishArticles' || publicVersionNumber === null) return [];
  if (versionOf(write, item, article) === publicVersionNumber) return [];
  return [{ path: ['articles', `${index}`, 'versionNumber'], message: NOT_PUBLIC_TEXT }];
}

/** The reason why a version is not unpublished while another one is public. */
export const NOT_PUBLIC_TEXT = 'This version is not the public one.';

function changesOf(write: PublicationWrite, item: UpdateTarget, article: Article): readonly FieldChange[] {
  const { publicVersionNumber: from, status } = article;
  const versionNumber = versionOf(write, item, article);
  if (PUBLICATION_KINDS[write].isDone(from, versionNumber)) return [];
  if (write === 'unpublishArticles')
    return [
      { field: 'status', from: 'PUBLISHED', to: 'DRAFT' },
      { field: 'publicVersionNumber', from, to: null },
    ];
  const statusChange = { field: 'status', from: status, to: 'PUBLISHED' } as const;
  return [...(status === 'PUBLISHED' ? [] : [statusChange]), { field: 'publicVersionNumber', from, to: versionNumber }];
}
