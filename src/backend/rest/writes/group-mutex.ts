import { networkOf } from '../../../base/network.ts';
import { err } from '../../../base/result.ts';
import { Quota, Semaphore, untrustedQuotaOf } from '../../../base/semaphore.ts';
import { type Caller, timeLeft, usesLentToken } from '../../../domain/callers/caller.ts';
import { unavailable } from '../../../domain/errors.ts';
import type { BackendResult } from '../../backend.ts';
import type { TokenVerification } from '../reads/token-verification.ts';
import type { Upstream } from '../upstream.ts';
import {
  type ExclusiveUpdate,
  GROUP_TIMED_OUT_MESSAGE,
  type SendWrite,
  type SharedGroupLocks,
} from './shared-group-locks.ts';
import { sendWrite } from './write-response.ts';

/**
 * Runs the updates of one group one after another, so that each is read, merged and written without another between:
 * within the process, and among all gateways where they share locks.
 */
interface GroupMutex {
  runExclusive<T>(caller: Caller, groupId: string, update: (send: SendWrite) => BackendResult<T>): BackendResult<T>;
}

interface GroupMutexOptions {
  readonly upstream: Pick<Upstream, 'tokenOf' | 'tokenStateOf'>;
  readonly verification: Pick<TokenVerification, 'rejectionOf'>;
  /** Null where no other gateway is known. */
  readonly sharedLocks: SharedGroupLocks | null;
}

/** The most updates of one group that wait; one more fails at once. */
const MAX_WAITING = 1_000;

/** The part of them that one token may have. */
const TOKEN_QUOTA = { slots: 1, maxWaiting: 100 };

/**
 * An update in progress keeps all others from its group. So untrusted callers are verified first, with one call. Where
 * the service does not tell whether it accepts their token, they are served after all others, and few of them may wait.
 */
export function createGroupMutex({ upstream, verification, sharedLocks }: GroupMutexOptions): GroupMutex {
  const semaphores = new Map<string, Semaphore>();
  const untrustedQuota = new Quota(untrustedQuotaOf(MAX_WAITING));

  const runAlone = <T>(exclusive: ExclusiveUpdate<T>): BackendResult<T> =>
    sharedLocks === null ? exclusive.update(sendWrite) : sharedLocks.run(exclusive);

  const runWhenFree = async <T>(exclusive: ExclusiveUpdate<T>): BackendResult<T> => {
    const { caller, groupId, acquirer } = exclusive;
    // IDs that differ in case only may name the same group; waiting for another group does no harm.
    const key = groupId.toLowerCase();
    const semaphore = semaphores.get(key) ?? new Semaphore({ slots: 1, maxWaiting: MAX_WAITING, perKey: TOKEN_QUOTA });
    semaphores.set(key, semaphore);
    try {
      const result = await semaphore.run(timeLeft(caller), () => runAlone(exclusive), acquirer);
      return typeof result === 'string' ? err(unavailable(NOT_ACQUIRED_MESSAGES[result])) : result;
    } finally {
      if (semaphore.isIdle) semaphores.delete(key);
    }
  };

  return {
    async runExclusive(caller, groupId, update) {
      const isTrusted = () => usesLentToken(caller) || upstream.tokenStateOf(caller)?.isAccepted;
      const rejection = isTrusted() ? null : await verification.rejectionOf(caller);
      if (rejection) return err(rejection);
      const tokenKey = `token ${upstream.tokenOf(caller)}`;
      if (isTrusted())
        return runWhenFree({ caller, groupId, acquirer: { key: tokenKey, isLowPriority: false }, update });
      const network = networkOf(caller.address);
      if (!untrustedQuota.tryAcquire(network)) return err(unavailable(NOT_ACQUIRED_MESSAGES.full));
      const result = runWhenFree({ caller, groupId, acquirer: { key: network, isLowPriority: true }, update });
      return result.finally(() => untrustedQuota.release(network));
    },
  };
}

const NOT_ACQUIRED_MESSAGES = {
  full: 'Too many updates of this reader group are waiting already; nothing was sent.',
  'timed-out': GROUP_TIMED_OUT_MESSAGE,
} as const;
