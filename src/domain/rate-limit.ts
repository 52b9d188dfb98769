import type { Result } from '../base/result.ts';
import type { BackendError } from './errors.ts';

/** The time to wait when nothing better is known. */
export const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** The service's rate limit of one API token, as its last response had it. Null stands for what is not known. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: Date | null;
}

/** What one caller may still send in the minute that began with its first request (`CALLER_REQUESTS_PER_MINUTE`). */
export interface CallerAllowance {
  readonly perMinute: number;
  readonly remaining: number;
  /** Whole seconds until the minute ends. */
  readonly resetSeconds: number;
}

/** A request of a caller that was counted. */
export interface CountedRequest {
  /** Fails with the time until the next request is accepted if none was left. */
  readonly result: Result<void, BackendError>;
  /** What is left after it. */
  readonly allowance: CallerAllowance;
}
