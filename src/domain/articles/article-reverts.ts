import { isSameValue } from '../field-changes.ts';
import type { NotAttempted, SharedOutcome } from './article-outcomes.ts';
import type { Article } from './articles.ts';
import { type ArticleUpdate, type ComparedArticle, compareMembers, type UpdateTarget } from './bulk-updates.ts';

/** What a job keeps of the articles before it changes them. `WHERE_POSSIBLE` also sends what can't be read before. */
export type KeepBefore = 'NEVER' | 'ALWAYS' | 'WHERE_POSSIBLE';

/** An article as it was read before an update: the values that the update sets, and what tells its version. */
export type ArticleImage = Pick<
  Article,
  'languageCode' | 'versionNumber' | 'latestVersionNumber' | 'publicVersionNumber' | 'translationStatus' | 'contentType'
> &
  Omit<ComparedArticle, 'contentType' | 'translationStatus'>;

/** What a job keeps of an item before it is sent. */
export interface KeptItem {
  /** The update, in the language that was read, with its text as `content` where the article takes it so. */
  readonly update: ArticleUpdate;
  /** Null where the article could not be read. */
  readonly image: ArticleImage | null;
}

/** What one or several items of a job have made of one text, and what stood there before the first of them. */
export interface RevertTarget extends KeptItem {
  /** True where it is not known whether the job has changed the article. */
  readonly isUnknown: boolean;
  /** The public versions that the job may have left. */
  readonly publicVersionNumbers: readonly (number | null)[];
}

/** A target, named by the last of its items. */
export interface IndexedTarget extends RevertTarget {
  readonly index: number;
}

/** The members that hold text, of which an article has one. */
const isText = (name: string): boolean => name === 'content' || name === 'htmlContent';

/** An update that names all that has to be read of an article, with no null, since a read leaves out what is null. */
export function readingUpdateOf(update: ArticleUpdate): ArticleUpdate {
  const placed = Object.entries(update).map(([name, value]) => [name, value === null && isTextual(name) ? '' : value]);
  // The translation is compared in any case.
  return { ...update, ...Object.fromEntries(placed), translationStatus: 'NONE' };
}

const isTextual = (name: string): boolean => name === 'title' || name === 'categoryId' || isText(name);

