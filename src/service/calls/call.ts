import type { Lease } from '../../core/base/lease.ts';
import { type Caller, usesServiceCredential } from '../../core/callers/caller.ts';
import type { RequestResult, ServiceCall } from './service-call.ts';
import type { TokenState } from './token-states.ts';

/** A call on its way down the pipeline: see `call-pipeline.ts`. */
export interface Call {
  readonly operation: ServiceCall;
  /**
   * The caller, whose deadline bounds the call: it begins only if it can end by then. A read is cut off at the
   * deadline. A write that has begun has the whole time of a call, since cutting it off would leave its outcome
   * unknown.
   */
  readonly caller: Caller;
  readonly apiToken: string;
  readonly token: TokenState;
  /** The lease of the write. The write does not begin once the lease has expired. */
  readonly lease: Lease | undefined;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

export type SendCall = (call: Call) => Promise<RequestResult>;

/** One step of the pipeline: sends the call by `next`, or returns why it is not sent. */
export type CallStep = (call: Call, next: SendCall) => Promise<RequestResult>;

/** True where the service has accepted the token, or the gateway took it from its settings or from a job. */
export const isTrusted = ({ token, caller }: Pick<Call, 'token' | 'caller'>): boolean =>
  token.isKnown || usesServiceCredential(caller) || caller.isBackground === true;

/** `performance.now()` until which the call may begin. */
export const latestStartOf = ({ caller, token, operation }: Call): number =>
  caller.deadline - token.minTimeLeftMs(operation.kind);

/** The time of the call from its beginning in milliseconds, at most `timeoutMs`. */
export const timeoutOf = ({ operation, caller }: Call, timeoutMs: number): number =>
  operation.kind === 'write' ? timeoutMs : Math.ceil(Math.min(timeoutMs, caller.deadline - performance.now()));
