import { MAX_JOBS } from '../base/limits.ts';
import { idempotencyConflict } from '../domain/articles/article-update-jobs.ts';
import { type BackendError, rateLimited, unavailable, validationError } from '../domain/errors.ts';
import type { AppendResult } from '../state/ledger.ts';
import type { JobSettings } from './runner/job-context.ts';

/** When a caller with too many jobs may try again. */
const JOB_RETRY_SECONDS = 30;

type Refusal = Exclude<AppendResult, { kind: 'appended' }>;

export function submissionError(refusal: Refusal, { maxItems, maxBytes }: JobSettings): BackendError {
  switch (refusal.kind) {
    case 'conflict':
      return idempotencyConflict(CONFLICT, refusal.indexes);
    case 'gap':
      return issue('startIndex', gapMessage(refusal.nextIndex));
    case 'too-many-items':
      return issue(
        'articles',
        `A job may have at most ${maxItems} items (MAX_JOB_ITEMS). Nothing of this part was stored.`,
      );
    case 'too-many-jobs':
      return { ...rateLimited(JOB_RETRY_SECONDS), message: TOO_MANY_JOBS };
    case 'full':
      return unavailable(
        `The state of jobs and keys has no room for this (MAX_STATE_BYTES: ${maxBytes}). Nothing was stored.`,
      );
  }
}

const issue = (field: string, message: string) => validationError([{ path: [field], message }]);

const gapMessage = (nextIndex: number): string =>
  `startIndex is behind the end of the job: the next part begins at ${nextIndex}. Nothing of this part was stored.`;

const CONFLICT =
  'The idempotency key was used with other items before. The first indexes that differ are listed; items behind the end ' +
  'of a job that is closed differ as well. Nothing of this part was stored.';

const TOO_MANY_JOBS = `A caller may have ${MAX_JOBS} jobs at one time. Wait until one has ended, or cancel one.`;