/** What is kept of an item; its image is null where the article does not show all that the update sets. */
export function keptItemOf(update: ArticleUpdate, article: Article | null): KeptItem {
  if (article === null) return { update, image: null };
  const members = compareMembers(article, update).filter(({ asked }) => asked !== undefined);
  if (members.some(({ seen }) => seen === undefined)) return { update, image: null };
  const text = members.find(({ field }) => field !== null && isText(field));
  const { content: _content, htmlContent: _htmlContent, ...rest } = update;
  const { languageCode } = article;
  const normalized = { ...rest, languageCode, ...(text !== undefined && { content: toText(text.asked) }) };
  return { update: normalized, image: imageOf(article, normalized) };
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function imageOf(article: Article, update: ArticleUpdate): ArticleImage {
  const { languageCode, versionNumber, latestVersionNumber, publicVersionNumber } = article;
  const { translationStatus, contentType } = article;
  return {
    ...{ languageCode, versionNumber, latestVersionNumber, publicVersionNumber, translationStatus, contentType },
    ...(update.title !== undefined && { title: article.title }),
    ...(update.content !== undefined && { content: article.content, htmlContent: article.htmlContent }),
    ...(update.categoryId !== undefined && { categoryId: article.categoryId }),
    ...(update.hidden !== undefined && { hidden: article.hidden }),
    ...(update.order !== undefined && { order: article.order }),
  };
}

/** Equal for items of one text. Items that name an article otherwise, and could not be read, have others. */
export const revertKeyOf = ({ update: { articleId, languageCode, versionNumber }, image }: KeptItem): string =>
  JSON.stringify([articleId.toLowerCase(), image?.languageCode ?? languageCode, image?.versionNumber ?? versionNumber]);

/** What two items of one text have made of it together. The versions are those that the later one met. */
export function mergeTargets(earlier: RevertTarget, later: RevertTarget): RevertTarget {
  const isUnknown = earlier.isUnknown || later.isUnknown;
  if (earlier.image === null || later.image === null) return { ...later, image: null, isUnknown };
  const {
    translationStatus,
    languageCode: _l,
    versionNumber: _v,
    latestVersionNumber: _n,
    publicVersionNumber: _p,
    ...values
  } = earlier.image;
  const status = earlier.update.translationStatus === undefined ? later.image.translationStatus : translationStatus;
  return {
    ...later,
    isUnknown,
    update: { ...earlier.update, ...later.update },
    image: { ...later.image, ...values, translationStatus: status },
  };
}

/** A member of an article, with its values. */
export interface RevertMember {
  readonly name: string;
  readonly before: unknown;
  readonly asLeft: unknown;
  /** Undefined where it could not be read. */
  readonly now: unknown;
}

/** The members that the items have set; null where nothing was kept of them. */
export function revertMembersOf({ update, image }: KeptItem, now: Article | null): readonly RevertMember[] | null {
  if (image === null) return null;
  const seen = now === null ? [] : compareMembers(now, update);
  return compareMembers(image, update).flatMap(({ field, seen: before = null, asked }, position) =>
    asked === undefined || field === null ? [] : [{ name: field, before, asLeft: asked, now: seen[position]?.seen }],
  );
}

/** The statuses that an update can give. */
const SETTABLE_STATUSES: ReadonlySet<unknown> = new Set(['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED']);

/** True where an update can give the article each value that stood there before. */
export function isRestorable(kept: KeptItem): boolean {
  const members = revertMembersOf(kept, null);
  return members?.every(({ name, before, asLeft }) => isSameValue(before, asLeft) || isSettable(name, before)) ?? false;
}

const isSettable = (name: string, value: unknown): boolean =>
  name === 'translationStatus' ? SETTABLE_STATUSES.has(value) : value !== null;

/** The update that puts back what stood before; without members where nothing has to be, or can be. */
export function restoringUpdateOf(kept: KeptItem): ArticleUpdate {
  const { update, image } = kept;
  const { articleId, languageCode, versionNumber } = update;
  const target: UpdateTarget = {
    articleId,
    ...(languageCode !== undefined && { languageCode }),
    ...(versionNumber !== undefined && { versionNumber }),
  };
  if (image === null || !isRestorable(kept)) return target;
  const changed = new Set(
    revertMembersOf(kept, null)
      ?.filter(({ before, asLeft }) => !isSameValue(before, asLeft))
      .map(({ name }) => name),
  );
  const { title, content, htmlContent, categoryId, hidden, order, translationStatus } = image;
  return {
    ...target,
    ...(changed.has('title') && { title }),
    ...(changed.has('content') && { content }),
    ...(changed.has('htmlContent') && { content: htmlContent }),
    ...(changed.has('categoryId') && { categoryId }),
    ...(changed.has('hidden') && { hidden }),
    ...(changed.has('translationStatus') && { translationStatus }),
    ...(changed.has('order') && order !== null && { order }),
  };
}

/** The outcome of an item of a revert that is not to be sent, as its article stands now; null where it is. */
export function revertOutcomeOf(target: RevertTarget, now: Article | null): SharedOutcome | null {
  const { update, image } = target;
  if (image === null) return notAttempted('NOT_RESTORABLE', NOTHING_KEPT);
  if (!isRestorable(target)) return notAttempted('NOT_RESTORABLE', NO_SUCH_VALUE);
  const members = now && revertMembersOf(target, now);
  if (now === null || !members || members.some((member) => member.now === undefined))
    return notAttempted('BEFORE_NOT_READABLE', NOT_READABLE);
  const isVersionAsLeft =
    now.languageCode === image.languageCode &&
    now.versionNumber === image.versionNumber &&
    now.latestVersionNumber === image.latestVersionNumber &&
    (update.translationStatus !== undefined || now.translationStatus === image.translationStatus) &&
    target.publicVersionNumbers.includes(now.publicVersionNumber);
  if (!isVersionAsLeft) return notAttempted('CHANGED_SINCE', OTHER_VERSION);
  const isAsLeft = members.every(isMemberAsLeft);
  const isAsBefore = members.every((member) => isSameValue(member.now, member.before));
  if (isAsBefore && (isAsLeft || target.isUnknown))
    return { kind: 'updated', details: AS_BEFORE, evidence: 'READ_BACK' };
  return isAsLeft ? null : notAttempted('CHANGED_SINCE', OTHER_VALUE);
}

/** A null that was sent may have kept what was there: see docs/service.md, "Bulk article update". */
const isMemberAsLeft = ({ before, asLeft, now }: RevertMember): boolean =>
  isSameValue(now, asLeft) || (asLeft === null && isSameValue(now, before));

const notAttempted = (reason: NotAttempted['reason'], details: string): NotAttempted => ({
  kind: 'not-attempted',
  details: `Not put back, because ${details}`,
  reason,
  retryAfterSeconds: null,
});

const NOTHING_KEPT = 'what stood there before could not be read.';
const NO_SUCH_VALUE = 'no update can set what stood there before: no category, text, position or settable status.';
const NOT_READABLE = 'the article could not be read, or not all of it.';
const OTHER_VERSION = 'the latest version, the public one or the translation status is no longer as the job left it.';
const OTHER_VALUE = 'somebody has changed since what the job had set.';
const AS_BEFORE = 'Nothing had to be put back: the article was read, and stands as it stood before the job.';

/** The outcome of an item that is not sent, since what stands in its article can't be kept. */
export const BEFORE_NOT_READABLE: NotAttempted = {
  kind: 'not-attempted',
  details: 'Not sent, because the article could not be read before, or not all that the item sets.',
  reason: 'BEFORE_NOT_READABLE',
  retryAfterSeconds: null,
};
