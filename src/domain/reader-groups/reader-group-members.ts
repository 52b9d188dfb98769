import type { Validation } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { idProblem, pathIdProblem } from '../text.ts';
import type { ReaderGroup } from './reader-groups.ts';

/** The people who join or leave a group. All other members stay. */
export interface MembersChange {
  readonly groupId: string;
  readonly addReaderIds: readonly string[];
  readonly removeReaderIds: readonly string[];
  readonly addInvitedSsoUserIds: readonly string[];
  readonly removeInvitedSsoUserIds: readonly string[];
}

export type MembersChangeDraft = { readonly groupId: string } & {
  readonly [List in Exclude<keyof MembersChange, 'groupId'>]?: readonly string[] | null | undefined;
};

/** The effect of a change on the members of the group. IDs are in the order of the change, readers first. */
export interface MembersReport {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly alreadyMembers: readonly string[];
  readonly notMembers: readonly string[];
}

/** A confirmed change. */
export interface CompletedMembersChange extends Notices {
  readonly report: MembersReport;
}

/** A list that is null or absent is empty, since a change removes nobody who is not named. */
export function* validateMembersChange(draft: MembersChangeDraft): Validation<MembersChange> {
  const change: MembersChange = {
    groupId: draft.groupId,
    addReaderIds: draft.addReaderIds ?? [],
    removeReaderIds: draft.removeReaderIds ?? [],
    addInvitedSsoUserIds: draft.addInvitedSsoUserIds ?? [],
    removeInvitedSsoUserIds: draft.removeInvitedSsoUserIds ?? [],
  };
  const { groupId, ...lists } = change;
  const problem = pathIdProblem(groupId);
  if (problem !== null) yield { path: ['groupId'], message: `groupId ${problem}.` };
  for (const [field, ids] of Object.entries(lists)) yield* validateIds(field, ids);
  yield* rejectAddedAndRemoved('removeReaderIds', lists.removeReaderIds, lists.addReaderIds);
  yield* rejectAddedAndRemoved('removeInvitedSsoUserIds', lists.removeInvitedSsoUserIds, lists.addInvitedSsoUserIds);
  if (Object.values(lists).every(({ length }) => length === 0)) {
    yield { path: [], message: 'There is nobody to add or to remove.' };
  }
  return change;
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

/** Computes the new lists of members and the effect of the change. */
export function applyMembersChange(
  group: ReaderGroup,
  change: MembersChange,
): {
  readonly members: Pick<ReaderGroup, 'readerIds' | 'invitedSsoUserIds'>;
  readonly report: MembersReport;
} {
  const readers = mergeMembers(group.readerIds, change.addReaderIds, change.removeReaderIds);
  const invited = mergeMembers(group.invitedSsoUserIds, change.addInvitedSsoUserIds, change.removeInvitedSsoUserIds);
  return {
    members: { readerIds: readers.members, invitedSsoUserIds: invited.members },
    report: {
      added: [...readers.added, ...invited.added],
      removed: [...readers.removed, ...invited.removed],
      alreadyMembers: [...readers.alreadyMembers, ...invited.alreadyMembers],
      notMembers: [...readers.notMembers, ...invited.notMembers],
    },
  };
}

function mergeMembers(current: readonly string[], adds: readonly string[], removes: readonly string[]) {
  const present = new Set(current);
  const [adding, removing] = [[...new Set(adds)], [...new Set(removes)]];
  const leaving = new Set(removing);
  const added = adding.filter((id) => !present.has(id));
  return {
    members: [...current.filter((id) => !leaving.has(id)), ...added],
    added,
    removed: removing.filter((id) => present.has(id)),
    alreadyMembers: adding.filter((id) => present.has(id)),
    notMembers: removing.filter((id) => !present.has(id)),
  };
}

export const changesNothing = ({ added, removed }: MembersReport): boolean => added.length + removed.length === 0;
