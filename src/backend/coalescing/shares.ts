import type { BulkUpdate } from '../../domain/articles.ts';
import { type BackendError, rejected } from '../../domain/errors.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Submission } from './batch.ts';
import { createRouting, type Routing } from './routing.ts';

type Answered = Result<BulkUpdate, BackendError>;

/** What each caller of a merged call is told of its answer: the outcomes of their own items, and what is said to them. */
export function shares(batch: readonly Submission[], answer: Answered): Iterable<readonly [Submission, Answered]> {
  const route = createRouting(batch);
  return answer.ok ? sharesOfUpdate(batch, answer.value, route) : sharesOfFailure(batch, answer.error, route);
}

function* sharesOfUpdate(batch: readonly Submission[], update: BulkUpdate, route: Routing) {
  const serviceErrors = route(update.serviceErrors);
  const warnings = route(update.warnings);
  const information = route(update.information);
  let start = 0;
  for (const submission of batch) {
    const end = start + submission.updates.length;
    const share = {
      outcomes: update.outcomes.slice(start, end),
      serviceErrors: serviceErrors(submission),
      warnings: warnings(submission),
      information: information(submission),
      // Nothing says whose it is.
      extensionData: null,
    };
    start = end;
    yield [submission, ok(share)] as const;
  }
}

function sharesOfFailure(batch: readonly Submission[], error: BackendError, route: Routing) {
  const failureOf = createFailures(error, route);
  return batch.map((submission) => [submission, err(failureOf(submission))] as const);
}

function createFailures(error: BackendError, route: Routing): (submission: Submission) => BackendError {
  const serviceErrors = route(error.serviceErrors);
  if (error.kind !== 'rejected') return (submission) => ({ ...error, serviceErrors: serviceErrors(submission) });
  const { httpStatus, mayHaveApplied } = error;
  const warnings = route(error.warnings);
  const information = route(error.information);
  return (submission) => {
    const told = {
      httpStatus,
      mayHaveApplied,
      serviceErrors: serviceErrors(submission),
      warnings: warnings(submission),
      information: information(submission),
    };
    // The message repeats what the service said: where some of that is withheld, it says the rest.
    const isWhole = told.serviceErrors.length === error.serviceErrors.length;
    return isWhole ? { ...error, ...told } : rejected(told);
  };
}
