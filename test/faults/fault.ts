import type { Behaviour } from '../support/faulty-service.ts';
import { BULK_SIZE, type OPERATIONS, type OperationName, PUBLICATION_READS } from './operations.ts';

/** One fault of the service, and the outcomes that the gateway must report. */
export interface Fault {
  readonly name: string;
  /** The behaviour of the service for the call that meets the fault; `otherOrigin` is the URL of another origin. */
  readonly behaviour?: (otherOrigin: string) => Behaviour;
  /** The URL under which the gateway calls the service, if it is not the service's own. */
  readonly upstream?: (service: URL) => string;
  /** The state of the connection when the operation begins, after a successful call has used it. */
  readonly idle?: 'kept' | 'closed';
  readonly expected: Readonly<Record<OperationName, Expected>>;
}

export interface Expected {
  readonly outcome: string;
  /** The calls that arrive at the service. */
  readonly calls: number;
}

type Outcomes = readonly [string, string, string, string];
type Calls = readonly [number, number, number, number];

/** Creates end as updates do. What ends unknown is looked for by one call, which finds no project version. */
const createsLike = (outcomes: Outcomes, calls: Calls): readonly Expected[] =>
  [0, 1].map((index) => ({
    outcome: outcomes[index]?.replaceAll('updated', 'created') ?? '',
    calls: (calls[index] ?? 0) + Number(outcomes[index]?.includes('unknown')),
  }));

/** Publications end as updates do, after reads. */
const publicationsLike = ({ outcome, calls }: Expected): Expected => ({
  outcome,
  calls: calls === 0 ? 0 : calls + PUBLICATION_READS,
});

/** Expected outcomes in the order of the operations. */
export function expecting(
  outcomes: Outcomes,
  calls: Calls,
  [create, creates] = createsLike(outcomes, calls),
): Fault['expected'] {
  const [one, three, group, read] = outcomes.map((outcome, index) => ({ outcome, calls: calls[index] ?? 0 }));
  const nothing = { outcome: '', calls: 0 };
  return {
    'one article': one ?? nothing,
    'six articles in three calls, the second faulty': three ?? nothing,
    'six publications in three calls, the second faulty': publicationsLike(three ?? nothing),
    'a reader group': group ?? nothing,
    'a reader group that is read first, the read faulty': read ?? nothing,
    'a new article': create ?? nothing,
    'six new articles in three calls, the second faulty': creates ?? nothing,
  } satisfies Record<keyof typeof OPERATIONS, Expected>;
}

/** The call may have arrived: it is sent once, and no call after it. */
export const UNKNOWN = expecting(
  ['unknown 1', 'updated 2, unknown 2, not attempted 2', 'OutcomeUnknownError', 'ServiceUnavailableError'],
  [1, 2, 1, 1],
);

/** No call can have arrived. */
export const UNSENT = expecting(
  ['ServiceUnavailableError', 'ServiceUnavailableError', 'ServiceUnavailableError', 'ServiceUnavailableError'],
  [0, 0, 0, 0],
);

/** The call succeeds: the faulty call is sent `sendings` times. */
export const updated = (sendings = 1): Fault['expected'] =>
  expecting(['updated 1', 'updated 6', 'updated', 'updated'], [sendings, sendings + 2, sendings, sendings + 1]);

/** The service rejects the call without outcomes of its items; the calls after it are not sent. */
export const rejectedAs = (type: string, read = type): Fault['expected'] =>
  expecting([type, 'updated 2, not attempted 4', type, read], [1, 2, 1, 1]);

/** The service rejects the content of the call, and may have applied a part of it; the calls after it are sent. */
export const PARTLY_APPLIED = {
  ...expecting(
    ['ServiceRejectedError', 'updated 2, unknown 2, updated 2', 'ServiceRejectedError', 'ServiceRejectedError'],
    [1, 3, 1, 1],
    [
      { outcome: 'failed 1', calls: 1 },
      { outcome: 'created 2, unknown 2, created 2', calls: 4 },
    ],
  ),
  // Each article of the refused call is read again.
  'six publications in three calls, the second faulty': {
    outcome: 'updated 2, unknown 2, updated 2',
    calls: PUBLICATION_READS + 3 + BULK_SIZE,
  },
} as const satisfies Fault['expected'];

/** The looks for a create after the first one, each of which is one call here. */
const MORE_LOOKS = 3;

/** The most calls that may arrive. What a create left unknown is looked for again while the request lasts. */
export const mostCallsOf = (operation: OperationName, { outcome, calls }: Expected): number =>
  calls + (operation.includes('new article') && outcome.includes('unknown') ? MORE_LOOKS : 0);
