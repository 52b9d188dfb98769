import { isSameValue, membersOf, presentMembersOf } from '../base/members.ts';
import { idKeyOf, isSameId, shorten, withoutEntities } from '../base/text.ts';
import type { WritePeriod } from '../callers/request-report.ts';
import type { ArticleOutcome, NotAttempted, SharedOutcome } from './article-outcomes.ts';
import { type Article, isSettableStatus } from './articles.ts';
import {
  ARTICLE_MEMBERS,
  type ArticleProperty,
  type ArticleUpdate,
  type ArticleUpdateDraft,
  type ComparedArticle,
  compareMembers,
  isSameMember,
  isStoredAs,
  MEMBERS,
  READ_PROPERTIES,
  type ReadProperty,
  SHARED_MEMBERS,
  type SharedName,
  type UpdateTarget,
  withoutUnlisted,
} from './bulk-updates.ts';
import {
  hasTextState,
  isChangedWithin,
  isLatest,
  isSameTextState,
  lastChangeOf,
  type TextState,
  textStateOf,
} from './revisions.ts';

/**
 * Whether a job reads each article before it changes it, and keeps a snapshot. `ALWAYS` does not send an item whose article
 * cannot be read; `WHERE_POSSIBLE` sends it without a snapshot.
 */
export type KeepBefore = 'NEVER' | 'ALWAYS' | 'WHERE_POSSIBLE';

/** The properties of an article that a snapshot has only where the update sets them. */
type ReplacedValues = Omit<ComparedArticle, 'contentType' | 'translationStatus'>;

/** An article as it was read before an update: the values that the update replaces, and the numbers of its versions. */
export type ArticleSnapshot = Pick<
  Article,
  'languageCode' | 'versionNumber' | 'latestVersionNumber' | 'publicVersionNumber' | 'translationStatus' | 'contentType'
> &
  ReplacedValues;

/** Their order is that of the members in the JSON of snapshots. */
const REPLACED_MEMBERS = READ_PROPERTIES.filter((name) => name !== 'translationStatus');

/** What a job keeps of an item before it sends it, so that a revert can put the article back. */
export interface ItemSnapshot {
  /**
   * The update that is sent. Where the article was read, it names the language that was read, and sets the text as
   * `content`, also where the caller sent it as `htmlContent`.
   */
  readonly update: ArticleUpdate;
  /** The article before the item. Null where it could not be read, or not all that the update sets. */
  readonly image: ArticleSnapshot | null;
  /**
   * The state of the text before the item. Where it differs from the one that the item before has left, somebody else has
   * changed the text in between. Absent where the read reports no time of the last change.
   */
  readonly read?: TextState | undefined;
}

/** The values of an article as an update sets them: with its text as `content`, whichever editor it has. */
export type ArticleValues = Pick<ArticleUpdateDraft, Exclude<ReadProperty, 'htmlContent'>>;

/** Their order is that of the members in the JSON of `RevertTarget.previous`. */
const VALUE_MEMBERS = [...REPLACED_MEMBERS.filter((name) => name !== 'htmlContent'), 'translationStatus'] as const;

/** The member of an update that sets a property. */
const setterOf = (name: ReadProperty): keyof ArticleValues => (name === 'htmlContent' ? 'content' : name);

const valuesOf = (image: ArticleSnapshot): ArticleValues => ({
  ...image,
  content: image.contentType === 'WYSIWYG' ? image.htmlContent : image.content,
});

/**
 * One text that a revert puts back. A text is an article in one language and version; several items of a job may have
 * changed it. `image` is from before the first of them, and `update` sets what all of them together have set.
 */
export interface RevertTarget extends ItemSnapshot {
  /** The state of the text after the last item, from a read after its call. Absent where no such read was made. */
  readonly noted?: TextState | undefined;
  /** True where the outcome of one of the items is unknown, so that the article may not have its values. */
  readonly isUnknown: boolean;
  /** The public versions that the article may have after the job; null where it may have none. */
  readonly publicVersionNumbers: readonly (number | null)[];
  /**
   * For each member, its value before the last item that set it, where the article may still have that value: because the
   * item set null, which the service may ignore, or because the outcome of the item is unknown.
   */
  readonly previous?: ArticleValues | undefined;
  /** Members that all texts share, and that the same revert may have put back already with another text of the article. */
  readonly putBackBefore?: readonly SharedName[] | undefined;
}

