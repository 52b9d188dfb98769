import { type Fence, joinFences, openFence } from '../../../base/fence.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type BackendError, unavailable } from '../../../domain/errors.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import type { Call, CallStep, SendCall } from './call.ts';
import { isOutcomeKnown, notBegun, type RequestResult, type ServiceCall } from './service-call.ts';

/** A write that begins later after its note is noted again: the process was stopped, or the state is slow. */
const MAX_NOTE_AGE_MS = 1_000;

const MAX_NOTES = 2;

/**
 * The write has to begin within this time of its note: its own age, and as much again for the connection. The note lasts
 * for the time of a call more, so a write that takes effect within that time of its beginning does so before the note ends.
 */
const NOTE_MARGIN_MS = 2 * MAX_NOTE_AGE_MS;

type Lock = NonNullable<ServiceCall['lock']>;

/**
 * Notes each write in its lock before it is sent, and removes the note once the outcome is known. Where it is not, the
 * note stays, so that nobody reads the group while the write may still take effect.
 */
export function createLockNotes(timeoutMs: number): CallStep {
  const sendNoted = async (lock: Lock, call: Call, next: SendCall): Promise<RequestResult> => {
    const note = await noteWrite(lock, timeoutMs);
    const result = note.ok
      ? await next({ ...call, fence: joinFences([call.fence, note.value]) })
      : err(notBegun(note.error));
    // A note that failed may be there all the same.
    if (isOutcomeKnown(result)) await endWrite(lock);
    return result;
  };
  return (call, next) => {
    const { lock } = call.operation;
    return lock ? sendNoted(lock, call, next) : next(call);
  };
}

/** The next holder of the lock waits for the end of the note. */
async function noteWrite(lock: Lock, timeoutMs: number): Promise<Result<Fence, BackendError>> {
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
async function endWrite(lock: Lock): Promise<void> {
  try {
    await lock.endWrite();
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
  }
}

const LOST_MESSAGE = 'The lock of this reader group was lost before the write; nothing was sent.';

const SLOW_NOTE_MESSAGE =
  'The state that the gateways share is too slow for a write of this reader group; nothing was sent.';
