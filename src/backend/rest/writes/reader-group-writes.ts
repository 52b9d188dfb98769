import type { Log } from '../../../base/log.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { BackendResult, Writes } from '../../backend.ts';
import type { TokenVerification } from '../reads/token-verification.ts';
import type { Upstream } from '../upstream.ts';
import { createGroupMutex } from './group-mutex.ts';
import { changeMembers } from './reader-group-members.ts';
import { type GroupWriter, updateGroup } from './reader-group-updates.ts';
import type { SharedGroupLocks } from './shared-group-locks.ts';
import { conclusiveLevelOf, WriteTrace } from './write-response.ts';

interface ReaderGroupWritesOptions {
  readonly upstream: Upstream;
  readonly verification: TokenVerification;
  /** Null where no other gateway is known. */
  readonly sharedLocks: SharedGroupLocks | null;
  readonly log: Log;
}

/** Each update runs with no other of its group at the same time, and ends with one line in the log, beside that of its request. */
export function createReaderGroupWrites({
  upstream,
  verification,
  sharedLocks,
  log,
}: ReaderGroupWritesOptions): Pick<Writes, 'updateReaderGroup' | 'changeReaderGroupMembers'> {
  const groupMutex = createGroupMutex({ upstream, verification, sharedLocks });

  const runLogged = async <T>(
    operation: string,
    { caller, groupId }: { readonly caller: Caller; readonly groupId: string },
    write: (writer: GroupWriter) => BackendResult<T>,
  ): BackendResult<T> => {
    const trace = new WriteTrace();
    const result = await groupMutex.runExclusive(caller, groupId, (sendWrite) =>
      write({ upstream, caller, trace, sendWrite }),
    );
    caller.request.clearReads();
    log(result.ok ? conclusiveLevelOf(caller) : 'warn', operation, {
      requestId: caller.request.id,
      httpStatus: trace.httpStatus,
      ms: trace.ms,
      outcome: result.ok ? 'updated' : result.error.kind,
    });
    return result;
  };

  return {
    updateReaderGroup: (caller, update) =>
      runLogged('reader group update', { caller, groupId: update.groupId }, (writer) => updateGroup(writer, update)),
    changeReaderGroupMembers: (caller, change) =>
      runLogged('reader group members', { caller, groupId: change.groupId }, (writer) => changeMembers(writer, change)),
  };
}
