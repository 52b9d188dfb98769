import type { Rules } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { pathIdProblem } from '../text.ts';
import { idListRules, type ReaderGroup, type ReaderGroupReplacement } from './reader-group-updates.ts';

/** Who joins and who leaves a group; everybody else stays. */
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

/** What a change comes to, given who is in the group: IDs in the order they were asked for, readers first. */
export interface MembersReport {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly alreadyMembers: readonly string[];
  readonly notMembers: readonly string[];
}

/** An answered change. */
export interface MembersChanged extends Notices {
  readonly report: MembersReport;
}

/** Holds every rule against the change. A list that is null or left out is empty: here nobody is removed by silence. */
export function* membersChangeRules(draft: MembersChangeDraft): Rules<MembersChange> {
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
  for (const [field, ids] of Object.entries(lists)) yield* idListRules(field, ids);
  yield* bothWays('removeReaderIds', lists.removeReaderIds, lists.addReaderIds);
  yield* bothWays('removeInvitedSsoUserIds', lists.removeInvitedSsoUserIds, lists.addInvitedSsoUserIds);
  if (Object.values(lists).every(({ length }) => length === 0)) {
    yield { path: [], message: 'There is nobody to add or to remove.' };
  }
  return change;
}

function* bothWays(field: string, removed: readonly string[], added: readonly string[]): Rules<void> {
  const joining = new Set(added);
  for (const [index, id] of removed.entries()) {
    if (joining.has(id)) yield { path: [field, `${index}`], message: `${id} can't be both added and removed.` };
  }
}

/** The change held against the group as it is: what to write, and what that changes. */
export function applyMembersChange(
  group: ReaderGroup,
  change: MembersChange,
): {
  readonly members: Pick<ReaderGroupReplacement, 'readerIds' | 'invitedSsoUserIds'>;
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
