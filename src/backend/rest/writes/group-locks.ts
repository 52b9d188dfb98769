import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAITING_GROUP_WRITES, MAX_WAITING_GROUP_WRITES_OF_TOKEN } from '../../../base/limits.ts';
import type { Log } from '../../../base/log.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type Applicant, KeyedMutex, mostOf, NotBegun, Semaphore } from '../../../base/semaphore.ts';
import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../../../domain/errors.ts';
import type { GroupLock, GroupLocks } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import type { BackendResult } from '../../backend.ts';
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
  readonly update: (lock: GroupLock | null) => BackendResult<T>;
}

interface GroupMutexOptions {
  readonly verification: Pick<TokenVerification, 'rejectionOf'>;
  /** Null where no other gateway is known. */
  readonly sharedLocks: SharedGroupLocks | null;
}

const WAITING = mostOf(MAX_WAITING_GROUP_WRITES, MAX_WAITING_GROUP_WRITES_OF_TOKEN);

/**
 * An update in progress keeps all others from its group. So strangers are verified first, with one call. Where the
 * service does not tell whether it accepts their token, they are served after all others, and few of them may wait.
 */
export function createGroupMutex({ verification, sharedLocks }: GroupMutexOptions): GroupMutex {
  const mutex = new KeyedMutex(() => WAITING);

  const runWhenFree = async <T>(exclusive: ExclusiveUpdate<T>): BackendResult<T> => {
    const { caller, groupId, update } = exclusive;
    // IDs that differ in case only may name the same group; waiting for another group does no harm.
    const result = await mutex.run(groupId.toLowerCase(), applicantOf(caller), () =>
      sharedLocks === null ? update(null) : sharedLocks.run(exclusive),
    );
    return result instanceof NotBegun ? err(unavailable(result.reason === 'full' ? FULL : GROUP_TIMED_OUT)) : result;
  };

  return {
    async runExclusive(caller, groupId, update) {
      const rejection = await verification.rejectionOf(caller);
      return rejection ? err(rejection) : runWhenFree({ caller, groupId, update });
    },
  };
}

const applicantOf = ({ request, deadline }: Caller): Applicant => ({ key: request.share.key, request, deadline });

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

/** The most locks that a process holds or waits for at one time, and the part of them that one caller may have. */
const HELD_LOCKS = { slots: mostOf(64, 48), waiting: mostOf(1_000, 750) };

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
      const result = await held.run(applicantOf(update.caller), () => runHeld(update));
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
