import type { BackendResult, Writes } from '../../core/backend.ts';
import type { Log } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type BackendError, outcomeUnknown, rejected } from '../../core/errors.ts';
import { NO_NOTICES } from '../../core/notices.ts';
import { keptScopeProblem } from '../../core/reader-groups/access-scopes.ts';
import {
  applyMembersUpdate,
  type CompletedMembersUpdate,
  type CompletedReaderGroupUpdate,
  changesNothing,
  isWholeUpdate,
  type MembersUpdate,
  type ReaderGroupReplacement,
  type ReaderGroupUpdate,
  replacementOf,
} from '../../core/reader-groups/reader-group-updates.ts';
import { groupProblem, type ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import type { GroupLock } from '../../core/shared-state.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readPayload } from '../calls/read-response.ts';
import { UNREADABLE_ANSWER } from '../calls/service-call.ts';
import { readCompleteGroup } from '../reads/reader-groups.ts';
import { reportsSuccess } from '../v2/envelope.ts';
import { decodeError } from '../v2/errors.ts';
import { encodeReaderGroupReplacement } from '../v2/reader-groups.ts';
import { inTime, sendWhileFresh } from './fresh-reads.ts';
import type { GroupMutex } from './group-locks.ts';
import { errorBeforeWrite, runLoggedWrite, sendWrite, type WriteCaller, type WriteResponse } from './write-response.ts';

interface ReaderGroupWritesOptions {
  readonly upstream: Upstream;
  readonly groupMutex: GroupMutex;
  readonly log: Log;
}

/** The caller of an update that has exclusive access to its group. */
interface GroupWriter extends WriteCaller {
  /** The shared lock; null where locks are not shared. */
  readonly lock: GroupLock | null;
}

/** Creates the group writes. No two updates of one group run at the same time. */
export function createReaderGroupWrites({
  groupMutex,
  ...options
}: ReaderGroupWritesOptions): Pick<Writes, 'updateReaderGroup' | 'changeReaderGroupMembers'> {
  return {
    updateReaderGroup: (caller, update) =>
      runLoggedWrite('updateReaderGroup', { ...options, caller }, (writer) =>
        groupMutex.runExclusive(caller, update.groupId, (lock) => updateGroup({ ...writer, lock }, update)),
      ),
    changeReaderGroupMembers: (caller, update) =>
      runLoggedWrite('changeReaderGroupMembers', { ...options, caller }, (writer) =>
        groupMutex.runExclusive(caller, update.groupId, (lock) => changeMembers({ ...writer, lock }, update)),
      ),
  };
}

/** Reads what the update leaves out first, since the service replaces the whole group. */
const updateGroup = (writer: GroupWriter, update: ReaderGroupUpdate): BackendResult<CompletedReaderGroupUpdate> =>
  isWholeUpdate(update)
    ? putGroup(writer, update)
    : writeAfterRead(writer, update, (group, freshWriter) => putGroup(freshWriter, replacementOf(update, group)));

const changeMembers = (writer: GroupWriter, update: MembersUpdate): BackendResult<CompletedMembersUpdate> =>
  writeAfterRead(writer, update, async (group, freshWriter) => {
    const { members, changes } = applyMembersUpdate(group, update);
    if (changesNothing(changes)) return ok({ ...changes, ...NO_NOTICES });
    const result = await putGroup(freshWriter, { ...group, ...members });
    if (!result.ok) return result;
    const { warnings, information, extensionData } = result.value;
    return ok({ ...changes, warnings, information, extensionData });
  });

/** Reads the group, and writes what depends on it soon after that, since others may write to it, too. */
const writeAfterRead = <T>(
  writer: GroupWriter,
  update: Pick<ReaderGroupUpdate, 'groupId' | 'ifRevision'>,
  write: (group: ReaderGroup, freshWriter: GroupWriter) => BackendResult<T>,
): BackendResult<T> =>
  sendWhileFresh<Result<T, BackendError>>(writer.caller, {
    readAndSend: async () => {
      const group = await readGroup(writer, update);
      return group.ok ? write(group.value, { ...writer, caller: inTime(writer.caller) }) : group;
    },
    errorOf: (result) => (result.ok ? null : result.error),
  });

async function readGroup(
  { upstream, caller }: WriteCaller,
  { groupId, ifRevision }: Pick<ReaderGroupUpdate, 'groupId' | 'ifRevision'>,
): BackendResult<ReaderGroup> {
  const group = await readCompleteGroup(groupId, async (call) => readPayload(await upstream.send(caller, call)));
  if (!group.ok) return err(errorBeforeWrite(group.error, 'The reader group'));
  const problem = groupProblem(ifRevision, group.value);
  return problem === null ? group : err(problem);
}

/** Refuses a group whose scope is not known, since the service requires one. */
async function putGroup(writer: GroupWriter, group: ReaderGroupReplacement): BackendResult<CompletedReaderGroupUpdate> {
  const problem = keptScopeProblem(group.accessScope);
  if (problem !== null) return err(unsentRejection(`${problem} Nothing was sent.`));
  const { staleReads } = WRITES.updateReaderGroup;
  const path = ['Readers', 'groups', { id: group.groupId }] as const;
  const body = encodeReaderGroupReplacement(group);
  return resultOf(await sendWrite(writer, { kind: 'write', staleReads, path, body, lock: writer.lock }));
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
      const { payload, success, warnings, information, extensionData } = response.envelope;
      const serviceResult = typeof payload === 'boolean' ? payload : null;
      // The answer of something else than the service may have a payload, too.
      if (success === null && serviceResult === null) return err(outcomeUnknown(UNREADABLE_ANSWER, []));
      return ok({ serviceResult, warnings, information, extensionData });
    }
  }
}
