import { revisionProblem } from '../base/digest.ts';
import { IdMap } from '../base/id-map.ts';
import { isSameValue } from '../base/members.ts';
import { idKeyOf, idProblem, textProblem } from '../base/text.ts';
import { type Validation, validateField } from '../errors.ts';
import type { FieldChange } from '../field-changes.ts';
import type { Notices } from '../notices.ts';
import {
  type AccessScope,
  type AccessScopeDraft,
  isSameAccessScope,
  type ReadAccessScope,
  validateAccessScope,
} from './access-scopes.ts';
import type { ReaderGroup } from './reader-groups.ts';

/** A new state of a group. Absent members are kept by the gateway, since the service's PUT can't keep any. */
export interface ReaderGroupUpdate {
  readonly groupId: string;
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly readerIds?: readonly string[] | undefined;
  readonly invitedSsoUserIds?: readonly string[] | undefined;
  readonly accessScope?: AccessScope | undefined;
  /** Written only while the group has this revision (`revisionOfGroup`). */
  readonly ifRevision?: string | undefined;
}

/** The whole state of a group, as the service's PUT takes it. Its scope may be one that was read and is kept. */
export type ReaderGroupReplacement = Omit<ReaderGroup, 'isSummary'>;

/** An update without absent members, for which no group has to be read. */
export interface WholeReaderGroupUpdate extends ReaderGroupReplacement {
  readonly accessScope: AccessScope;
}

/** An update as the caller sent it, before validation. */
interface ReaderGroupUpdateDraft {
  readonly groupId: string;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly readerIds?: readonly string[] | null | undefined;
  readonly invitedSsoUserIds?: readonly string[] | null | undefined;
  readonly accessScope?: AccessScopeDraft | null | undefined;
  readonly ifRevision?: string | null | undefined;
}

export interface CompletedReaderGroupUpdate extends Notices {
  /** The envelope's `result`, which does not report success: see docs/service.md, "Reader group update". */
  readonly serviceResult: boolean | null;
}

/** The characters that no title of a group may contain: see docs/service.md, "Reader group update". */
const FORBIDDEN_IN_TITLE = [..."~`!@#$%^&*)(+=|][{};:?/>'.,"];

/** The problem of a title, as the end of a sentence; null where there is none. */
export function readerGroupTitleProblem(title: string): string | null {
  if (title === '') return 'must have 1 character or more';
  const forbidden = FORBIDDEN_IN_TITLE.filter((character) => title.includes(character)).toSorted(
    (one, other) => title.indexOf(one) - title.indexOf(other),
  );
  return forbidden.length > 0 ? `must not contain ${forbidden.join(' ')}` : textProblem(title);
}

type Properties = Readonly<Partial<Record<keyof ReaderGroupUpdate, unknown>>>;

const valuesOf = ({ title, description, readerIds, invitedSsoUserIds, accessScope }: Properties): readonly unknown[] =>
  Object.values({ title, description, readerIds, invitedSsoUserIds, accessScope } satisfies Record<
    Exclude<keyof ReaderGroupUpdate, 'groupId' | 'ifRevision'>,
    unknown
  >);

/** True where an update has all members, so that its group need not be read. */
export const isWholeUpdate = (update: ReaderGroupUpdate): update is WholeReaderGroupUpdate =>
  update.ifRevision === undefined && !valuesOf(update).includes(undefined);

/** Fills the absent members of an update from the current group. */
export const replacementOf = (update: ReaderGroupUpdate, current: ReaderGroup) =>
  ({
    groupId: update.groupId,
    title: update.title ?? current.title,
    description: update.description === undefined ? current.description : update.description,
    readerIds: update.readerIds ?? current.readerIds,
    invitedSsoUserIds: update.invitedSsoUserIds ?? current.invitedSsoUserIds,
    accessScope: update.accessScope ?? current.accessScope,
  }) satisfies ReaderGroupReplacement & Record<Exclude<keyof ReaderGroupUpdate, 'ifRevision'>, unknown>;

