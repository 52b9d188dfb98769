import type { Result } from '../base/result.ts';
import { outcomeCountsOf } from '../domain/articles/article-outcomes.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { OutcomeCounts } from '../domain/callers/request-record.ts';
import { type BackendError, type BackendErrorKind, mayHaveApplied } from '../domain/errors.ts';
import { type Metrics, noMetrics } from '../domain/metrics.ts';
import type { Backend } from './backend.ts';

const NONE: OutcomeCounts = { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };

/** Counts the outcomes of all writes in the records of their requests and in the metrics. */
export function countOutcomes(backend: Backend, metrics: Metrics = noMetrics): Backend {
  const count = ({ request }: Caller, counts: OutcomeCounts) => {
    request.countOutcomes(counts);
    metrics.countItems(counts);
  };
  const countGroup = <T>(caller: Caller, result: Result<T, BackendError>): Result<T, BackendError> => {
    count(caller, result.ok ? { ...NONE, updated: 1 } : countsOfError(result.error, 1));
    return result;
  };
  return {
    ...backend,
    bulkUpdateArticles: async (caller, updates) => {
      const result = await backend.bulkUpdateArticles(caller, updates);
      count(caller, result.ok ? outcomeCountsOf(result.value.outcomes) : countsOfError(result.error, updates.length));
      return result;
    },
    updateReaderGroup: async (caller, update) => countGroup(caller, await backend.updateReaderGroup(caller, update)),
    changeReaderGroupMembers: async (caller, update) =>
      countGroup(caller, await backend.changeReaderGroupMembers(caller, update)),
  };
}

/** The outcome of each item, by the error of the write as a whole. A rejected write may be unknown, too. */
const OUTCOME_BY_ERROR = {
  validation: 'failed',
  'reader-group-not-found': 'failed',
  rejected: 'failed',
  'outcome-unknown': 'unknown',
  unauthenticated: 'notAttempted',
  forbidden: 'notAttempted',
  'rate-limited': 'notAttempted',
  unavailable: 'notAttempted',
  'not-offered': 'notAttempted',
  'query-too-costly': 'notAttempted',
  'too-costly': 'notAttempted',
  'idempotency-conflict': 'notAttempted',
  'idempotency-in-progress': 'unknown',
  'job-not-found': 'notAttempted',
} as const satisfies Record<BackendErrorKind, keyof OutcomeCounts>;

const countsOfError = (error: BackendError, items: number): OutcomeCounts => ({
  ...NONE,
  [mayHaveApplied(error) ? 'unknown' : OUTCOME_BY_ERROR[error.kind]]: items,
});
