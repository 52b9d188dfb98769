import { isSameValue, membersOf, presentMembersOf } from '../base/members.ts';
import { idKeyOf, isSameId, shorten } from '../base/text.ts';
import type { WritePeriod } from '../callers/request-report.ts';
import type { ArticleOutcome, NotAttempted, SharedOutcome } from './article-outcomes.ts';
import type { Article } from './articles.ts';
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

/** Whether a job keeps snapshots of articles before it changes them. `WHERE_POSSIBLE` also sends what can't be read before. */
export type KeepBefore = 'NEVER' | 'ALWAYS' | 'WHERE_POSSIBLE';

/** The properties of an article that a snapshot has only where the update sets them. */
type ReplacedValues = Omit<ComparedArticle, 'contentType' | 'translationStatus'>;

/** An article as it was read before an update: the values that the update replaces, and the numbers of its versions. */
export type ArticleSnapshot = Pick<
  Article,
  'languageCode' | 'versionNumber' | 'latestVersionNumber' | 'publicVersionNumber' | 'translationStatus' | 'contentType'
> &
  ReplacedValues;

/** In the order in which states have them. */
const REPLACED_MEMBERS = READ_PROPERTIES.filter((name) => name !== 'translationStatus');

/** The snapshot that a job keeps of an item before it is sent. */
export interface ItemSnapshot {
  /** The update, in the language that was read, with its text as `content` where the article takes it so. */
  readonly update: ArticleUpdate;
  /** Null where the article could not be read. */
  readonly image: ArticleSnapshot | null;
  /** The state of the text, by which a change between two items of a job shows. Absent where the read shows no time. */
  readonly read?: TextState | undefined;
}

/** The values of an article as an update sets them: with its text as `content`, whichever editor it has. */
export type ArticleValues = Pick<ArticleUpdateDraft, Exclude<ReadProperty, 'htmlContent'>>;

/** In the order in which states have them. */
const VALUE_MEMBERS = [...REPLACED_MEMBERS.filter((name) => name !== 'htmlContent'), 'translationStatus'] as const;

/** The member of an update that sets a property. */
const setterOf = (name: ReadProperty): keyof ArticleValues => (name === 'htmlContent' ? 'content' : name);

const valuesOf = (image: ArticleSnapshot): ArticleValues => ({
  ...image,
  content: image.contentType === 'WYSIWYG' ? image.htmlContent : image.content,
});

/** What one or several items of a job have made of one text, with the snapshot before the first of them. */
export interface RevertTarget extends ItemSnapshot {
  /** What reads showed of the text after the last item. Absent where that was not noted. */
  readonly noted?: TextState | undefined;
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

/**
 * An update that makes a read report all that the update sets. A read does not look for a member that is null, so that a
 * value stands in its place.
 */
export function readingUpdateOf(update: ArticleUpdate): ArticleUpdate {
  const nulls = READ_PROPERTIES.filter((name) => update[name] === null);
  // The translation status is compared in any case.
  return { ...update, ...Object.fromEntries(nulls.map((name) => [name, ''])), translationStatus: 'NONE' };
}

/** The snapshot of an item; its image is null where the article does not show all that the update sets. */
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

/** Equal for items of one text. Items that name an article otherwise, and could not be read, have others. */
export function revertKeyOf({ update, image }: ItemSnapshot): string {
  const code = image?.languageCode ?? update.languageCode;
  return JSON.stringify([
    ...[idKeyOf(update.articleId), code == null ? code : idKeyOf(code)],
    image?.versionNumber ?? update.versionNumber,
  ]);
}

/**
 * The state in which an item's call has left its text, by a read after the call. Null where the read may show somebody
 * else's write, or may not show that of the item yet. The service may have made a new version for the item.
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

/** True where the value of a list may be the stored form of the one that was sent, also with entities in place of characters. */
const isListedAs = (name: ArticleProperty, seen: unknown, asked: unknown): boolean =>
  isStoredAs(name, seen, asked) ||
  (typeof seen === 'string' &&
    typeof asked === 'string' &&
    isStoredAs(name, withoutEntities(seen), withoutEntities(asked)));

const withoutEntities = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[\da-f]{1,5});/giu, (entity) => {
    const name = entity.slice(1, -1).toLowerCase();
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return ENTITIES.get(name) ?? String.fromCodePoint(code);
  });

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The snapshot of an item for which the service has made a version, as one of that version. */
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

/** What one item has made of its text. */
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
  /** What the items before have set; undefined where they have not. */
  readonly asked: Value | undefined;
  readonly previous: Value | undefined;
}

/**
 * The value before an item, which is what earlier items of the job have made of it. Where a read showed another value,
 * somebody else has changed it in between: then that value must stay where the item did nothing.
 */
function leftBefore<Value>(read: Value, { name, asked, previous }: Left<Value>): Value {
  if (asked === undefined) return read;
  if (asked !== null) return asked;
  return read === null || previous === undefined || isStoredAs(name, read, previous) ? read : previous;
}

/** Adds the next item of a text to what the earlier ones have made of it. The versions are those before the next item. */
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
 * The state in which two items have left one text. It is known for all members that either item has set only where nothing
 * else has changed the text between the two, or where the later item has set all of these members.
 */
function stateLeftByBoth(earlier: RevertTarget, later: RevertTarget): TextState | undefined {
  // The state after the earlier item may still stand where the later one has not been applied.
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

/** Adds an item to the history of its article; null where it sets none of the members. */
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
 * Gives a target what the whole job has made of the members that its text shares with others of the article. Each of these
 * texts puts them back, so that none is reported as put back while they are not.
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

/** A member of an article, with its values. */
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

const SETTABLE_STATUSES: ReadonlySet<unknown> = new Set(['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED']);

/** How much of a snapshot an update can put back. */
export function restorabilityOf(kept: ItemSnapshot & Partial<RevertTarget>): 'whole' | 'part' | 'none' {
  const { image } = kept;
  if (image === null) return 'none';
  const changed = changedMembersOf(kept, image);
  const left = changed.filter(({ isRestorable }) => !isRestorable).length;
  if (left === 0) return 'whole';
  return left < changed.length ? 'part' : 'none';
}

/** The members that no update can set to what they were before. */
export function notRestoredOf(kept: ItemSnapshot & Partial<RevertTarget>): readonly ReadProperty[] {
  const changed = kept.image === null ? [] : changedMembersOf(kept, kept.image);
  return READ_PROPERTIES.filter((member) => changed.some(({ name, isRestorable }) => name === member && !isRestorable));
}

/** The outcome of an item of a revert, with the members that it has not put back. */
export function withNotRestored(outcome: ArticleOutcome, target: RevertTarget | undefined): ArticleOutcome {
  const notRestored = target === undefined ? [] : notRestoredOf(target);
  return outcome.kind === 'updated' && notRestored.length > 0 ? { ...outcome, notRestored } : outcome;
}

const isSettable = (name: string, value: unknown): boolean =>
  name === 'translationStatus' ? SETTABLE_STATUSES.has(value) : value !== null;

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

/** The update that puts back what can be; without members where nothing has to be put back, or can be. */
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

/** The outcome of an item of a revert that ends unsent, by its article as it is now; null where the item is sent. */
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

/** What differs from the version that the items have changed. */
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
  /** True where the read shows the text as it was noted, whatever the service has made of it. */
  readonly isNoted: boolean;
}

/**
 * What the article shows of the members that the items have set: the value after the last item, applied or not, or the one
 * before the first. A null that was sent may have kept what was there: see docs/service.md, "Bulk article update".
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
