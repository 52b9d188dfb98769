import { type BackendError, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import type { ArticleUpdateJobs } from '../../jobs/article-update-jobs.ts';
import type { IdempotencyKeys } from '../../jobs/idempotency-keys.ts';

const refuse = async (): Promise<Result<never, BackendError>> => err(unavailable('This gateway keeps no jobs yet.'));

/** Jobs and keys of a gateway that keeps none. */
export const createConfiguredJobs = (): { readonly jobs: ArticleUpdateJobs; readonly keys: IdempotencyKeys } => ({
  jobs: {
    submit: refuse,
    cancel: refuse,
    resume: refuse,
    find: refuse,
    list: refuse,
    results: refuse,
    close: async () => {},
  },
  keys: { run: refuse },
});
