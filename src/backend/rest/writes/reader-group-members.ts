import { type BackendError, rejected } from '../../../domain/errors.ts';
import { NO_NOTICES } from '../../../domain/notices.ts';
import {
  applyMembersChange,
  type CompletedMembersChange,
  changesNothing,
  type MembersChange,
} from '../../../domain/reader-groups/reader-group-members.ts';
import { err, ok } from '../../../domain/result.ts';
import type { BackendResult } from '../../backend.ts';
import { putGroup, readGroup } from './reader-group-updates.ts';
import type { WriteCaller } from './write-response.ts';

export async function changeMembers(writer: WriteCaller, change: MembersChange): BackendResult<CompletedMembersChange> {
  const group = await readGroup(writer, change.groupId);
  if (!group.ok) return group;
  const { members, report } = applyMembersChange(group.value, change);
  if (changesNothing(report)) return ok({ report, ...NO_NOTICES });
  const { accessScope } = group.value;
  if (accessScope.level === 'UNRECOGNIZED') return err(UNRECOGNIZED_SCOPE_ERROR);
  const result = await putGroup(writer, { ...group.value, ...members, accessScope });
  if (!result.ok) return result;
  const { warnings, information, extensionData } = result.value;
  return ok({ report, warnings, information, extensionData });
}

const UNRECOGNIZED_SCOPE_ERROR: BackendError = {
  ...rejected({ httpStatus: null, mayHaveApplied: false, serviceErrors: [], ...NO_NOTICES }),
  message:
    'The access scope of the reader group is of a kind unknown here, so the group cannot be written back as it is.',
};
