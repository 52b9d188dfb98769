import { joinLeases, type Lease, openLease } from '../../core/base/lease.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import { isLeaseExpired } from '../calls/service-call.ts';
import type { WriteResponse } from './write-response.ts';

/** The longest time between the end of the reads and the call, in milliseconds. */
const MAX_READ_AGE_MS = 1_000;

/** The longest time between the first and the last answer to the reads of one comparison, in milliseconds. */
const MAX_READS_MS = 10_000;

/**
 * The lease of a write that depends on reads which have just ended. `ageMs` is the time since the first answer. Reads
 * between which one has waited for the rate limit are too old at once.
 */
export const leaseAfterReads = (ageMs: number): Lease => openLease(ageMs > MAX_READS_MS ? 0 : MAX_READ_AGE_MS);

interface FreshWrite<T> {
  /** Reads, and then sends the write with a lease of the reads. */
  readonly readAndSend: () => Promise<T>;
  /** The error for which the write was not sent; null where there is none. */
  readonly errorOf: (result: T) => BackendError | null;
}

/**
 * Reads and sends again, while the request lasts, where the write has waited too long after its reads, as after a 429, and
 * so was not sent: what others have written meanwhile must not be lost.
 */
export async function sendWhileFresh<T>(caller: Caller, { readAndSend, errorOf }: FreshWrite<T>): Promise<T> {
  for (;;) {
    const result = await readAndSend();
    const error = errorOf(result);
    const isLate = error !== null && isLeaseExpired(error) && caller.lease?.isExpired() !== true;
    if (!isLate || timeLeft(caller) === 0) return result;
  }
}

/** The caller of a write that depends on reads which have just ended. */
export const inTime = (caller: Caller, ageMs = 0): Caller => ({
  ...caller,
  lease: joinLeases([caller.lease, leaseAfterReads(ageMs)]),
});

/** The error for which a call was not sent; null where it was. */
export const unsentError = (response: WriteResponse | null): BackendError | null =>
  response?.kind === 'not-sent' ? response.error : null;
