import type { Caller } from '../../../domain/callers/caller.ts';
import { type BackendError, outcomeUnknown, rejected, unavailable } from '../../../domain/errors.ts';
import type { Notices } from '../../../domain/notices.ts';
import {
  applyMembersChange,
  changesNothing,
  type MembersChange,
  type MembersChanged,
} from '../../../domain/reader-groups/reader-group-members.ts';
import {
  isReplacement,
  type ReaderGroup,
  type ReaderGroupReplacement,
  type ReaderGroupUpdate,
  type ReaderGroupUpdated,
  replacementOf,
} from '../../../domain/reader-groups/reader-group-updates.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { saysSuccess } from '../../../v2/envelope.ts';
import { decodeRefusal } from '../../../v2/errors.ts';
import { encodeReplacement } from '../../../v2/reader-groups.ts';
import { readPayload } from '../reads/read-response.ts';
import { readWholeGroup } from '../reads/reader-groups.ts';
import { isRedirect, refusal } from '../refusal.ts';
import type { Upstream } from '../upstream.ts';
import { sendWrite, type WriteAnswer } from './write-response.ts';

/** A write of a group as it went: its result, and the status of the PUT; null where none was answered. */
export interface GroupWrite<T> {
  readonly result: Result<T, BackendError>;
  readonly httpStatus: number | null;
}

/** Two of these for one group must not run at the same time: each reads the group, merges and writes it whole. */
export interface GroupWrites {
  /** What the update leaves out is read first, since the service knows no "keep"; where that fails nothing is sent. */
  update(caller: Caller, update: ReaderGroupUpdate): Promise<GroupWrite<ReaderGroupUpdated>>;
  changeMembers(caller: Caller, change: MembersChange): Promise<GroupWrite<MembersChanged>>;
}

export function createGroupWrites(upstream: Upstream): GroupWrites {
  const put = async (caller: Caller, group: ReaderGroupReplacement): Promise<GroupWrite<ReaderGroupUpdated>> => {
    const path = ['Readers', 'groups', group.groupId];
    const answer = await sendWrite(upstream, caller, { method: 'PUT', path, body: encodeReplacement(group) });
    return { result: resultOf(answer), httpStatus: answer.httpStatus };
  };

  const readGroup = async (caller: Caller, groupId: string): Promise<Result<ReaderGroup, BackendError>> => {
    const group = await readWholeGroup(groupId, async (call) => readPayload(await upstream.send(caller, call)));
    return group.ok ? group : err(beforeSending(group.error));
  };

  return {
    async update(caller, update) {
      if (isReplacement(update)) return put(caller, update);
      const group = await readGroup(caller, update.groupId);
      return group.ok ? put(caller, replacementOf(update, group.value)) : unsent(group);
    },
    async changeMembers(caller, change) {
      const group = await readGroup(caller, change.groupId);
      if (!group.ok) return unsent(group);
      const { members, report } = applyMembersChange(group.value, change);
      if (changesNothing(report)) return unsent(ok({ report, ...NO_NOTICES }));
      const { accessScope } = group.value;
      if (accessScope.level === 'UNRECOGNIZED') return unsent(err(UNKNOWN_SCOPE));
      const { result, httpStatus } = await put(caller, { ...group.value, ...members, accessScope });
      if (!result.ok) return { result, httpStatus };
      const { warnings, information, extensionData } = result.value;
      return { result: ok({ report, warnings, information, extensionData }), httpStatus };
    },
  };
}

const unsent = <T>(result: Result<T, BackendError>): GroupWrite<T> => ({ result, httpStatus: null });

const NO_NOTICES: Notices = { warnings: [], information: [], extensionData: null };

const UNKNOWN_SCOPE: BackendError = {
  ...rejected({ httpStatus: null, mayHaveApplied: false, serviceErrors: [], ...NO_NOTICES }),
  message:
    'The access scope of the reader group is of a kind unknown here, so the group cannot be written back as it is.',
};

/** That a service can't be asked for a group is no outcome of a write. */
function beforeSending(error: BackendError): BackendError {
  const isNotRead = error.kind === 'not-offered' || (error.kind === 'rejected' && error.httpStatus === 404);
  if (!isNotRead) return error;
  return unavailable('The reader group cannot be read, which this write needs. Nothing was sent.');
}

function resultOf(answer: WriteAnswer): Result<ReaderGroupUpdated, BackendError> {
  switch (answer.kind) {
    case 'not-sent':
      return err(answer.error);
    case 'unknown':
      return err(outcomeUnknown(answer.reason, answer.serviceErrors));
    case 'refused':
      if (isRedirect(answer.httpStatus)) return err(refusal(answer, false));
      return err(decodeRefusal({ ...answer, mayHaveApplied: false }));
    case 'accepted': {
      if (!saysSuccess(answer.envelope)) return err(decodeRefusal({ ...answer, mayHaveApplied: true }));
      const { payload, warnings, information, extensionData } = answer.envelope;
      return ok({ serviceResult: typeof payload === 'boolean' ? payload : null, warnings, information, extensionData });
    }
  }
}
