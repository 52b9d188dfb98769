import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAITING_GROUP_WRITES, MAX_WAITING_GROUP_WRITES_OF_TOKEN } from '../../../base/limits.ts';
import type { Log } from '../../../base/log.ts';
import { networkOf } from '../../../base/network.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type Applicant, KeyedMutex, NotBegun, Quota, Semaphore, untrustedQuotaOf } from '../../../base/semaphore.ts';
import { type Caller, timeLeft, usesLentToken } from '../../../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../../../domain/errors.ts';
import type { GroupLock, GroupLocks } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import type { BackendResult } from '../../backend.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { MIN_WRITE_MS } from '../calls/token-states.ts';
import type { TokenVerification } from '../reads/token-verification.ts';

/**
 * Runs the updates of one group one after another, so that each is read, merged and written without another between:
 * within the process, and among all gateways where they share locks.
 */
export interface GroupMutex {
  /** `update` gets the lock that its writes are sent under; null where there is none. */
  runExclusive<T>(
    caller: Caller,
    groupId: string,
    update: (lock: GroupLock | null) => BackendResult<T>,
  ): BackendResult<T>;
}

interface ExclusiveUpdate<T> {
  readonly caller: Caller;
  readonly groupId: string;
  readonly applicant: Applicant;
  readonly update: (lock: GroupLock | null) => BackendResult<T>;
}

interface GroupMutexOptions {
  readonly upstream: Pick<Upstream, 'tokenOf' | 'tokenStateOf'>;
  readonly verification: Pick<TokenVerification, 'rejectionOf'>;
  /** Null where no other gateway is known. */
  readonly sharedLocks: SharedGroupLocks | null;
}

const WAITING = { total: MAX_WAITING_GROUP_WRITES, perKey: MAX_WAITING_GROUP_WRITES_OF_TOKEN };

/**
 * An update in progress keeps all others from its group. So untrusted callers are verified first, with one call. Where
 * the service does not tell whether it accepts their token, they are served after all others, and few of them may wait.
 */
export function createGroupMutex({ upstream, verification, sharedLocks }: GroupMutexOptions): GroupMutex {
  const mutex = new KeyedMutex(() => WAITING);
  const untrustedQuota = new Quota(untrustedQuotaOf(WAITING.total));

  const runWhenFree = async <T>(exclusive: ExclusiveUpdate<T>): BackendResult<T> => {
    const { groupId, applicant, update } = exclusive;
    // IDs that differ in case only may name the same group; waiting for another group does no harm.
    const result = await mutex.run(groupId.toLowerCase(), applicant, () =>
      sharedLocks === null ? update(null) : sharedLocks.run(exclusive),
    );
    return result instanceof NotBegun ? err(unavailable(result.reason === 'full' ? FULL : GROUP_TIMED_OUT)) : result;
  };

  return {
    async runExclusive(caller, groupId, update) {
      const { deadline } = caller;
      const isTrusted = () => usesLentToken(caller) || upstream.tokenStateOf(caller)?.isAccepted;
      const rejection = isTrusted() ? null : await verification.rejectionOf(caller);
      if (rejection) return err(rejection);
      const token = { key: `token ${upstream.tokenOf(caller)}`, deadline };
      if (isTrusted()) return runWhenFree({ caller, groupId, applicant: token, update });
      const network = networkOf(caller.address);
      if (!untrustedQuota.tryAcquire(network)) return err(unavailable(FULL));
      const applicant = { key: network, deadline, isLast: true };
      return runWhenFree({ caller, groupId, applicant, update }).finally(() => untrustedQuota.release(network));
    },
  };
}

/** Runs each update of a group while no other gateway runs one of that group. */
export interface SharedGroupLocks {
  run<T>(update: ExclusiveUpdate<T>): BackendResult<T>;
}

interface SharedGroupLocksOptions {
  readonly groupLocks: GroupLocks;
  /** `open`: updates go on without their lock while the state can't be reached. */
  readonly onFailure: 'closed' | 'open';
  /** Equal for all gateways in front of one service, and for no other. */
  readonly serviceUrl: string;
  readonly log: Log;
}

/** The most locks that a process holds or waits for at one time, and the part of them that one token may have. */
const HELD_LOCKS = { slots: { total: 64, perKey: 48 }, waiting: { total: 1_000, perKey: 750 } };

export function createSharedGroupLocks(options: SharedGroupLocksOptions): SharedGroupLocks {
  const held = new Semaphore(HELD_LOCKS);
  const acquire = createAcquire(options);

  const runHeld = async <T>({ caller, groupId, update }: ExclusiveUpdate<T>): BackendResult<T> => {
    const acquired = await acquire(groupKeyOf(options.serviceUrl, groupId), timeLeft(caller));
    if (!acquired.ok) return acquired;
    const lock = acquired.value;
    if (lock === null) return update(null);
    try {
      const unsettled = await awaitEarlierWrites(lock, caller);
      return unsettled === null ? await update(lock) : err(unsettled);
    } finally {
      await lock.release();
    }
  };

  return {
    async run(update) {
      const result = await held.run(update.applicant, () => runHeld(update));
      if (!(result instanceof NotBegun)) return result;
      return err(unavailable(result.reason === 'full' ? TOO_MANY_LOCKS : LOCKS_TIMED_OUT));
    },
  };
}

/** IDs that differ in case only may name the same group. */
const groupKeyOf = (serviceUrl: string, groupId: string): string =>
  hash('sha256', JSON.stringify([serviceUrl, groupId.toLowerCase()]), 'base64url');

/** Returns a function whose result is null where the update goes on without its lock. */
function createAcquire({ groupLocks, onFailure, log }: SharedGroupLocksOptions) {
  let isWithoutLocks = false;
  return async (groupKey: string, timeoutMs: number): Promise<Result<GroupLock | null, BackendError>> => {
    try {
      const lock = await groupLocks.acquire(groupKey, timeoutMs);
      if (isWithoutLocks) log('info', 'updates of reader groups hold their lock again');
      isWithoutLocks = false;
      return lock === null ? err(unavailable(GROUP_TIMED_OUT)) : ok(lock);
    } catch (error) {
      if (!(error instanceof StateUnavailable)) throw error;
      if (onFailure === 'closed') return err(unavailable(STATE_AWAY));
      if (!isWithoutLocks) log('warn', 'updates of reader groups go on without their lock', { reason: error.message });
      isWithoutLocks = true;
      return ok(null);
    }
  };
}

/** Waits until no write of an earlier holder can take effect any more; an error where the caller has no time for that. */
async function awaitEarlierWrites({ settlesInMs }: GroupLock, caller: Caller): Promise<BackendError | null> {
  if (settlesInMs <= 0) return null;
  if (settlesInMs > timeLeft(caller) - MIN_WRITE_MS) return unavailable(unsettledMessage(settlesInMs));
  await sleep(settlesInMs);
  return null;
}

const unsettledMessage = (ms: number): string =>
  `An earlier write of this reader group has no outcome, and may take effect for another ${Math.ceil(ms / 1_000)} s; ` +
  'nothing was sent.';

const FULL = 'Too many updates of this reader group are waiting already; nothing was sent.';

const GROUP_TIMED_OUT = 'Other updates of this reader group took all the time there was; nothing was sent.';

const TOO_MANY_LOCKS = 'Too many reader groups are being updated already; nothing was sent.';

const LOCKS_TIMED_OUT = 'Updates of other reader groups took all the time there was; nothing was sent.';

const STATE_AWAY =
  'The state that the gateways share cannot be reached, and without it another gateway may write this reader group at ' +
  'the same time; nothing was sent.';
