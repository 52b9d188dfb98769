import { idKeyOf, isSameId } from '../base/text.ts';
import type { NotAttempted, SharedOutcome } from './article-outcomes.ts';
import type { Article } from './articles.ts';
import {
  type ArticleUpdate,
  type ArticleUpdateDraft,
  type ComparedArticle,
  compareMembers,
  isSameMember,
  isStoredAs,
  SHARED_MEMBERS,
  type SharedName,
  type UpdateTarget,
} from './bulk-updates.ts';

/** Whether a job keeps snapshots of articles before it changes them. `WHERE_POSSIBLE` also sends what can't be read before. */
export type KeepBefore = 'NEVER' | 'ALWAYS' | 'WHERE_POSSIBLE';

/** An article as it was read before an update: the values that the update sets, and the numbers of its versions. */
export type ArticleSnapshot = Pick<
  Article,
  'languageCode' | 'versionNumber' | 'latestVersionNumber' | 'publicVersionNumber' | 'translationStatus' | 'contentType'
> &
  Omit<ComparedArticle, 'contentType' | 'translationStatus'>;

/** The snapshot that a job keeps of an item before it is sent. */
export interface ItemSnapshot {
  /** The update, in the language that was read, with its text as `content` where the article takes it so. */
  readonly update: ArticleUpdate;
  /** Null where the article could not be read. */
  readonly image: ArticleSnapshot | null;
}

/** Values of members that an update can set. */
export type ArticleValues = Omit<ArticleUpdateDraft, keyof UpdateTarget | 'htmlContent' | 'source'>;

/** What one or several items of a job have made of one text, with the snapshot before the first of them. */
export interface RevertTarget extends ItemSnapshot {
  /** True where it is not known whether the job has changed the article. */
  readonly isUnknown: boolean;
  readonly publicVersionNumbers: readonly (number | null)[];
  /** The values before the last item that set a member, where they may still be there: it set null, or its outcome is unknown. */
  readonly previous?: ArticleValues | undefined;
  /** The members that the revert may have put back already, with another text of the article. */
  readonly putBackBefore?: readonly SharedName[] | undefined;
}

/** What the items of a job up to one of them have made of the members that all texts of an article share. */
export interface SharedHistory {
  /** The values before the first item that set a member; absent where they could not be read. */
  readonly before: SharedValues;
  /** The values before the last item that set it. */
  readonly previous: SharedValues;
  /** The values that the last item set. */
  readonly asLeft: Pick<ArticleUpdate, SharedName>;
  /** The index of that item. */
  readonly indexes: { readonly [Name in SharedName]?: number | undefined };
  /** The text whose items set a member, by `revertKeyOf`; null where those of several did. */
  readonly texts: { readonly [Name in SharedName]?: string | null | undefined };
}

type SharedValues = Pick<ArticleSnapshot, SharedName>;

/** The history of an article after the last item of a job that set one of the members. */
export interface LastShared {
  readonly history: SharedHistory;
  /** The index of that item where its outcome is unknown, else null. */
  readonly unknownIndex: number | null;
}

/** A target, named by the last of its items. */
export interface IndexedTarget extends RevertTarget {
  readonly index: number;
}

const isText = (name: string): boolean => name === 'content' || name === 'htmlContent';

/** An update that names all that has to be read of an article, with no null, since a read leaves out what is null. */
export function readingUpdateOf(update: ArticleUpdate): ArticleUpdate {
  const placed = Object.entries(update).map(([name, value]) => [name, value === null && isTextual(name) ? '' : value]);
  // The translation is compared in any case.
  return { ...update, ...Object.fromEntries(placed), translationStatus: 'NONE' };
}

const isTextual = (name: string): boolean => name === 'title' || name === 'categoryId' || isText(name);

