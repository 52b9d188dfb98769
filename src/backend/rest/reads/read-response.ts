import { type BackendError, notOffered, unavailable } from '../../../domain/errors.ts';
import { turnOfLargeStep } from '../../../domain/json/tick-queue.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { decodeEnvelope, payloadOf } from '../../../v2/envelope.ts';
import { decodeRefusal } from '../../../v2/errors.ts';
import { decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { HttpAnswer } from '../exchange.ts';
import { isRedirect, refusal } from '../refusal.ts';
import type { Unanswered } from '../upstream.ts';

/** What a read found, not decoded yet; null where the service says that it found nothing. */
export type Payload = Result<unknown, BackendError>;

/**
 * Reads the answer to a read. The status decides, then errors, and only where nothing was found the flag: published
 * examples of good answers have `success: false` (facts, 3c).
 */
export function readPayload(sent: Result<HttpAnswer, Unanswered>): Payload {
  if (!sent.ok) return err(sent.error.kind === 'not-sent' ? sent.error.error : unreadable(sent.error.reason));
  const { httpStatus, headers, body } = sent.value;
  const envelope = decodeEnvelope(body);
  const saysWhy = envelope !== null && envelope.errors.length > 0;
  const payload = payloadOf(body);
  if (httpStatus >= 500) return err(unreadable(`the service answered with HTTP ${httpStatus}.`));
  if (httpStatus === 405 || (httpStatus === 404 && !saysWhy)) return err(notOffered());
  if (httpStatus >= 300 || saysWhy || (payload == null && envelope?.success === false)) {
    const refused = { httpStatus, envelope, retryAfterSeconds: decodeRetryAfter(headers, Date.now()) };
    return err(isRedirect(httpStatus) ? refusal(refused, false) : decodeRefusal({ ...refused, mayHaveApplied: false }));
  }
  return payload === undefined ? err(UNREADABLE) : ok(payload);
}

function unreadable(reason: string): BackendError {
  return unavailable(`The read failed: ${reason}`);
}

/** Null means that the payload is not what was asked for. */
export function decoded<T>(payload: Payload, decode: (payload: unknown) => T | null): Result<T, BackendError> {
  if (!payload.ok) return payload;
  const value = decode(payload.value);
  return value === null ? err(UNREADABLE) : ok(value);
}

const UNREADABLE = unreadable('the answer of the service could not be read.');

/** The same of a list, in its order. Null stands for an entry that can't be read. */
export async function decodedList<T>(
  payload: Payload,
  decode: (entry: unknown) => T | null,
): Promise<Result<readonly (T | null)[], BackendError>> {
  if (!payload.ok) return payload;
  const entries: unknown = payload.value ?? [];
  return Array.isArray(entries) ? ok(await mapInSteps(entries, decode)) : err(UNREADABLE);
}

/** An entry takes some 20 µs: so many are some 5 ms. */
const ENTRIES_AT_A_TIME = 250;

/** How many entries of one answer were decoded so far, where they stand in several lists. */
export interface Pace {
  entries: number;
}

/** Maps a list that may have thousands of entries, with pauses in which others have their turn. */
export async function mapInSteps<T>(
  entries: readonly unknown[],
  decode: (entry: unknown) => T,
  pace: Pace = { entries: 0 },
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const entry of entries) {
    if (pace.entries > 0 && pace.entries % ENTRIES_AT_A_TIME === 0) await turnOfLargeStep();
    pace.entries += 1;
    found.push(decode(entry));
  }
  return found;
}

/** "Not found" is a 400 on this service (facts, 3c): where a thing was named, a refusal means that there is none. */
export function nullWhereAbsent<T>(result: Result<T, BackendError>): Result<T | null, BackendError> {
  return !result.ok && isAbsence(result.error) ? ok(null) : result;
}

/** A call that names no thing can't miss one: a 404 means that the service has no such call. */
export function offered<T>(result: Result<T, BackendError>): Result<T, BackendError> {
  const isMissing = !result.ok && result.error.kind === 'rejected' && result.error.httpStatus === 404;
  return isMissing ? err(notOffered()) : result;
}

const isAbsence = (error: BackendError): boolean =>
  error.kind === 'reader-group-not-found' ||
  (error.kind === 'rejected' && (error.httpStatus === 400 || error.httpStatus === 404));
