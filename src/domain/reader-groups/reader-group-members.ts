import { idProblem, pathIdProblem } from '../../base/text.ts';
import type { Validation } from '../errors.ts';
import type { Notices } from '../notices.ts';
import type { ReaderGroup } from './reader-groups.ts';

/** The people who are to join or to leave a group. All other members stay. */
export interface MembersUpdate {
  readonly groupId: string;
  readonly addReaderIds: readonly string[];
  readonly removeReaderIds: readonly string[];
  readonly addInvitedSsoUserIds: readonly string[];
  readonly removeInvitedSsoUserIds: readonly string[];
}

export type MembersUpdateDraft = { readonly groupId: string } & {
  readonly [List in Exclude<keyof MembersUpdate, 'groupId'>]?: readonly string[] | null | undefined;
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

/** A confirmed update of the members. */
export interface CompletedMembersUpdate extends MembersChanges, Notices {}

/** A list that is null or absent is empty, since an update removes nobody who is not named. */
export function* validateMembersUpdate(draft: MembersUpdateDraft): Validation<MembersUpdate> {
  const update: MembersUpdate = {
    groupId: draft.groupId,
    addReaderIds: draft.addReaderIds ?? [],
    removeReaderIds: draft.removeReaderIds ?? [],
    addInvitedSsoUserIds: draft.addInvitedSsoUserIds ?? [],
    removeInvitedSsoUserIds: draft.removeInvitedSsoUserIds ?? [],
  };
  const { groupId, ...lists } = update;
  const problem = pathIdProblem(groupId);
  if (problem !== null) yield { path: ['groupId'], message: `groupId ${problem}.` };
  for (const [field, ids] of Object.entries(lists)) yield* validateIds(field, ids);
  yield* rejectAddedAndRemoved('removeReaderIds', lists.removeReaderIds, lists.addReaderIds);
  yield* rejectAddedAndRemoved('removeInvitedSsoUserIds', lists.removeInvitedSsoUserIds, lists.addInvitedSsoUserIds);
  if (Object.values(lists).every(({ length }) => length === 0)) {
    yield { path: [], message: 'There is nobody to add or to remove.' };
  }
  return update;
}

/** Validates each ID of a list. */
export function* validateIds(field: string, ids: readonly string[]): Validation<void> {
  for (const [index, id] of ids.entries()) {
    const problem = idProblem(id);
    if (problem !== null) yield { path: [field, `${index}`], message: `An ID in ${field} ${problem}.` };
  }
}

function* rejectAddedAndRemoved(field: string, removed: readonly string[], added: readonly string[]): Validation<void> {
  const joining = new Set(added);
  for (const [index, id] of removed.entries()) {
    if (joining.has(id)) yield { path: [field, `${index}`], message: `${id} can't be both added and removed.` };
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
  const present = new Set(current);
  const [adding, removing] = [[...new Set(adds)], [...new Set(removes)]];
  const leaving = new Set(removing);
  const added = adding.filter((id) => !present.has(id));
  return {
    members: [...current.filter((id) => !leaving.has(id)), ...added],
    change: {
      added,
      removed: removing.filter((id) => present.has(id)),
      alreadyMembers: adding.filter((id) => present.has(id)),
      notMembers: removing.filter((id) => !present.has(id)),
    },
  };
}

export const changesNothing = ({ readers, invitedSsoUsers }: MembersChanges): boolean =>
  Object.values({ readers, invitedSsoUsers } satisfies MembersChanges).every(
    ({ added, removed }) => added.length + removed.length === 0,
  );