/** The snapshot of an item; its image is null where the article does not show all that the update sets. */
export function snapshotOf(update: ArticleUpdate, article: Article | null): ItemSnapshot {
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

function imageOf(article: Article, update: ArticleUpdate): ArticleSnapshot {
  const { languageCode, versionNumber, latestVersionNumber, publicVersionNumber } = article;
  const { translationStatus, contentType } = article;
  return {
    languageCode,
    versionNumber,
    latestVersionNumber,
    publicVersionNumber,
    translationStatus,
    contentType,
    ...(update.title !== undefined && { title: article.title }),
    ...(update.content !== undefined && { content: article.content, htmlContent: article.htmlContent }),
    ...(update.categoryId !== undefined && { categoryId: article.categoryId }),
    ...(update.hidden !== undefined && { hidden: article.hidden }),
    ...(update.order !== undefined && { order: article.order }),
  };
}

/** Equal for items of one text. Items that name an article otherwise, and could not be read, have others. */
export function revertKeyOf({ update, image }: ItemSnapshot): string {
  const code = image?.languageCode ?? update.languageCode;
  return JSON.stringify([
    ...[idKeyOf(update.articleId), code == null ? code : idKeyOf(code)],
    image?.versionNumber ?? update.versionNumber,
  ]);
}

/** What one item has made of its text. */
export function targetOf(
  kept: ItemSnapshot,
  made: Pick<RevertTarget, 'isUnknown' | 'publicVersionNumbers'>,
): RevertTarget {
  const { update, image } = kept;
  if (image === null) return { ...kept, ...made };
  const { title, categoryId, hidden, order, translationStatus } = image;
  const content = image.contentType === 'WYSIWYG' ? image.htmlContent : image.content;
  const mayBeThere = (name: keyof ArticleValues) =>
    update[name] === null || (made.isUnknown && update[name] !== undefined);
  const previous: ArticleValues = {
    ...(mayBeThere('title') && { title }),
    ...(mayBeThere('content') && { content }),
    ...(mayBeThere('categoryId') && { categoryId }),
    ...(mayBeThere('hidden') && { hidden }),
    ...(mayBeThere('order') && { order }),
    ...(mayBeThere('translationStatus') && { translationStatus }),
  };
  return { ...kept, ...made, ...(Object.keys(previous).length > 0 && { previous }) };
}

interface Left<Value> {
  readonly name: keyof ArticleValues;
  /** What the items before have set; undefined where they have not. */
  readonly asked: Value | undefined;
  readonly previous: Value | undefined;
}

/**
 * The value that was there before an item, as the items before it have left it. Where another was read, somebody has changed it
 * between them, and it is not to be replaced where the item did nothing.
 */
function leftBefore<Value>(read: Value, { name, asked, previous }: Left<Value>): Value {
  if (asked === undefined) return read;
  if (asked !== null) return asked;
  return read === null || previous === undefined || isStoredAs(name, read, previous) ? read : previous;
}

/**
 * What the items of a text up to one of them, and the next one, have made of it together. The versions are those that the
 * next one met.
 */
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
  const previousOf = <Name extends keyof ArticleValues>(name: Name): ArticleValues[Name] => {
    const read = later.previous?.[name];
    if (read !== undefined)
      return leftBefore(read, { name, asked: earlier.update[name], previous: earlier.previous?.[name] });
    return later.update[name] === undefined ? earlier.previous?.[name] : undefined;
  };
  const previous: ArticleValues = {
    title: previousOf('title'),
    content: previousOf('content'),
    categoryId: previousOf('categoryId'),
    hidden: previousOf('hidden'),
    order: previousOf('order'),
    translationStatus: previousOf('translationStatus'),
  };
  return {
    ...later,
    isUnknown,
    ...(Object.values(previous).some((value) => value !== undefined) && { previous }),
    update: { ...earlier.update, ...later.update },
    image: { ...later.image, ...values, translationStatus: status },
  };
}

interface Shared<CategoryId, Hidden, Order> {
  readonly categoryId?: CategoryId;
  readonly hidden?: Hidden;
  readonly order?: Order;
}

/** The members that are wanted, undefined where they have no value. */
const pickShared = <CategoryId, Hidden, Order>(
  { categoryId, hidden, order }: Shared<CategoryId, Hidden, Order>,
  isWanted: (name: SharedName) => boolean,
) => ({
  ...(isWanted('categoryId') && { categoryId }),
  ...(isWanted('hidden') && { hidden }),
  ...(isWanted('order') && { order }),
});

