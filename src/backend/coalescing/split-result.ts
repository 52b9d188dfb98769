import type { BulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { type BackendError, type Rejection, rejected } from '../../domain/errors.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Submission } from './batch.ts';
import { createRouting, type Routing } from './notice-router.ts';

type Answered = Result<BulkUpdate, BackendError>;

/** The answer to a merged call as its callers are told of it. */
export interface Shares {
  /** In the order of the batch: the outcomes of each caller's own items, and what is said of them. */
  readonly answers: readonly Answered[];
  /** How many texts go to nobody. */
  readonly withheld: Readonly<Record<keyof Said, number>>;
}

export function shares(batch: readonly Submission[], answer: Answered): Shares {
  const route = createRouting(batch);
  return answer.ok ? sharesOfUpdate(batch, answer.value, route) : sharesOfFailure(batch, answer.error, route);
}

function sharesOfUpdate(batch: readonly Submission[], update: BulkUpdate, route: Routing): Shares {
  const { saidTo, withheld } = routed(update, route);
  let end = 0;
  const answers = batch.map((submission) => {
    const start = end;
    end += submission.updates.length;
    // Nothing says whose the extension data is.
    return ok({ outcomes: update.outcomes.slice(start, end), ...saidTo(submission), extensionData: null });
  });
  return { answers, withheld };
}

function sharesOfFailure(batch: readonly Submission[], error: BackendError, route: Routing): Shares {
  const { saidTo, withheld } = routed({ warnings: [], information: [], ...error }, route);
  const shareOf =
    error.kind === 'rejected'
      ? rejectionFor(error)
      : ({ serviceErrors }: Said): BackendError => ({ ...error, serviceErrors });
  return { answers: batch.map((submission) => err(shareOf(saidTo(submission)))), withheld };
}

type Said = Pick<Rejection, 'serviceErrors' | 'warnings' | 'information'>;

function routed(said: Said, route: Routing) {
  const serviceErrors = route(said.serviceErrors);
  const warnings = route(said.warnings);
  const information = route(said.information);
  return {
    saidTo: (submission: Submission): Said => ({
      serviceErrors: serviceErrors.for(submission),
      warnings: warnings.for(submission),
      information: information.for(submission),
    }),
    withheld: {
      serviceErrors: serviceErrors.withheld,
      warnings: warnings.withheld,
      information: information.withheld,
    },
  };
}

/** A message of the gateway's own is for everybody; one in the service's words is made anew of what is said to each. */
function rejectionFor({ message, ...rejection }: Extract<BackendError, { kind: 'rejected' }>) {
  const isOwn = message !== rejected(rejection).message;
  return (said: Said): BackendError => {
    const share = rejected({ ...rejection, ...said });
    return isOwn ? { ...share, message } : share;
  };
}
