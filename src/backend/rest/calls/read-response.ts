import { err, ok, type Result } from '../../../base/result.ts';
import type { TickQueue } from '../../../base/tick-queue.ts';
import { type BackendError, notOffered, unavailable } from '../../../domain/errors.ts';
import { decodeEnvelope, payloadOf } from '../../../v2/envelope.ts';
import { decodeError } from '../../../v2/errors.ts';
import { decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { RequestResult } from './service-call.ts';

/** The payload of a response, not decoded yet; null where the service found nothing. */
export type PayloadResult = Result<unknown, BackendError>;

/**
 * The status decides first, then `errors`, and `success` only where there is no payload, since published examples of a
 * 200 have `success: false`: see docs/service.md, "Status codes".
 */
export function readPayload(result: RequestResult): PayloadResult {
  if (!result.ok) return err('error' in result.error ? result.error.error : readFailed(result.error.reason));
  const { httpStatus, headers, body } = result.value;
  const envelope = decodeEnvelope(body);
  const hasErrors = envelope !== null && envelope.errors.length > 0;
  const payload = payloadOf(body);
  if (httpStatus >= 500) return err(readFailed(`the service answered with HTTP ${httpStatus}.`));
  if (httpStatus === 405 || (httpStatus === 404 && !hasErrors)) return err(notOffered());
  if (httpStatus >= 300 || hasErrors || (payload == null && envelope?.success === false)) {
    const retryAfterSeconds = decodeRetryAfter(headers, Date.now());
    return err(decodeError({ httpStatus, envelope, retryAfterSeconds }, { mayHaveApplied: false }));
  }
  return payload === undefined ? err(UNREADABLE_RESPONSE) : ok(payload);
}

function readFailed(reason: string): BackendError {
  return unavailable(`The read failed: ${reason}`);
}

/** `decode` returns null for a payload of another shape. */
export function decodePayload<T>(
  payload: PayloadResult,
  decode: (payload: unknown) => T | null,
): Result<T, BackendError> {
  if (!payload.ok) return payload;
  const value = decode(payload.value);
  return value === null ? err(UNREADABLE_RESPONSE) : ok(value);
}

const UNREADABLE_RESPONSE = readFailed('the answer of the service could not be read.');

/** Keeps the order, with null for each entry that cannot be decoded. */
export async function decodePayloadList<T>(
  payload: PayloadResult,
  decode: (entry: unknown) => T | null,
  { ticks }: { readonly ticks: TickQueue },
): Promise<Result<readonly (T | null)[], BackendError>> {
  if (!payload.ok) return payload;
  const entries: unknown = payload.value ?? [];
  return Array.isArray(entries)
    ? ok(await mapInSteps(entries, decode, { ticks, entries: 0 }))
    : err(UNREADABLE_RESPONSE);
}

/** Less than 5 ms: decoding an entry takes one or two µs, and ten times as much in a process that has just started. */
const ENTRIES_PER_STEP = 250;

/** Counts the entries of one response across several lists. */
interface StepCounter {
  readonly ticks: TickQueue;
  entries: number;
}

/** Maps a list that may have thousands of entries, with pauses for other work of the event loop. */
export async function mapInSteps<E, T>(
  entries: readonly E[],
  decode: (entry: E) => T,
  counter: StepCounter,
): Promise<readonly T[]> {
  const mapped: T[] = [];
  for (const entry of entries) {
    if (counter.entries > 0 && counter.entries % ENTRIES_PER_STEP === 0) await counter.ticks.nextTick();
    counter.entries += 1;
    mapped.push(decode(entry));
  }
  return mapped;
}

/** Null for a thing that does not exist, which the service answers with 400: see docs/service.md, "Status codes". */
export function nullIfNotFound<T>(result: Result<T, BackendError>): Result<T | null, BackendError> {
  return !result.ok && isNotFound(result.error) ? ok(null) : result;
}

/** The other value where the service has no such call. */
export function valueIfOffered<T>(result: Result<T, BackendError>, otherwise: T): Result<T, BackendError> {
  return !result.ok && result.error.kind === 'not-offered' ? ok(otherwise) : result;
}

/** For calls that name no thing: a 404 means that the service has no such call. */
export function notOfferedIf404<T>(result: Result<T, BackendError>): Result<T, BackendError> {
  const isMissing = !result.ok && result.error.kind === 'rejected' && result.error.httpStatus === 404;
  return isMissing ? err(notOffered()) : result;
}

const isNotFound = (error: BackendError): boolean =>
  error.kind === 'reader-group-not-found' ||
  (error.kind === 'rejected' && (error.httpStatus === 400 || error.httpStatus === 404));
