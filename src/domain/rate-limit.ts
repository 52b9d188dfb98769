/** The time to wait when nothing better is known. */
export const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** The service's rate limit of one API token, as its last response had it. Null stands for what is not known. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: Date | null;
}
