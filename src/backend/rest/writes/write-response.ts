import type { Caller } from '../../../domain/callers/caller.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { ServiceError } from '../../../domain/notices.ts';
import { decodeEnvelope, type Envelope } from '../../../v2/envelope.ts';
import { decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { HttpAnswer } from '../exchange.ts';
import type { Call } from '../http/client.ts';
import type { Refused } from '../refusal.ts';
import type { Upstream } from '../upstream.ts';

/** What the answer to a write says of it, before anything is made of its content. */
export type WriteAnswer =
  | (Refused & { readonly kind: 'accepted'; readonly envelope: Envelope })
  | (Refused & { readonly kind: 'refused' })
  | {
      readonly kind: 'unknown';
      readonly httpStatus: number | null;
      /** A clause that says why nobody knows. */
      readonly reason: string;
      readonly serviceErrors: readonly ServiceError[];
    }
  | { readonly kind: 'not-sent'; readonly httpStatus: null; readonly error: BackendError };

export async function sendWrite(upstream: Upstream, caller: Caller, call: Call): Promise<WriteAnswer> {
  const sent = await upstream.send(caller, call);
  if (sent.ok) return readWriteAnswer(sent.value);
  if (sent.error.kind === 'not-sent') return { ...sent.error, httpStatus: null };
  return { ...sent.error, httpStatus: null, serviceErrors: [] };
}

/**
 * A 5xx may come after the write, whatever it says of it. So may a 303: it names where to read what became of it. The
 * other redirects refuse, since they ask to send the write elsewhere.
 */
function readWriteAnswer({ httpStatus, headers, body }: HttpAnswer): WriteAnswer {
  const envelope = decodeEnvelope(body);
  const serviceErrors = envelope?.errors ?? [];
  const retryAfterSeconds = decodeRetryAfter(headers, Date.now());
  if (httpStatus >= 500 || httpStatus === 303) {
    return { kind: 'unknown', httpStatus, reason: `the service answered with HTTP ${httpStatus}.`, serviceErrors };
  }
  if (httpStatus >= 300) return { kind: 'refused', httpStatus, envelope, retryAfterSeconds };
  if (envelope === null) {
    return { kind: 'unknown', httpStatus, reason: 'the answer of the service could not be read.', serviceErrors };
  }
  return { kind: 'accepted', httpStatus, envelope, retryAfterSeconds };
}