/** Checks a draft. Returns null when it is no update. */
export function* validateReaderGroupUpdate(draft: ReaderGroupUpdateDraft): Validation<ReaderGroupUpdate | null> {
  const { groupId, title, description, readerIds, invitedSsoUserIds, accessScope, ifRevision } = draft;
  yield* validateField('groupId', idProblem(groupId));
  yield* validateField('title', title == null ? keptOnly(title, 'title') : readerGroupTitleProblem(title));
  yield* validateField('description', description == null ? null : textProblem(description));
  yield* validateMemberIds('readerIds', readerIds);
  yield* validateMemberIds('invitedSsoUserIds', invitedSsoUserIds);
  yield* validateField('accessScope', keptOnly(accessScope, 'scope'));
  const scope = accessScope == null ? undefined : yield* validateAccessScope(accessScope);
  yield* validateField('ifRevision', revisionProblem(ifRevision));
  if (valuesOf(draft).every((value) => value === undefined)) {
    yield { path: [], message: 'There is nothing to change: every property of the group is left out.' };
  }
  if (title === null || scope === null || readerIds === null || invitedSsoUserIds === null || ifRevision === null)
    return null;
  const update = { groupId, title, description, readerIds, invitedSsoUserIds, accessScope: scope, ifRevision };
  return update satisfies Record<keyof ReaderGroupUpdate, unknown>;
}

/** The problem of null for a property that can only be kept by leaving it out. */
const keptOnly = (value: unknown, noun: string): string | null =>
  value === null ? `must not be null: leaving it out keeps the ${noun}` : null;

function* validateMemberIds(field: string, ids: readonly string[] | null | undefined): Validation<void> {
  if (ids === undefined) return;
  if (ids === null) {
    const message = `${field} must be a list: [] removes everyone, and leaving it out keeps the members.`;
    yield { path: [field], message };
  } else yield* validateIds(field, ids);
}

/** The effect that an update would have on a reader group. */
export interface ReaderGroupPreview {
  readonly accessScope: ReadAccessScope;
  readonly changesAccessScope: boolean;
  readonly changes: readonly FieldChange[];
  readonly addedReaderIds: readonly string[];
  readonly removedReaderIds: readonly string[];
  readonly addedInvitedSsoUserIds: readonly string[];
  readonly removedInvitedSsoUserIds: readonly string[];
}

/** The members whose effect a preview shows in members of its own. */
type ShownApart = 'groupId' | 'ifRevision' | 'accessScope' | 'readerIds' | 'invitedSsoUserIds';

/** Computes the effect of an update on a group. */
export function previewReaderGroupUpdate(update: ReaderGroupUpdate, group: ReaderGroup): ReaderGroupPreview {
  const next = replacementOf(update, group);
  const properties: readonly FieldChange[] = Object.values({
    title: { field: 'title', from: group.title, to: next.title },
    description: { field: 'description', from: group.description, to: next.description },
  } satisfies Record<Exclude<keyof ReaderGroupUpdate, ShownApart>, FieldChange>);
  return {
    accessScope: next.accessScope,
    changesAccessScope: !isSameAccessScope(group.accessScope, next.accessScope),
    changes: properties.filter(({ from, to }) => !isSameValue(from, to)),
    addedReaderIds: idsNotIn(next.readerIds, group.readerIds),
    removedReaderIds: idsNotIn(group.readerIds, next.readerIds),
    addedInvitedSsoUserIds: idsNotIn(next.invitedSsoUserIds, group.invitedSsoUserIds),
    removedInvitedSsoUserIds: idsNotIn(group.invitedSsoUserIds, next.invitedSsoUserIds),
  };
}

const idsOf = (ids: readonly string[]): IdMap<string> => new IdMap(ids.map((id) => [id, id]));

/** The IDs that are not among the others, each once. */
function idsNotIn(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = idsOf(others);
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/** The people to be added to a group or removed from it. All other members stay. */
export interface MembersUpdate {
  readonly groupId: string;
  readonly addReaderIds: readonly string[];
  readonly removeReaderIds: readonly string[];
  readonly addInvitedSsoUserIds: readonly string[];
  readonly removeInvitedSsoUserIds: readonly string[];
  /** As that of `ReaderGroupUpdate`. */
  readonly ifRevision?: string | undefined;
}

export type MembersUpdateDraft = { readonly groupId: string; readonly ifRevision?: string | null | undefined } & {
  readonly [List in Exclude<keyof MembersUpdate, 'groupId' | 'ifRevision'>]?: readonly string[] | null | undefined;
};

/** The effect of an update on one list of members. IDs are in the order of the update, each once. */
export interface MembersChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly alreadyMembers: readonly string[];
  readonly notMembers: readonly string[];
}

