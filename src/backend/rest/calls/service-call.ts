import type { Fence } from '../../../base/fence.ts';
import type { Result } from '../../../base/result.ts';
import type { RequestRecord } from '../../../domain/callers/request-record.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { TokenState } from './token-states.ts';

/** One operation of the service. */
export interface ServiceCall {
  readonly method: 'GET' | 'PUT';
  /** The segments below `/v2`, unescaped. None may be `.` or `..`, which URLs resolve even where they are escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /**
   * Runs each time right before the call is sent, when nothing else delays it any more but its connection. The error of
   * a failure is the reason why it is not sent; the fence of a success holds for this attempt.
   */
  readonly beforeSend?: () => Promise<Result<Fence | undefined, BackendError>>;
}

export interface SendOptions {
  readonly apiToken: string;
  /** The state of that token. */
  readonly token: TokenState;
  /** True where the gateway trusts the caller, even if the service has not accepted the token yet. */
  readonly isTrusted: boolean;
  readonly request: RequestRecord;
  /** Ends the right of a write to begin. */
  readonly fence?: Fence | undefined;
  /** How often the call was sent before; 0 by default. */
  readonly resendCount?: number;
  /**
   * `performance.now()`. A call begins only if it can end by then. A read is cut off there. A write that has begun has
   * `timeoutMs` whole, since cutting it off would leave its outcome unknown.
   */
  readonly deadline: number;
  /** Milliseconds of the whole request, for messages. */
  readonly requestTimeoutMs: number;
}
