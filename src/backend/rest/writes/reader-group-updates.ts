import { err, ok, type Result } from '../../../base/result.ts';
import { type BackendError, outcomeUnknown, rejected, unavailable } from '../../../domain/errors.ts';
import { NO_NOTICES } from '../../../domain/notices.ts';
import { keptScopeProblem } from '../../../domain/reader-groups/access-scopes.ts';
import {
  type CompletedReaderGroupUpdate,
  isWholeUpdate,
  type ReaderGroupReplacement,
  type ReaderGroupUpdate,
  replacementOf,
} from '../../../domain/reader-groups/reader-group-updates.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import { reportsSuccess } from '../../../v2/envelope.ts';
import { decodeError } from '../../../v2/errors.ts';
import { encodeReaderGroupReplacement } from '../../../v2/reader-group-updates.ts';
import type { BackendResult } from '../../backend.ts';
import { readPayload } from '../reads/read-response.ts';
import { readCompleteGroup } from '../reads/reader-groups.ts';
import type { SendWrite } from './shared-group-locks.ts';
import type { WriteCaller, WriteResponse } from './write-response.ts';

/** The caller of an update that has its group alone. Each write goes by `sendWrite`, which keeps to the lock. */
export interface GroupWriter extends WriteCaller {
  readonly sendWrite: SendWrite;
}

/** Reads first what the update leaves out, since the service replaces the whole group. */
export async function updateGroup(
  writer: GroupWriter,
  update: ReaderGroupUpdate,
): BackendResult<CompletedReaderGroupUpdate> {
  if (isWholeUpdate(update)) return putGroup(writer, update);
  const group = await readGroup(writer, update.groupId);
  return group.ok ? putGroup(writer, replacementOf(update, group.value)) : group;
}

export async function readGroup({ upstream, caller }: WriteCaller, groupId: string): BackendResult<ReaderGroup> {
  const group = await readCompleteGroup(groupId, async (call) => readPayload(await upstream.send(caller, call)));
  return group.ok ? group : err(readErrorBeforeWrite(group.error));
}

/** A write that needs an unreadable group fails as `unavailable`, since `not-offered` is no error of a write. */
function readErrorBeforeWrite(error: BackendError): BackendError {
  const isUnreadable = error.kind === 'not-offered' || (error.kind === 'rejected' && error.httpStatus === 404);
  if (!isUnreadable) return error;
  return unavailable('The reader group cannot be read, which this write needs. Nothing was sent.');
}

/** Refuses a group whose scope was not shown, since the service requires one. */
export async function putGroup(
  writer: GroupWriter,
  group: ReaderGroupReplacement,
): BackendResult<CompletedReaderGroupUpdate> {
  const problem = keptScopeProblem(group.accessScope);
  if (problem !== null) return err(unsentRejection(`${problem} Nothing was sent.`));
  const path = ['Readers', 'groups', group.groupId];
  const body = encodeReaderGroupReplacement(group);
  return resultOf(await writer.sendWrite(writer, { method: 'PUT', path, body }));
}

const unsentRejection = (message: string): BackendError => ({
  ...rejected({ httpStatus: null, mayHaveApplied: false, serviceErrors: [], ...NO_NOTICES }),
  message,
});

function resultOf(response: WriteResponse): Result<CompletedReaderGroupUpdate, BackendError> {
  switch (response.kind) {
    case 'not-sent':
      return err(response.error);
    case 'unknown':
      return err(outcomeUnknown(response.reason, response.serviceErrors));
    case 'rejected':
      return err(decodeError(response, { mayHaveApplied: false }));
    case 'accepted': {
      if (!reportsSuccess(response.envelope)) return err(decodeError(response, { mayHaveApplied: true }));
      const { payload, warnings, information, extensionData } = response.envelope;
      return ok({ serviceResult: typeof payload === 'boolean' ? payload : null, warnings, information, extensionData });
    }
  }
}