/** The effect of an update on both lists of members. */
export interface MembersChanges {
  readonly readers: MembersChange;
  readonly invitedSsoUsers: MembersChange;
}

export interface CompletedMembersUpdate extends MembersChanges, Notices {}

/** Checks a draft. A list that is null or absent is empty, since an update removes only named members. */
export function* validateMembersUpdate(draft: MembersUpdateDraft): Validation<MembersUpdate> {
  const { groupId, ifRevision } = draft;
  const lists = {
    addReaderIds: draft.addReaderIds ?? [],
    removeReaderIds: draft.removeReaderIds ?? [],
    addInvitedSsoUserIds: draft.addInvitedSsoUserIds ?? [],
    removeInvitedSsoUserIds: draft.removeInvitedSsoUserIds ?? [],
  };
  yield* validateField('groupId', idProblem(groupId));
  for (const [field, ids] of Object.entries(lists)) yield* validateIds(field, ids);
  yield* rejectAddedAndRemoved('removeReaderIds', lists.removeReaderIds, lists.addReaderIds);
  yield* rejectAddedAndRemoved('removeInvitedSsoUserIds', lists.removeInvitedSsoUserIds, lists.addInvitedSsoUserIds);
  if (Object.values(lists).every(({ length }) => length === 0)) {
    yield { path: [], message: 'There is nobody to add or to remove.' };
  }
  yield* validateField('ifRevision', revisionProblem(ifRevision));
  return { groupId, ifRevision: ifRevision ?? undefined, ...lists };
}

function* validateIds(field: string, ids: readonly string[]): Validation<void> {
  for (const [index, id] of ids.entries()) {
    const problem = idProblem(id);
    if (problem !== null) yield { path: [field, `${index}`], message: `An ID in ${field} ${problem}.` };
  }
}

function* rejectAddedAndRemoved(field: string, removed: readonly string[], added: readonly string[]): Validation<void> {
  const joining = new Set(added.map(idKeyOf));
  for (const [index, id] of removed.entries()) {
    if (joining.has(idKeyOf(id)))
      yield { path: [field, `${index}`], message: `${id} can't be both added and removed.` };
  }
}

/** Computes the new lists of members and the effect of the update. */
export function applyMembersUpdate(
  group: ReaderGroup,
  update: MembersUpdate,
): {
  readonly members: Pick<ReaderGroup, 'readerIds' | 'invitedSsoUserIds'>;
  readonly changes: MembersChanges;
} {
  const readers = mergeMembers(group.readerIds, update.addReaderIds, update.removeReaderIds);
  const invited = mergeMembers(group.invitedSsoUserIds, update.addInvitedSsoUserIds, update.removeInvitedSsoUserIds);
  return {
    members: { readerIds: readers.members, invitedSsoUserIds: invited.members },
    changes: { readers: readers.change, invitedSsoUsers: invited.change },
  };
}

function mergeMembers(current: readonly string[], adds: readonly string[], removes: readonly string[]) {
  const present = idsOf(current);
  const [adding, removing] = [[...new Set(adds)], [...new Set(removes)]];
  const leaving = new Set(removing.map((id) => present.get(id)));
  const isPresent = (id: string) => present.has(id);
  const added = adding.filter((id) => !isPresent(id));
  return {
    members: [...current.filter((id) => !leaving.has(id)), ...added],
    change: {
      added,
      removed: removing.filter(isPresent),
      alreadyMembers: adding.filter(isPresent),
      notMembers: removing.filter((id) => !isPresent(id)),
    },
  };
}

/** True where an update changes no member. */
export const changesNothing = ({ readers, invitedSsoUsers }: MembersChanges): boolean =>
  Object.values({ readers, invitedSsoUsers } satisfies MembersChanges).every(
    ({ added, removed }) => added.length + removed.length === 0,
  );
