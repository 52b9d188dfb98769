import type { ReadScope } from '../../core/backend.ts';
import type { Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, outOfTime, unavailable } from '../../core/errors.ts';
import type { GroupLock } from '../../core/shared-state.ts';
import { decodeEnvelope, type Envelope } from '../v2/envelope.ts';
import type { HttpHeaders } from '../v2/rate-limit.ts';
import { reasonOf } from './connection-failures.ts';
import { type ForeignAnswer, foreignReason, hasNotArrived } from './foreign-answers.ts';

/** One operation of the service. */
export type ServiceCall = ReadOperation | WriteOperation;

export interface ReadOperation extends Operation {
  readonly kind: 'read';
  /** True while other requests wait for the same response. */
  readonly isShared?: () => boolean;
}

export interface WriteOperation extends Operation {
  readonly kind: 'write';
  /** The method of the write; PUT where it is absent. */
  readonly method?: 'POST' | 'DELETE';
  /** The cached reads that are not used while the write is under way, and that it invalidates. */
  readonly staleReads: ReadScope;
  /** Sent as JSON. Absent where the write has none. */
  readonly body?: unknown;
  /** The lock under which the write is sent. Each attempt is noted in it. */
  readonly lock?: Pick<GroupLock, 'noteWrite' | 'endWrite'> | null;
}

interface Operation {
  /** The segments of the path below `/v2`. */
  readonly path: readonly PathSegment[];
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** `at` is set to `performance.now()` whenever the call is sent. */
  readonly sent?: { at: number };
}

/** A word of the service's paths, or a value in its place: an ID, a language or a number. */
type PathSegment = PathWord | PathValue;

/** The value is unescaped. It may be neither `.` nor `..`, which URLs resolve even if escaped. */
interface PathValue {
  readonly id: string;
}

/** The words in the paths of the service. */
type PathWord =
  | 'Articles'
  | 'Categories'
  | 'ProjectVersions'
  | 'Readers'
  | 'Teams'
  | 'articles'
  | 'bulkcreate'
  | 'bulkpublish'
  | 'bulkupdate'
  | 'categories'
  | 'fork'
  | 'groups'
  | 'versions';

/** The path with `{id}` for each value, for spans and reports. */
export const pathTemplateOf = (path: ServiceCall['path']): string =>
  `/v2/${path.map((segment) => (typeof segment === 'string' ? segment : '{id}')).join('/')}`;

export interface ServiceResponse {
  readonly httpStatus: number;
  readonly headers: HttpHeaders;
  /** The parsed JSON; undefined where the body is no readable JSON. */
  readonly body: unknown;
  /** The answer, where it is not the service's. */
  readonly foreign?: ForeignAnswer | undefined;
  /** The codings of a body that can't be decoded here, as its header lists them. */
  readonly unknownCoding?: string | undefined;
}

/** The envelope of a response; null where the response is not the service's. */
export const envelopeOf = ({ httpStatus, body, foreign }: ServiceResponse): Envelope | null =>
  foreign === undefined ? decodeEnvelope(body, httpStatus) : null;

export type RequestResult = Result<ServiceResponse, CallFailure>;

/**
 * Why a call has no response. `not-begun`: the gateway did not make the call. `not-connected`: no connection to the
 * service came about, so not a byte of the request was sent to it. `unknown`: the request, or part of it, may have
 * reached the service. `stale`: the same, on an idle connection that was just being closed.
 */
export type CallFailure =
  | { readonly kind: 'not-begun' | 'not-connected'; readonly error: BackendError }
  /** The reason is a clause for messages, without any address. */
  | { readonly kind: 'unknown' | 'stale'; readonly reason: string };

/** The failure of a call without a connection. The reason is a clause for messages. */
export const notConnected = (reason: string): CallFailure => ({ kind: 'not-connected', error: unreachable(reason) });

/** The failure of a call that the gateway did not make. */
export const notBegun = (error: BackendError): CallFailure => ({ kind: 'not-begun', error });

const unreachable = (reason: string): BackendError => unavailable(`The service cannot be reached: ${reason}`);

/** The call took all of its time after its connection was made. */
export const TIMED_OUT: CallFailure = { kind: 'unknown', reason: 'the service did not answer in time.' };

/** The call took all of its time before its connection was made. */
export const CONNECT_TIMED_OUT: CallFailure = notConnected(reasonOf('ETIMEDOUT'));

/** The proxy in front of the service refused the call, and will refuse every other one. */
export const PROXY_UNAUTHENTICATED: CallFailure = notConnected('the proxy asks for a user and a password.');

export const RESPONSE_TOO_LARGE: CallFailure = { kind: 'unknown', reason: 'the answer of the service is too large.' };

export const CALL_QUEUE_FULL: CallFailure = notBegun(unreachable('too many calls wait for it already.'));

export const CIRCUIT_OPEN: CallFailure = notBegun(
  unreachable('the calls before this one failed, and another is trying it already.'),
);

const LEASE_ERROR = unavailable(
  'This write has waited for longer than other gateways wait before they report its outcome or write in its place; nothing ' +
    'was sent.',
);

/** The lease of the write had expired when its connection was made, so nothing of the write was sent. */
export const LEASE_EXPIRED: CallFailure = notBegun(LEASE_ERROR);

/** True for the error of `LEASE_EXPIRED`. */
export const isLeaseExpired = (error: BackendError): boolean => error === LEASE_ERROR;

/** The request has too little time left for the call to begin. */
export const deadlineExceeded = ({ requestTimeoutMs }: Pick<Caller, 'requestTimeoutMs'>): CallFailure =>
  notBegun(outOfTime(requestTimeoutMs));

/**
 * The reason why a write with this response may have taken effect, as a clause for messages; null where its outcome is
 * known. A 5xx may come after the write, and so may a 303, which says where to read the outcome.
 */
export function doubtOf(response: ServiceResponse, envelope = envelopeOf(response)): string | null {
  const { httpStatus, foreign, unknownCoding } = response;
  if (foreign !== undefined) {
    // A rate limit is respected, whoever reports it.
    if (hasNotArrived(foreign) || httpStatus === 429) return null;
    return unknownCoding === undefined ? foreignReason(foreign) : unreadableReason(response);
  }
  if (httpStatus >= 500 || httpStatus === 303) return `the service answered with HTTP ${httpStatus}.`;
  return httpStatus < 300 && envelope === null ? unreadableReason(response) : null;
}

/** A clause for messages. */
export const UNREADABLE_ANSWER = 'the answer of the service could not be read.';

/** The reason why a response could not be read, as a clause for messages. */
export const unreadableReason = ({ unknownCoding }: ServiceResponse): string =>
  unknownCoding === undefined
    ? UNREADABLE_ANSWER
    : `the answer of the service could not be read: its Content-Encoding is ${unknownCoding}.`;

/** False where a write may have taken effect, or may still do so. */
export const isOutcomeKnown = (result: RequestResult): boolean =>
  result.ok ? doubtOf(result.value) === null : 'error' in result.error;