/** Adds an item to the history of its article; null where it sets none of the members. */
export function addToHistory(earlier: SharedHistory | null, kept: ItemSnapshot, index: number): SharedHistory | null {
  const { update, image } = kept;
  const isSet = (name: SharedName) => update[name] !== undefined;
  if (!SHARED_MEMBERS.some(isSet)) return null;
  const read: SharedValues = image ?? {};
  const isFirst = (name: SharedName) => isSet(name) && earlier?.asLeft[name] === undefined;
  const previousOf = <Name extends SharedName>(name: Name): SharedValues[Name] =>
    leftBefore<SharedValues[Name]>(read[name], {
      name,
      asked: earlier?.asLeft[name],
      previous: earlier?.previous[name],
    });
  const previous = { categoryId: previousOf('categoryId'), hidden: previousOf('hidden'), order: previousOf('order') };
  const text = revertKeyOf(kept);
  const textOf = (name: SharedName) => (isFirst(name) || earlier?.texts[name] === text ? text : null);
  const texts = { categoryId: textOf('categoryId'), hidden: textOf('hidden'), order: textOf('order') };
  return {
    before: { ...earlier?.before, ...pickShared(read, isFirst) },
    previous: { ...earlier?.previous, ...pickShared(previous, isSet) },
    asLeft: { ...earlier?.asLeft, ...pickShared(update, isSet) },
    indexes: { ...earlier?.indexes, ...pickShared({ categoryId: index, hidden: index, order: index }, isSet) },
    texts: { ...earlier?.texts, ...pickShared(texts, isSet) },
  };
}

/**
 * Gives a target what the whole job has made of the members that its text shares with others of the article. Each of these
 * texts puts them back, so that none is reported as put back while they are not.
 */