/**
 * What the items of a job have made of the members that all texts of an article share, such as its category. The items may
 * be of several texts. A member that no item has set is absent everywhere.
 */
export interface SharedHistory {
  /** The value of each member before the first item that set it. Also absent where it could not be read. */
  readonly before: SharedValues;
  /** The value before the last item that set it. */
  readonly previous: SharedValues;
  /** The value that the last item set. */
  readonly asLeft: Pick<ArticleUpdate, SharedName>;
  /** The index of that last item in the job. */
  readonly indexes: { readonly [Name in SharedName]?: number | undefined };
  /** The text (`revertKeyOf`) whose items set the member; null where items of several texts did. */
  readonly texts: { readonly [Name in SharedName]?: string | null | undefined };
}

type SharedValues = Pick<ArticleSnapshot, SharedName>;

/** The history of an article to the end of a job. */
export interface LastShared {
  readonly history: SharedHistory;
  /** The index of the last item that set a shared member, where the outcome of that item is unknown, else null. */
  readonly unknownIndex: number | null;
}

export interface IndexedTarget extends RevertTarget {
  /** The index of the last item of the job that changed the text. It names the target. */
  readonly index: number;
}

/**
 * An update that makes a read report all that the update sets. A read does not look for a member that is null, so it has
 * another value here.
 */
export function readingUpdateOf(update: ArticleUpdate): ArticleUpdate {
  const nulls = READ_PROPERTIES.filter((name) => update[name] === null);
  // The translation status is compared in any case.
  return { ...update, ...Object.fromEntries(nulls.map((name) => [name, ''])), translationStatus: 'NONE' };
}

