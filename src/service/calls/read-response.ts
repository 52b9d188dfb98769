import { isObject } from '../../core/base/json.ts';
import { allOk, type Err, err, ok, type Result } from '../../core/base/result.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import { type BackendError, notOffered, rejected, unavailable } from '../../core/errors.ts';
import { NO_NOTICES } from '../../core/notices.ts';
import { type Envelope, payloadOf } from '../v2/envelope.ts';
import { decodeError, type NamedThing, saysMissing } from '../v2/errors.ts';
import { at, UnreadableMember } from '../v2/fields.ts';
import { decodeRetryAfter } from '../v2/rate-limit.ts';
import { foreignReason, notReached } from './foreign-answers.ts';
import {
  envelopeOf,
  type RequestResult,
  type ServiceResponse,
  UNREADABLE_ANSWER,
  unreadableReason,
} from './service-call.ts';

export type PayloadResult = Result<unknown, BackendError>;

/**
 * Returns the payload or the error of a response. The status decides first, then `errors`, and `success` only where
 * there is no payload, since published examples of a 200 have `success: false`: see docs/service.md, "Status codes".
 */
export function readPayload(result: RequestResult): PayloadResult {
  if (!result.ok) return err('error' in result.error ? result.error.error : readFailed(result.error.reason));
  const { httpStatus, headers, body } = result.value;
  const envelope = envelopeOf(result.value);
  const hasErrors = envelope !== null && envelope.errors.length > 0;
  const payload = payloadOf(body);
  if (isNoSuchCall(result.value, hasErrors)) return err(notOffered());
  const failure = failureOf(result.value);
  if (failure !== null) return err(failure);
  if (httpStatus >= 300 || hasErrors || (payload == null && envelope?.success === false)) {
    const retryAfterSeconds = decodeRetryAfter(headers, Date.now());
    return err(decodeError({ httpStatus, envelope, retryAfterSeconds }, { mayHaveApplied: false }));
  }
  return payloadOfSuccess(payload, envelope, body);
}

function payloadOfSuccess(payload: unknown, envelope: Envelope | null, body: unknown): PayloadResult {
  if (payload == null)
    return envelope !== null && isEmptyEnvelope(envelope, body) ? ok(null) : err(UNREADABLE_RESPONSE);
  const isEmptyList = Array.isArray(payload) && payload.length === 0;
  // Something on the way may send these without the service's envelope as well, so they do not show that nothing is there.
  if ((isEmptyList || isEmptyObject(payload)) && payload === body) return err(UNREADABLE_RESPONSE);
  return ok(isEmptyList && typeof envelope?.success !== 'boolean' ? UNCONFIRMED_EMPTY_LIST : payload);
}

/** True for the service's envelope of a success that carries null, or nothing, as its API file allows. */
const isEmptyEnvelope = ({ success }: Envelope, body: unknown): boolean =>
  success === true && isObject(body) && ['errors', 'warnings', 'information'].some((name) => name in body);

const UNCONFIRMED_EMPTY_LIST: readonly unknown[] = [];

/** For a list that is never empty: an empty one is an error unless the service reports success with it. */
export const refuseUnconfirmedEmptyList = (payload: PayloadResult): PayloadResult =>
  payload.ok && payload.value === UNCONFIRMED_EMPTY_LIST ? err(UNREADABLE_RESPONSE) : payload;

/** True where the service lacks the path. It answers without a body then, while a proxy sends a page. */
const isNoSuchCall = ({ httpStatus, foreign }: ServiceResponse, hasErrors: boolean): boolean =>
  (foreign === undefined || foreign.isEmpty) && (httpStatus === 405 || (httpStatus === 404 && !hasErrors));

/** The error of a response that shows only that the service was not reached, or fails; else null. */
function failureOf(response: ServiceResponse): BackendError | null {
  const { httpStatus, foreign, unknownCoding } = response;
  if (unknownCoding !== undefined) return readFailed(unreadableReason(response));
  if (httpStatus >= 500)
    return readFailed(foreign ? foreignReason(foreign) : `the service answered with HTTP ${httpStatus}.`);
  return foreign === undefined || httpStatus === 429 ? null : notReached(foreign);
}

function readFailed(reason: string): BackendError {
  return unavailable(`The read failed: ${reason}`);
}

/** Decodes a payload. `decode` returns null for a payload of another shape, which is an error. */
export function decodePayload<T>(
  payload: PayloadResult,
  decode: (payload: unknown) => T | null,
): Result<T, BackendError> {
  if (!payload.ok) return payload;
  if (isNothing(payload.value)) return NOTHING_FOUND;
  return readable(() =>
    at(
      () => 'payload',
      () => decode(payload.value),
    ),
  );
}

