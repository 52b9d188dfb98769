import { ok } from '../../../base/result.ts';
import { NO_NOTICES } from '../../../domain/notices.ts';
import {
  applyMembersUpdate,
  type CompletedMembersUpdate,
  changesNothing,
  type MembersUpdate,
} from '../../../domain/reader-groups/reader-group-members.ts';
import type { BackendResult } from '../../backend.ts';
import { type GroupWriter, putGroup, readGroup } from './reader-group-updates.ts';

export async function changeMembers(writer: GroupWriter, update: MembersUpdate): BackendResult<CompletedMembersUpdate> {
  const group = await readGroup(writer, update.groupId);
  if (!group.ok) return group;
  const { members, changes } = applyMembersUpdate(group.value, update);
  if (changesNothing(changes)) return ok({ ...changes, ...NO_NOTICES });
  const result = await putGroup(writer, { ...group.value, ...members });
  if (!result.ok) return result;
  const { warnings, information, extensionData } = result.value;
  return ok({ ...changes, warnings, information, extensionData });
}
