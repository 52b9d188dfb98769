import type { LogLevel } from '../../../base/log.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ServiceError } from '../../../domain/notices.ts';
import { decodeEnvelope, type Envelope } from '../../../v2/envelope.ts';
import type { ErrorResponse } from '../../../v2/errors.ts';
import { decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { doubtOf, type ServiceResponse, type WriteOperation } from '../calls/service-call.ts';

/** The outcome of one write call, before its payload is read. */
export type WriteResponse =
  | (ErrorResponse & { readonly kind: 'accepted'; readonly envelope: Envelope })
  | (ErrorResponse & { readonly kind: 'rejected' })
  | {
      /** The write may have taken effect. `reason` is a clause for messages. */
      readonly kind: 'unknown';
      readonly reason: string;
      readonly serviceErrors: readonly ServiceError[];
    }
  | { readonly kind: 'not-sent'; readonly error: BackendError };

export type RejectedResponse = Extract<WriteResponse, { kind: 'rejected' }>;

/** The figures of one write that are logged: its calls, their last status and their time. */
export class WriteTrace {
  /** The status of the last call; null where it has no response. */
  httpStatus: number | null = null;
  calls = 0;
  readonly #startedAt = performance.now();

  /** Milliseconds since the write began. */
  get ms(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** The level of the line about a write whose outcome is known: the line of its request tells it, unless it is over. */
export const conclusiveLevelOf = ({ request }: Caller): LogLevel => (request.hasEndedRequests() ? 'info' : 'debug');

export interface WriteCaller {
  readonly upstream: Upstream;
  readonly caller: Caller;
  readonly trace: WriteTrace;
}

export async function sendWrite(
  { upstream, caller, trace }: WriteCaller,
  call: WriteOperation,
): Promise<WriteResponse> {
  const result = await upstream.send(caller, call);
  trace.calls += 1;
  trace.httpStatus = result.ok ? result.value.httpStatus : null;
  if (result.ok) return readWriteResponse(result.value);
  return 'error' in result.error
    ? { kind: 'not-sent', error: result.error.error }
    : { kind: 'unknown', reason: result.error.reason, serviceErrors: [] };
}

/** Redirects but a 303 reject the write, since they ask to send it elsewhere. */
function readWriteResponse({ httpStatus, headers, body }: ServiceResponse): WriteResponse {
  const envelope = decodeEnvelope(body);
  const reason = doubtOf(httpStatus, envelope);
  if (reason !== null) return { kind: 'unknown', reason, serviceErrors: envelope?.errors ?? [] };
  const retryAfterSeconds = decodeRetryAfter(headers, Date.now());
  return httpStatus >= 300 || envelope === null
    ? { kind: 'rejected', httpStatus, envelope, retryAfterSeconds }
    : { kind: 'accepted', httpStatus, envelope, retryAfterSeconds };
}
