import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendResult } from '../../core/backend.ts';
import {
  MAX_GROUP_LOCKS,
  MAX_WAITING_GROUP_LOCKS,
  MAX_WAITING_GROUP_WRITES,
  MAX_WAITING_GROUP_WRITES_OF_TOKEN,
} from '../../core/base/limits.ts';
import { err } from '../../core/base/result.ts';
import { KeyedMutex, mostOf, NotBegun, Semaphore, type Waiter } from '../../core/base/semaphore.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { type Caller, callerNameOf, timeLeft } from '../../core/callers/caller.ts';
import { unavailable } from '../../core/errors.ts';
import type { GroupLock, GroupLocks, SharedState } from '../../core/shared-state.ts';
import { unlessUnavailable } from '../../core/state-unavailable.ts';
import { MIN_WRITE_MS } from '../calls/token-states.ts';
import type { TokenVerification } from '../reads/token-verification.ts';

interface GroupMutexOptions {
  readonly verification: Pick<TokenVerification, 'rejectionOf'>;
  /** The shared state; null where no other gateway is known. */
  readonly shared: SharedState | null;
  /** `open`: updates run without their lock while the state can't be reached. */
  readonly onSharedFailure: 'closed' | 'open';
  /** The URL of the service, which is a part of the names of locks. It is equal for all gateways in front of it. */
  readonly serviceUrl: string;
}

/** An update that gets the lock under which its writes are sent; null where there is none. */
type LockedUpdate<T> = (lock: GroupLock | null) => BackendResult<T>;

const WAITING = mostOf(MAX_WAITING_GROUP_WRITES, MAX_WAITING_GROUP_WRITES_OF_TOKEN);

/** One caller leaves a quarter of the locks to others. */
const HELD_LOCKS = {
  slots: mostOf(MAX_GROUP_LOCKS, (MAX_GROUP_LOCKS * 3) / 4),
  waiting: mostOf(MAX_WAITING_GROUP_LOCKS, (MAX_WAITING_GROUP_LOCKS * 3) / 4),
};

/**
 * Runs the updates of one group one after another, so that no other comes between the read and the write of one: within
 * the process, and among all gateways where they share locks.
 */
export class GroupMutex {
  readonly #options: GroupMutexOptions;
  readonly #mutex = new KeyedMutex(() => WAITING);
  readonly #heldLocks = new Semaphore(HELD_LOCKS);

  constructor(options: GroupMutexOptions) {
    this.#options = options;
  }

  /**
   * An update in progress blocks all others of its group. So callers whose token the service has not accepted are
   * verified first, by one call.
   */
  async runExclusive<T>(caller: Caller, groupId: string, update: LockedUpdate<T>): BackendResult<T> {
    const { verification, shared } = this.#options;
    const rejection = await verification.rejectionOf(caller);
    if (rejection) return err(rejection);
    // IDs that differ in case only may name the same group. Waiting for another group does no harm.
    const name = idKeyOf(groupId);
    const result = await this.#mutex.run(name, waiterOf(caller), () =>
      shared === null ? update(null) : this.#runLocked(shared.groupLocks, { caller, name, update }),
    );
    return result instanceof NotBegun ? err(unavailable(result.reason === 'full' ? FULL : GROUP_TIMED_OUT)) : result;
  }

  /** Runs the update while no other gateway runs one of that group. */
  async #runLocked<T>(
    groupLocks: GroupLocks,
    { caller, name, update }: { readonly caller: Caller; readonly name: string; readonly update: LockedUpdate<T> },
  ): BackendResult<T> {
    const key = hash('sha256', JSON.stringify([this.#options.serviceUrl, name]), 'base64url');
    const result = await this.#heldLocks.run(waiterOf(caller), async (): BackendResult<T> => {
      const acquired = await unlessUnavailable(async () => ({ lock: await groupLocks.acquire(key, timeLeft(caller)) }));
      if (acquired === null && this.#options.onSharedFailure === 'open') return update(null);
      if (acquired === null) return err(unavailable(STATE_AWAY));
      return acquired.lock === null ? err(unavailable(GROUP_TIMED_OUT)) : runUnder(acquired.lock, caller, update);
    });
    if (!(result instanceof NotBegun)) return result;
    return err(unavailable(result.reason === 'full' ? TOO_MANY_LOCKS : LOCKS_TIMED_OUT));
  }
}

const waiterOf = (caller: Caller): Waiter => ({ key: callerNameOf(caller), deadline: caller.deadline });

/** Waits first until no write of an earlier holder can take effect any more, unless the caller has no time for that. */
async function runUnder<T>(lock: GroupLock, caller: Caller, update: LockedUpdate<T>): BackendResult<T> {
  const { settlesInMs } = lock;
  try {
    if (settlesInMs > Math.max(0, timeLeft(caller) - MIN_WRITE_MS))
      return err(unavailable(unsettledMessage(settlesInMs)));
    if (settlesInMs > 0) await sleep(settlesInMs);
    return await update(lock);
  } finally {
    await lock.release();
  }
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
