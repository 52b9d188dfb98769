import type { BackendResult, WriteName, WriteValue } from '../../core/backend.ts';
import type { Log } from '../../core/base/log.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { WritePeriod } from '../../core/callers/request-report.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import type { ServiceError } from '../../core/notices.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { hasNotArrived, notReached } from '../calls/foreign-answers.ts';
import { doubtOf, envelopeOf, type ServiceResponse, type WriteOperation } from '../calls/service-call.ts';
import { servicePeriodOf } from '../recent-writes/recent-writes.ts';
import type { Envelope } from '../v2/envelope.ts';
import type { ErrorResponse } from '../v2/errors.ts';
import { decodeRetryAfter, serviceTimeOf } from '../v2/rate-limit.ts';

/** The outcome of one write call, before its payload is read. */
export type WriteResponse =
  | (ErrorResponse & { readonly kind: 'accepted'; readonly envelope: Envelope })
  | (ErrorResponse & { readonly kind: 'rejected' })
  | {
      /** The write may have taken effect. `reason` is a clause for messages. */
      readonly kind: 'unknown';
      readonly reason: string;
      readonly serviceErrors: readonly ServiceError[];
      /** The status of an answer that is not the service's. */
      readonly foreignStatus?: number | undefined;
    }
  | { readonly kind: 'not-sent'; readonly error: BackendError };

export type RejectedResponse = Extract<WriteResponse, { kind: 'rejected' }>;

export interface WriteCaller {
  readonly upstream: Upstream;
  readonly caller: Caller;
  /** The number of calls of the write so far, and the status of the last one; null where that has no response. */
  readonly trace: { calls: number; httpStatus: number | null };
  /** The service's time of the last call; null where no answer has it. */
  readonly lastCall: { period: WritePeriod | null };
}

interface LoggedWriteOptions extends Pick<WriteCaller, 'upstream' | 'caller'> {
  readonly log: Log;
}

/** Makes a write, which ends with one line in the log. Its level is `info` where the line of its request came before. */
export async function runLoggedWrite<Name extends WriteName>(
  operation: Name,
  { upstream, caller, log }: LoggedWriteOptions,
  write: (writer: WriteCaller) => BackendResult<WriteValue<Name>>,
): BackendResult<WriteValue<Name>> {
  const { request } = caller;
  const startedAt = performance.now();
  const trace = { calls: 0, httpStatus: null };
  const result = await write({ upstream, caller, trace, lastCall: { period: null } });
  const outcome = result.ok ? WRITES[operation].countOutcomes(result.value) : { outcome: result.error.kind };
  const isConclusive = 'updated' in outcome && outcome.unknown + outcome.notAttempted === 0;
  const level = request.isEnded() ? 'info' : 'debug';
  const ms = Math.round(performance.now() - startedAt);
  log(isConclusive ? level : 'warn', 'write', { requestId: request.id, operation, ...trace, ms, ...outcome });
  return result;
}

/** The error of a write whose read failed. It is `unavailable`, since `not-offered` is no error of a write. */
export function errorBeforeWrite(error: BackendError, subject: string): BackendError {
  const isUnreadable = error.kind === 'not-offered' || (error.kind === 'rejected' && error.httpStatus === 404);
  return isUnreadable ? unavailable(`${subject} cannot be read, which this write needs. Nothing was sent.`) : error;
}

export async function sendWrite(
  { upstream, caller, trace, lastCall }: WriteCaller,
  call: WriteOperation,
): Promise<WriteResponse> {
  const sent = call.sent ?? { at: performance.now() };
  const result = await upstream.send(caller, { ...call, sent });
  const serviceTime = result.ok ? serviceTimeOf(result.value.headers) : null;
  lastCall.period = servicePeriodOf(serviceTime, sent.at, performance.now());
  caller.request.report.add({ kind: 'written', period: lastCall.period });
  trace.calls += 1;
  trace.httpStatus = result.ok ? result.value.httpStatus : null;
  if (result.ok) return readWriteResponse(result.value);
  return 'error' in result.error
    ? { kind: 'not-sent', error: result.error.error }
    : { kind: 'unknown', reason: result.error.reason, serviceErrors: [] };
}

/** Reads the outcome. Redirects other than a 303 reject the write, since they ask to send it elsewhere. */
function readWriteResponse(response: ServiceResponse): WriteResponse {
  const { httpStatus, headers, foreign } = response;
  const envelope = envelopeOf(response);
  const reason = doubtOf(response, envelope);
  if (reason !== null)
    return { kind: 'unknown', reason, serviceErrors: envelope?.errors ?? [], foreignStatus: foreign?.httpStatus };
  if (foreign !== undefined && hasNotArrived(foreign)) return { kind: 'not-sent', error: notReached(foreign) };
  const retryAfterSeconds = httpStatus === 429 ? decodeRetryAfter(headers, Date.now()) : null;
  return httpStatus >= 300 || envelope === null
    ? { kind: 'rejected', httpStatus, envelope, retryAfterSeconds }
    : { kind: 'accepted', httpStatus, envelope, retryAfterSeconds };
}