/** The decoded value, or an error that names the place of what can't be decoded. */
export function readable<T>(decode: () => T | null): Result<T, BackendError> {
  try {
    const value = decode();
    return value === null ? err(UNREADABLE_RESPONSE) : ok(value);
  } catch (error) {
    return unreadableAt(error);
  }
}

export function unreadableAt(error: unknown): Err<BackendError> {
  if (!(error instanceof UnreadableMember)) throw error;
  return err(readFailed(`the service sent an answer that cannot be read at ${error.place}.`));
}

const ID_MEMBERS = ['id', 'reader_id', 'reader_group_id', 'user_id'] as const;

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** True for what the service's API file allows in the place of an object: null, and an object without an ID. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  isEmptyObject(value) ||
  (isObject(value) && ID_MEMBERS.some((name) => value[name] === null || value[name] === ''));

const UNREADABLE_RESPONSE = readFailed(UNREADABLE_ANSWER);

/**
 * Decodes the entries of a list in their order, with null for each that has no ID. A list without any ID is an error,
 * since it is a list of something else. An object is a list of one entry, as in published answers.
 */
export async function decodePayloadList<T>(
  payload: PayloadResult,
  decode: (entry: unknown) => T | null,
  { ticks }: { readonly ticks: TickQueue },
): Promise<Result<readonly (T | null)[], BackendError>> {
  if (!payload.ok) return payload;
  const { value } = payload;
  if (value === null) return ok([]);
  const entries: readonly unknown[] = Array.isArray(value) ? value : isObject(value) ? [value] : [];
  if (!Array.isArray(value) && !isObject(value)) return err(UNREADABLE_RESPONSE);
  const decodeEntry = (entry: unknown, index: number) =>
    readable(() => ({
      entry: at(
        () => `payload[${index}]`,
        () => decode(entry),
      ),
    }));
  const decoded = allOk(await mapInSteps(entries, decodeEntry, { ticks, entries: 0 }));
  if (!decoded.ok) return decoded;
  const found = decoded.value.map(({ entry }) => entry);
  const isReadable = found.some((entry) => entry !== null) || (!isEmptyObject(value) && entries.every(isNothing));
  return isReadable ? ok(found) : err(UNREADABLE_RESPONSE);
}

/**
 * The entries that are decoded in one tick, in less than 5 ms: each takes one or two µs, and ten times as much in a
 * process that has just started.
 */
const ENTRIES_PER_STEP = 250;

/** Counts the entries of one response across several lists. */
interface StepCounter {
  readonly ticks: TickQueue;
  entries: number;
}

/** Maps a list that may have thousands of entries, with pauses in which other work runs. */
export async function mapInSteps<E, T>(
  entries: readonly E[],
  decode: (entry: E, index: number) => T,
  counter: StepCounter,
): Promise<readonly T[]> {
  const mapped: T[] = [];
  for (const entry of entries) {
    if (counter.entries > 0 && counter.entries % ENTRIES_PER_STEP === 0) await counter.ticks.nextTick();
    counter.entries += 1;
    mapped.push(decode(entry, mapped.length));
  }
  return mapped;
}

/** The result for an ID that a path can't contain. Nothing has such an ID, so the service is not asked. */
export const NOTHING_FOUND = err(
  rejected({ httpStatus: 404, mayHaveApplied: false, serviceErrors: [], ...NO_NOTICES }),
);

/** Replaces the error that a thing does not exist by null: see docs/service.md, "Status codes". */
export const nullIfMissing = <T>(result: Result<T, BackendError>, thing: NamedThing): Result<T | null, BackendError> =>
  !result.ok && (result.error === NOTHING_FOUND.error || saysMissing(result.error, thing)) ? ok(null) : result;

/** Replaces the error that the service has no such call by another value. */
export function valueIfOffered<T>(result: Result<T, BackendError>, otherwise: T): Result<T, BackendError> {
  return !result.ok && result.error.kind === 'not-offered' ? ok(otherwise) : result;
}

/** For calls that name nothing: a 404 means that the service has no such call. */
export function notOfferedIf404<T>(result: Result<T, BackendError>): Result<T, BackendError> {
  const isMissing = !result.ok && result.error.kind === 'rejected' && result.error.httpStatus === 404;
  return isMissing ? err(notOffered()) : result;
}
