import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fence, openFence } from '../../../base/fence.ts';
import type { Log } from '../../../base/log.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type Acquirer, Semaphore } from '../../../base/semaphore.ts';
import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../../../domain/errors.ts';
import type { GroupLock, GroupLocks } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import type { BackendResult } from '../../backend.ts';
import { MIN_WRITE_MS } from '../calls/token-states.ts';
import { sendWrite } from './write-response.ts';

export type SendWrite = typeof sendWrite;

/** An update of a group, which sends its writes by `send` alone. */
export interface ExclusiveUpdate<T> {
  readonly caller: Caller;
  readonly groupId: string;
  readonly acquirer: Acquirer;
  readonly update: (send: SendWrite) => BackendResult<T>;
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
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  readonly log: Log;
}

/** The most locks that a process holds or waits for at one time, and the part of them that one token may have. */
const HELD_LOCKS = { slots: 64, maxWaiting: 1_000, perKey: { slots: 48, maxWaiting: 750 } };

/** A write that begins later after its note is noted again: the process was stopped, or the state is slow. */
const MAX_NOTE_AGE_MS = 1_000;

const MAX_NOTES = 2;

/**
 * The write has to begin within this time of its note: its own age, and as much again for the connection. The note lasts
 * for the time of a call more, so a write that takes effect within that time of its beginning does so before the note ends.
 */
const NOTE_MARGIN_MS = 2 * MAX_NOTE_AGE_MS;

export function createSharedGroupLocks(options: SharedGroupLocksOptions): SharedGroupLocks {
  const { serviceUrl, timeoutMs } = options;
  const held = new Semaphore(HELD_LOCKS);
  const acquire = createAcquire(options);

  const runHeld = async <T>({ caller, groupId, update }: ExclusiveUpdate<T>): BackendResult<T> => {
    const acquired = await acquire(groupKeyOf(serviceUrl, groupId), timeLeft(caller));
    if (!acquired.ok) return acquired;
    const lock = acquired.value;
    if (lock === null) return update(sendWrite);
    try {
      const unsettled = await settle(lock, caller);
      return unsettled === null ? await update(createNotedSend(lock, timeoutMs)) : err(unsettled);
    } finally {
      await lock.release();
    }
  };

  return {
    async run(update) {
      const result = await held.run(timeLeft(update.caller), () => runHeld(update), update.acquirer);
      return typeof result === 'string' ? err(unavailable(NOT_HELD_MESSAGES[result])) : result;
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
      return lock === null ? err(unavailable(GROUP_TIMED_OUT_MESSAGE)) : ok(lock);
    } catch (error) {
      if (!(error instanceof StateUnavailable)) throw error;
      if (onFailure === 'closed') return err(unavailable(STATE_MESSAGE));
      if (!isWithoutLocks) log('warn', 'updates of reader groups go on without their lock', { reason: error.message });
      isWithoutLocks = true;
      return ok(null);
    }
  };
}

/** Waits until no write of an earlier holder can take effect any more; an error where the caller has no time for that. */
async function settle({ settlesInMs }: GroupLock, caller: Caller): Promise<BackendError | null> {
  if (settlesInMs <= 0) return null;
  if (settlesInMs > timeLeft(caller) - MIN_WRITE_MS) return unavailable(unsettledMessage(settlesInMs));
  await sleep(settlesInMs);
  return null;
}

/**
 * Notes each write before it is sent, and removes the note once the outcome is known. Where it is not, the note stays,
 * so that nobody reads the group while the write may still take effect.
 */
function createNotedSend(lock: GroupLock, timeoutMs: number): SendWrite {
  return async (writer, call) => {
    let isNoted = false;
    const beforeSend = () => {
      // A note that fails may be there all the same.
      isNoted = true;
      return noteWrite(lock, timeoutMs);
    };
    const response = await sendWrite(writer, { ...call, beforeSend });
    if (isNoted && response.kind !== 'unknown') await endWrite(lock);
    return response;
  };
}

/** The next holder of the lock waits for the end of the note. */
async function noteWrite(lock: GroupLock, timeoutMs: number): Promise<Result<Fence, BackendError>> {
  try {
    for (let note = 1; note <= MAX_NOTES; note += 1) {
      const fresh = openFence(MAX_NOTE_AGE_MS);
      const fence = openFence(NOTE_MARGIN_MS);
      await lock.noteWrite(timeoutMs + NOTE_MARGIN_MS);
      if (!fresh.isLate()) return ok(fence);
    }
    return err(unavailable(SLOW_NOTE_MESSAGE));
  } catch (error) {
    if (error instanceof StateUnavailable) return err(unavailable(LOST_MESSAGE));
    throw error;
  }
}

/** A note that can't be removed only makes the next update wait. */
async function endWrite(lock: GroupLock): Promise<void> {
  try {
    await lock.endWrite();
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
  }
}

export const GROUP_TIMED_OUT_MESSAGE =
  'Other updates of this reader group took all the time there was; nothing was sent.';

const STATE_MESSAGE =
  'The state that the gateways share cannot be reached, and without it another gateway may write this reader group at ' +
  'the same time; nothing was sent.';

const LOST_MESSAGE = 'The lock of this reader group was lost before the write; nothing was sent.';

const SLOW_NOTE_MESSAGE =
  'The state that the gateways share is too slow for a write of this reader group; nothing was sent.';

const unsettledMessage = (ms: number): string =>
  `An earlier write of this reader group has no outcome, and may take effect for another ${Math.ceil(ms / 1_000)} s; ` +
  'nothing was sent.';

const NOT_HELD_MESSAGES = {
  full: 'Too many reader groups are being updated already; nothing was sent.',
  'timed-out': 'Updates of other reader groups took all the time there was; nothing was sent.',
} as const;