/** Makes the snapshot of an item from a read of its article. The image is null where the read lacks a value that the update sets. */
export function snapshotOf(update: ArticleUpdate, article: Article | null): ItemSnapshot {
  if (article === null) return { update, image: null };
  const members = compareMembers(article, update).filter(({ asked }) => asked !== undefined);
  if (members.some(({ seen }) => seen === undefined)) return { update, image: null };
  const text = members.find(({ field }) => field === 'content' || field === 'htmlContent');
  const { content: _content, htmlContent: _htmlContent, ...rest } = update;
  const { languageCode } = article;
  const normalized = { ...rest, languageCode, ...(text !== undefined && { content: toText(text.asked) }) };
  const read = textStateOf(article);
  return { update: normalized, image: imageOf(article, normalized), ...(read && { read }) };
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function imageOf(article: ArticleSnapshot, update: ArticleUpdate): ArticleSnapshot {
  const { languageCode, versionNumber, latestVersionNumber, publicVersionNumber } = article;
  const { translationStatus, contentType } = article;
  const replaced = REPLACED_MEMBERS.filter((name) => update[setterOf(name)] !== undefined);
  return {
    languageCode,
    versionNumber,
    latestVersionNumber,
    publicVersionNumber,
    translationStatus,
    contentType,
    ...membersOf<ReplacedValues>(replaced, (name) => article[name]),
  };
}

/**
 * A key that is equal for items of one text. An item that was not read has a key by what it names: without a language or a
 * version, the key differs from that of other items of the same text.
 */
export function revertKeyOf({ update, image }: ItemSnapshot): string {
  const code = image?.languageCode ?? update.languageCode;
  return JSON.stringify([
    ...[idKeyOf(update.articleId), code == null ? code : idKeyOf(code)],
    image?.versionNumber ?? update.versionNumber,
  ]);
}

/**
 * The state in which the call of an item has left its text, by a read after the call. Null where that is not certain: the
 * read may report a write of somebody else, or be older than the call. The version may be the next one, since the service
 * may make a new version for an update.
 */
export function stateLeftBy(
  { update, image }: ItemSnapshot,
  article: Article | null,
  period: WritePeriod | null,
): TextState | null {
  if (image === null || article === null || !isLatest(image) || !isChangedWithin(period, article)) return null;
  const { versionNumber, publicVersionNumber, languageCode } = article;
  const isOfItem =
    isSameId(languageCode, image.languageCode) &&
    (versionNumber === image.versionNumber || versionNumber === image.versionNumber + 1) &&
    publicVersionNumber === image.publicVersionNumber;
  const before = compareMembers(image, update);
  const isAsSent = compareMembers(article, withoutUnlisted(update)).every(
    ({ field, seen, asked }, position) =>
      field === null ||
      asked === undefined ||
      isListedAs(field, seen, asked) ||
      (asked === null && isSameMember(field, seen, before[position]?.seen ?? null)),
  );
  return isOfItem && isAsSent ? textStateOf(article) : null;
}

/** True where a list may report this value after that one was sent. Lists may have `&amp;` and other entities in their texts. */
const isListedAs = (name: ArticleProperty, seen: unknown, asked: unknown): boolean =>
  isStoredAs(name, seen, asked) ||
  (typeof seen === 'string' &&
    typeof asked === 'string' &&
    isStoredAs(name, withoutEntities(seen), withoutEntities(asked)));

/** The snapshot with the number of the version that the item was written to, where the service has made a new version for it. */
export function withMadeVersion(kept: ItemSnapshot, noted: TextState | undefined): ItemSnapshot {
  const { update, image } = kept;
  if (noted === undefined || image === null || noted.versionNumber === image.versionNumber) return kept;
  const { versionNumber } = noted;
  return {
    ...kept,
    update: update.versionNumber == null ? update : { ...update, versionNumber },
    image: { ...image, versionNumber, latestVersionNumber: versionNumber },
  };
}

interface EndedUpdate {
  readonly isUnknown: boolean;
  readonly outcome: SharedOutcome | null;
  readonly noted: TextState | undefined;
}

/** The target of a single item that has ended. `mergeTargets` adds the next item of the same text. */
export function targetOf(snapshot: ItemSnapshot, { isUnknown, outcome, noted }: EndedUpdate): RevertTarget {
  const kept = withMadeVersion(snapshot, noted);
  const { update, image } = kept;
  const publication = outcome?.kind === 'updated' ? outcome.publication : undefined;
  const { versionNumber = null, publicVersionNumber = null } = image ?? {};
  const publicVersionNumbers = [
    ...(publication === 'PUBLISHED' ? [] : [publicVersionNumber]),
    ...(publication === 'PUBLISHED' || publication === 'UNKNOWN' ? [versionNumber] : []),
  ];
  const made = { ...kept, isUnknown, publicVersionNumbers, ...(noted && { noted }) };
  if (image === null) return made;
  const values = valuesOf(image);
  const mayBeThere = VALUE_MEMBERS.filter((name) => update[name] === null || (isUnknown && update[name] !== undefined));
  const previous = membersOf<ArticleValues>(mayBeThere, (name) => values[name]);
  return { ...made, ...(mayBeThere.length > 0 && { previous }) };
}

interface Left<Value> {
  readonly name: keyof ArticleValues;
  /** The value that earlier items have set; undefined where none has set the member. */
  readonly asked: Value | undefined;
  /** The value before those items, where the article may still have it. */
  readonly previous: Value | undefined;
}

/**
 * The value that a member has if the item was not applied, and nobody else has changed the article: the one that an earlier
 * item has set. The service may ignore a null that was set, so that then both null and the value before it are possible, and
 * the read decides. Where it reports neither, somebody else has set a third value, which a revert must not overwrite: the
 * result is the value before the null, from which the article differs.
 */
function leftBefore<Value>(read: Value, { name, asked, previous }: Left<Value>): Value {
  if (asked === undefined) return read;
  if (asked !== null) return asked;
  return read === null || previous === undefined || isStoredAs(name, read, previous) ? read : previous;
}

/**
 * The target of the earlier items of a text and of the next one. Its values are from before the first item; its numbers of
 * versions are from before the last one, since a revert compares them with the article as that item left it.
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
  const previous = membersOf<ArticleValues>(VALUE_MEMBERS, previousOf);
  const { noted: _, ...target } = later;
  const noted = stateLeftByBoth(earlier, later);
  return {
    ...target,
    isUnknown,
    ...(noted && { noted }),
    ...(Object.values(previous).some((value) => value !== undefined) && { previous }),
    update: { ...earlier.update, ...later.update },
    image: { ...later.image, ...values, translationStatus: status },
  };
}

/**
 * The state in which two items of a job have left one text. It vouches for the members of both, so that it is undefined
 * where somebody else may have changed the text between the two, unless the later item has set all members again.
 */
function stateLeftByBoth(earlier: RevertTarget, later: RevertTarget): TextState | undefined {
  // Where the later item has not been applied, the text may still be as the earlier one has left it.
  if (later.noted === undefined) return later.isUnknown ? earlier.noted : undefined;
  const setsAll = MEMBERS.every(
    ([name, { isShared, compare }]) =>
      isShared || compare === null || earlier.update[name] === undefined || later.update[name] !== undefined,
  );
  const isUnbroken =
    earlier.noted !== undefined && later.read !== undefined && isSameTextState(earlier.noted, later.read);
  return setsAll || isUnbroken ? later.noted : undefined;
}

const sharedMembersOf = (update: ArticleUpdate): readonly SharedName[] =>
  SHARED_MEMBERS.filter((name) => update[name] !== undefined);

/** The history of an article with one more item; null where the item sets no shared member. */
export function addToHistory(earlier: SharedHistory | null, kept: ItemSnapshot, index: number): SharedHistory | null {
  const { update, image } = kept;
  const set = sharedMembersOf(update);
  if (set.length === 0) return null;
  const read: SharedValues = image ?? {};
  const isFirst = (name: SharedName) => earlier?.asLeft[name] === undefined;
  const previousOf = <Name extends SharedName>(name: Name): SharedValues[Name] =>
    leftBefore<SharedValues[Name]>(read[name], {
      name,
      asked: earlier?.asLeft[name],
      previous: earlier?.previous[name],
    });
  const text = revertKeyOf(kept);
  const textOf = (name: SharedName) => (isFirst(name) || earlier?.texts[name] === text ? text : null);
  return {
    before: { ...earlier?.before, ...membersOf<SharedValues>(set.filter(isFirst), (name) => read[name]) },
    previous: { ...earlier?.previous, ...membersOf<SharedValues>(set, previousOf) },
    asLeft: { ...earlier?.asLeft, ...membersOf<SharedHistory['asLeft']>(set, (name) => update[name]) },
    indexes: { ...earlier?.indexes, ...membersOf<SharedHistory['indexes']>(set, () => index) },
    texts: { ...earlier?.texts, ...membersOf<SharedHistory['texts']>(set, textOf) },
  };
}

/**
 * The target with the values of shared members from the history of the whole article. A revert puts shared members back with
 * each text whose items have set them, so that it reports no text as put back while a value that the text shares is not.
 */
export function withShared<Target extends RevertTarget>(
  target: Target,
  { history: { before, previous, asLeft, indexes, texts }, unknownIndex }: LastShared,
): Target {
  const { update, image } = target;
  const set = sharedMembersOf(update);
  if (image === null || set.length === 0) return target;
  if (set.some((name) => before[name] === undefined)) return { ...target, image: null };
  const mayBeThere = (name: SharedName) => asLeft[name] === null || indexes[name] === unknownIndex;
  const previousOf = <Name extends SharedName>(name: Name) => (mayBeThere(name) ? previous[name] : undefined);
  const putBackBefore = set.filter((name) => texts[name] === null);
  return {
    ...target,
    update: { ...update, ...membersOf<SharedHistory['asLeft']>(set, (name) => asLeft[name]) },
    image: { ...image, ...membersOf<SharedValues>(set, (name) => before[name]) },
    previous: { ...target.previous, ...membersOf<SharedValues>(set, previousOf) },
    ...(putBackBefore.length > 0 && { putBackBefore }),
  };
}

export interface RevertMember {
  readonly name: ArticleProperty;
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

/** How much of a snapshot an update can put back. */
export function restorabilityOf(kept: ItemSnapshot & Partial<RevertTarget>): 'whole' | 'part' | 'none' {
  const { image } = kept;
  if (image === null) return 'none';
  const changed = changedMembersOf(kept, image);
  const left = changed.filter(({ isRestorable }) => !isRestorable).length;
  if (left === 0) return 'whole';
  return left < changed.length ? 'part' : 'none';
}

/** The changed members whose value before the job no update can set, such as a title that was null. */
export function notRestoredOf(kept: ItemSnapshot & Partial<RevertTarget>): readonly ReadProperty[] {
  const changed = kept.image === null ? [] : changedMembersOf(kept, kept.image);
  return READ_PROPERTIES.filter((member) => changed.some(({ name, isRestorable }) => name === member && !isRestorable));
}

/** The outcome of an item that a revert has sent. An update names the changed members that it could not put back. */
export function withNotRestored(outcome: ArticleOutcome, target: RevertTarget | undefined): ArticleOutcome {
  const notRestored = target === undefined ? [] : notRestoredOf(target);
  return outcome.kind === 'updated' && notRestored.length > 0 ? { ...outcome, notRestored } : outcome;
}

const isSettable = (name: string, value: unknown): boolean =>
  name === 'translationStatus' ? isSettableStatus(value) : value !== null;

function changedMembersOf(kept: ItemSnapshot & Partial<RevertTarget>, image: ArticleSnapshot) {
  const previous = compareMembers(image, { articleId: '', ...kept.previous });
  return compareMembers(image, kept.update).flatMap(({ field, seen: before = null, asked }, position) => {
    if (asked === undefined || field === null) return [];
    const values = [asked, previous[position]?.asked].filter((value) => value !== undefined);
    return values.every((value) => isSameValue(value, before))
      ? []
      : [{ name: field, isRestorable: isSettable(field, before) }];
  });
}

/** The update that puts a text back. It sets the changed members that an update can set to their values before; there may be none. */
export function restoringUpdateOf(kept: ItemSnapshot & Partial<RevertTarget>): ArticleUpdate {
  const { update, image } = kept;
  const { articleId, languageCode, versionNumber } = update;
  const target: UpdateTarget = {
    articleId,
    ...(languageCode !== undefined && { languageCode }),
    ...(versionNumber !== undefined && { versionNumber }),
  };
  if (image === null) return target;
  const changed = changedMembersOf(kept, image);
  const restorable = READ_PROPERTIES.filter((member) =>
    changed.some(({ name, isRestorable }) => name === member && isRestorable),
  );
  return { ...target, ...presentMembersOf(valuesOf(image), restorable.map(setterOf)) };
}

/** Compares a target with its article as it is now: the outcome where the item is not sent; null where it has to be sent. */
export function revertOutcomeOf(target: RevertTarget, now: Article | null): SharedOutcome | null {
  const { image, isUnknown, noted } = target;
  if (image === null) return notAttempted('NOT_RESTORABLE', NOTHING_KEPT);
  if (restorabilityOf(target) === 'none')
    return notAttempted(
      'NOT_RESTORABLE',
      `no update can set what was before the job: ${notRestoredOf(target).join(', ')}.`,
    );
  const isNoted = noted !== undefined && now !== null && hasTextState(noted, now);
  const members = now && comparedMembersOf(target, { image, now, isNoted });
  if (now === null || !members || members.some(({ seen }) => seen === undefined))
    return notAttempted('BEFORE_NOT_READABLE', NOT_READABLE);
  const versions = isNoted ? [] : otherVersions(target, image, now);
  const isAsLeft =
    members.every(({ isApplied }) => isApplied) || (isUnknown && members.every(({ isUnapplied }) => isUnapplied));
  const isAsBefore = members.every((member) => member.isAsBefore);
  if (versions.length === 0 && isAsBefore && (isAsLeft || isUnknown))
    return { kind: 'updated', details: AS_BEFORE, evidence: 'READ_BACK' };
  if (versions.length === 0 && isAsLeft) return null;
  const others = members.filter(({ isApplied }) => !isApplied);
  const differences = [...versions, ...others].map(
    ({ field, asked, seen }) => `${field}: ${shown(asked)} was expected, and ${shown(seen)} is there`,
  );
  return notAttempted(
    'CHANGED_SINCE',
    `the article is not as the job left it, and ${lastChangeOf(now)}. ${differences.join('; ')}.`,
  );
}

/** The numbers of versions, and other values that the items have not set, in which the article differs from its snapshot. */
function otherVersions({ update, publicVersionNumbers }: RevertTarget, image: ArticleSnapshot, now: Article) {
  const compared = [
    { field: 'languageCode', asked: idKeyOf(image.languageCode), seen: idKeyOf(now.languageCode) },
    { field: 'versionNumber', asked: image.versionNumber, seen: now.versionNumber },
    { field: 'latestVersionNumber', asked: image.latestVersionNumber, seen: now.latestVersionNumber },
    {
      field: 'publicVersionNumber',
      asked: publicVersionNumbers.includes(now.publicVersionNumber) ? now.publicVersionNumber : publicVersionNumbers[0],
      seen: now.publicVersionNumber,
    },
    ...(update.translationStatus === undefined
      ? [{ field: 'translationStatus', asked: image.translationStatus, seen: now.translationStatus }]
      : []),
  ];
  return compared.filter(({ asked, seen }) => asked !== seen);
}

/** The most characters of a value in a message. */
const MAX_VALUE_CHARS = 60;

const shown = (value: unknown): string =>
  JSON.stringify(typeof value === 'string' ? shorten(value, MAX_VALUE_CHARS) : (value ?? null));

interface RevertComparison {
  readonly image: ArticleSnapshot;
  readonly now: Article;
  /**
   * True where the text has the state that was noted after the last item. Then nobody has changed it since, also where the
   * service has stored it in another form than it was sent.
   */
  readonly isNoted: boolean;
}

/**
 * Compares each member that the items have set with the article as it is now: `isApplied` where the last item may have left
 * this value, `isUnapplied` where the article may have it if the last item was not applied, and `isAsBefore` where it is the
 * value before the first item. A null that was sent may have kept what was there: see docs/service.md, "Bulk article update".
 */
function comparedMembersOf({ update, isUnknown, ...target }: RevertTarget, { image, now, isNoted }: RevertComparison) {
  const before = compareMembers(image, update);
  const previous = compareMembers(now, { articleId: '', ...target.previous });
  return compareMembers(now, update).flatMap(({ field, seen, asked }, position) => {
    if (asked === undefined || field === null) return [];
    const isAsBefore = isSameMember(field, seen, before[position]?.seen ?? null);
    const { asked: value } = previous[position] ?? {};
    const isPrevious = value !== undefined && isStoredAs(field, seen, value);
    const mayBeBefore = asked === null || target.putBackBefore?.some((name) => name === field) === true;
    const mayBePrevious = asked === null || !isUnknown;
    const isApplied =
      (isNoted && !ARTICLE_MEMBERS[field].isShared) ||
      isStoredAs(field, seen, asked) ||
      (mayBeBefore && isAsBefore) ||
      (mayBePrevious && isPrevious);
    const isUnapplied = asked === null || value === undefined ? isApplied : isPrevious;
    return [{ field, seen, asked, isApplied, isUnapplied, isAsBefore }];
  });
}

const notAttempted = (reason: NotAttempted['reason'], details: string): NotAttempted => ({
  kind: 'not-attempted',
  details: `Not put back, because ${details}`,
  reason,
  retryAfterSeconds: null,
});

const NOTHING_KEPT = 'the article could not be read before the job changed it.';
const NOT_READABLE = 'the article could not be read, or not all of it.';
const AS_BEFORE = 'Nothing had to be put back: the article was read, and is as it was before the job.';

/** The outcome of an item that is not sent, since there is no snapshot of its article. */
export const BEFORE_NOT_READABLE: NotAttempted = {
  kind: 'not-attempted',
  details: 'Not sent, because the article could not be read before, or not all that the item sets.',
  reason: 'BEFORE_NOT_READABLE',
  retryAfterSeconds: null,
};
