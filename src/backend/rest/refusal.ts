import { type BackendError, rejected } from '../../domain/errors.ts';
import type { Envelope } from '../../v2/envelope.ts';
import { decodeRefusal } from '../../v2/errors.ts';

/** An answer that refuses. */
export interface Refused {
  readonly httpStatus: number;
  readonly envelope: Envelope | null;
  /** What a 429 says of the time to wait. */
  readonly retryAfterSeconds: number | null;
}

/** Of the token, the permission and the rate: such a refusal would meet any other call as well. */
export const REFUSES_ANY_CALL: ReadonlySet<number> = new Set([401, 403, 429]);

/** These judge what a call holds, maybe item by item: of several items the service may have applied a part before. */
export const JUDGES_ITEMS: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * The failure behind a refusal, its texts unread: those that name a failure exactly are for `decodeRefusal`, where a
 * reader group was called for.
 */
export function refusal(refused: Refused, mayHaveApplied: boolean): BackendError {
  const { httpStatus, envelope } = refused;
  if (REFUSES_ANY_CALL.has(httpStatus)) return decodeRefusal({ ...refused, mayHaveApplied });
  const { errors: serviceErrors = [], warnings = [], information = [] } = envelope ?? {};
  const error = rejected({ httpStatus, mayHaveApplied, serviceErrors, warnings, information });
  return isRedirect(httpStatus) ? { ...error, message: redirectMessage(httpStatus) } : error;
}

export const isRedirect = (httpStatus: number): boolean => httpStatus >= 300 && httpStatus < 400;

const redirectMessage = (httpStatus: number): string =>
  `The service answered with a redirect (HTTP ${httpStatus}). ` +
  'Redirects are not followed, so that the API token goes nowhere else; check UPSTREAM_URL.';