export function withShared<Target extends RevertTarget>(
  target: Target,
  { history: { before, previous, asLeft, indexes, texts }, unknownIndex }: LastShared,
): Target {
  const { update, image } = target;
  const isSet = (name: SharedName) => update[name] !== undefined;
  if (image === null || !SHARED_MEMBERS.some(isSet)) return target;
  if (SHARED_MEMBERS.some((name) => isSet(name) && before[name] === undefined)) return { ...target, image: null };
  const left = pickShared(previous, (name) => asLeft[name] === null || indexes[name] === unknownIndex);
  const putBackBefore = SHARED_MEMBERS.filter((name) => isSet(name) && texts[name] === null);
  return {
    ...target,
    update: { ...update, ...pickShared(asLeft, isSet) },
    image: { ...image, ...pickShared(before, isSet) },
    previous: { ...target.previous, ...pickShared(left, isSet) },
    ...(putBackBefore.length > 0 && { putBackBefore }),
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

/** The members that the items have set; null without a snapshot. */
export function revertMembersOf({ update, image }: ItemSnapshot, now: Article | null): readonly RevertMember[] | null {
  if (image === null) return null;
  const seen = now === null ? [] : compareMembers(now, update);
  return compareMembers(image, update).flatMap(({ field, seen: before = null, asked }, position) =>
    asked === undefined || field === null ? [] : [{ name: field, before, asLeft: asked, now: seen[position]?.seen }],
  );
}

const SETTABLE_STATUSES: ReadonlySet<unknown> = new Set(['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED']);

/** True where an update can set each value of the snapshot. */
export function isRestorable(snapshot: ItemSnapshot & Partial<RevertTarget>): boolean {
  const { image } = snapshot;
  return image !== null && changedMembersOf(snapshot, image).every(({ name, before }) => isSettable(name, before));
}

const isSettable = (name: string, value: unknown): boolean =>
  name === 'translationStatus' ? SETTABLE_STATUSES.has(value) : value !== null;

function changedMembersOf(kept: ItemSnapshot & Partial<RevertTarget>, image: ArticleSnapshot) {
  const previous = compareMembers(image, { articleId: '', ...kept.previous });
  return compareMembers(image, kept.update).flatMap(({ field, seen: before = null, asked }, position) => {
    if (asked === undefined || field === null) return [];
    const values = [asked, previous[position]?.asked].filter((value) => value !== undefined);
    return values.every((value) => value === before) ? [] : [{ name: field, before }];
  });
}

/** The update that puts the snapshot back; without members where nothing has to be put back, or can be. */
export function restoringUpdateOf(kept: ItemSnapshot & Partial<RevertTarget>): ArticleUpdate {
  const { update, image } = kept;
  const { articleId, languageCode, versionNumber } = update;
  const target: UpdateTarget = {
    articleId,
    ...(languageCode !== undefined && { languageCode }),
    ...(versionNumber !== undefined && { versionNumber }),
  };
  if (image === null || !isRestorable(kept)) return target;
  const changed = new Set<string>(changedMembersOf(kept, image).map(({ name }) => name));
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

/** The outcome of an item of a revert that ends unsent, by its article as it is now; null where the item is sent. */
export function revertOutcomeOf(target: RevertTarget, now: Article | null): SharedOutcome | null {
  const { update, image, isUnknown } = target;
  if (image === null) return notAttempted('NOT_RESTORABLE', NOTHING_KEPT);
  if (!isRestorable(target)) return notAttempted('NOT_RESTORABLE', NO_SUCH_VALUE);
  const members = now && comparedMembersOf(target, image, now);
  if (now === null || !members || members.some(({ seen }) => seen === undefined))
    return notAttempted('BEFORE_NOT_READABLE', NOT_READABLE);
  const isVersionAsLeft =
    isSameId(now.languageCode, image.languageCode) &&
    now.versionNumber === image.versionNumber &&
    now.latestVersionNumber === image.latestVersionNumber &&
    (update.translationStatus !== undefined || now.translationStatus === image.translationStatus) &&
    target.publicVersionNumbers.includes(now.publicVersionNumber);
  if (!isVersionAsLeft) return notAttempted('CHANGED_SINCE', OTHER_VERSION);
  const isAsLeft =
    members.every(({ isApplied }) => isApplied) || (isUnknown && members.every(({ isUnapplied }) => isUnapplied));
  const isAsBefore = members.every((member) => member.isAsBefore);
  if (isAsBefore && (isAsLeft || isUnknown)) return { kind: 'updated', details: AS_BEFORE, evidence: 'READ_BACK' };
  return isAsLeft ? null : notAttempted('CHANGED_SINCE', OTHER_VALUE);
}

/**
 * What the article shows of the members that the items have set: the value after the last item, applied or not, or the one
 * before the first. A null that was sent may have kept what was there: see docs/service.md, "Bulk article update".
 */
function comparedMembersOf({ update, isUnknown, ...target }: RevertTarget, image: ArticleSnapshot, now: Article) {
  const before = compareMembers(image, update);
  const previous = compareMembers(now, { articleId: '', ...target.previous });
  return compareMembers(now, update).flatMap(({ field, seen, asked }, position) => {
    if (asked === undefined || field === null) return [];
    const isAsBefore = isSameMember(field, seen, before[position]?.seen ?? null);
    const { asked: value } = previous[position] ?? {};
    const isPrevious = value !== undefined && isStoredAs(field, seen, value);
    const mayBeBefore = asked === null || target.putBackBefore?.some((name) => name === field) === true;
    const mayBePrevious = asked === null || !isUnknown;
    const isApplied = isStoredAs(field, seen, asked) || (mayBeBefore && isAsBefore) || (mayBePrevious && isPrevious);
    const isUnapplied = asked === null || value === undefined ? isApplied : isPrevious;
    return [{ seen, isApplied, isUnapplied, isAsBefore }];
  });
}

const notAttempted = (reason: NotAttempted['reason'], details: string): NotAttempted => ({
  kind: 'not-attempted',
  details: `Not put back, because ${details}`,
  reason,
  retryAfterSeconds: null,
});

const NOTHING_KEPT = 'the article could not be read before the job changed it.';
const NO_SUCH_VALUE =
  'no update can set the values from before the job: no category, text, position or settable status.';
const NOT_READABLE = 'the article could not be read, or not all of it.';
const OTHER_VERSION = 'the latest version, the public one or the translation status is no longer as the job left it.';
const OTHER_VALUE = 'somebody has changed since what the job had set.';
const AS_BEFORE = 'Nothing had to be put back: the article was read, and is as it was before the job.';

/** The outcome of an item that is not sent, since there is no snapshot of its article. */
export const BEFORE_NOT_READABLE: NotAttempted = {
  kind: 'not-attempted',
  details: 'Not sent, because the article could not be read before, or not all that the item sets.',
  reason: 'BEFORE_NOT_READABLE',
  retryAfterSeconds: null,
};
