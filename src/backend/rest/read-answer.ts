import { type BackendError, notOffered, unavailable } from '../../domain/errors.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { decodeEnvelope, payloadOf } from '../../v2/envelope.ts';
import { decodeRefusal } from '../../v2/errors.ts';
import { decodeRetryAfter } from '../../v2/rate-limit.ts';
import type { HttpAnswer } from './exchange.ts';
import { isRedirect, refusal } from './refusal.ts';
import type { Unanswered } from './upstream.ts';

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
  return payload === undefined ? err(unreadable('the answer of the service could not be read.')) : ok(payload);
}

const unreadable = (reason: string): BackendError => unavailable(`The read failed: ${reason}`);

/** Null means that the payload is not what was asked for. */
export function decoded<T>(payload: Payload, decode: (payload: unknown) => T | null): Result<T, BackendError> {
  if (!payload.ok) return payload;
  const value = decode(payload.value);
  return value === null ? err(unreadable('the answer of the service could not be read.')) : ok(value);
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
