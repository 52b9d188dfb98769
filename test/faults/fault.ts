import type { Behaviour } from '../support/faulty-service.ts';
import type { OPERATIONS, OperationName } from './operations.ts';

/** One way in which the service misbehaves, and what the gateway must make of it. */
export interface Fault {
  readonly name: string;
  /** What the service does with the call that meets the fault; `elsewhere` is another origin. */
  readonly behaviour?: (elsewhere: string) => Behaviour;
  /** Where the gateway looks for the service, if not where it is. */
  readonly upstream?: (service: URL) => string;
  /** What becomes of the connection, once a good call has used it, before the operation begins. */
  readonly idle?: 'kept' | 'closed';
  readonly expected: Readonly<Record<OperationName, Expected>>;
}

export interface Expected {
  readonly outcome: string;
  /** Calls that arrive at the service. */
  readonly calls: number;
}

type Outcomes = readonly [string, string, string, string];
type Calls = readonly [number, number, number, number];

/** In the order of the operations. */
export function expecting(outcomes: Outcomes, calls: Calls): Fault['expected'] {
  const [one, three, group, read] = outcomes.map((outcome, index) => ({ outcome, calls: calls[index] ?? 0 }));
  const nothing = { outcome: '', calls: 0 };
  return {
    'one article': one ?? nothing,
    'six articles in three calls, the second faulty': three ?? nothing,
    'a reader group': group ?? nothing,
    'a reader group that is read first, the read faulty': read ?? nothing,
  } satisfies Record<keyof typeof OPERATIONS, Expected>;
}

/** The call may have arrived: it is sent once, and nothing after it. */
export const UNKNOWN = expecting(
  ['unknown 1', 'updated 2, unknown 2, not attempted 2', 'OutcomeUnknownError', 'ServiceUnavailableError'],
  [1, 2, 1, 1],
);

/** No call can have arrived. */
export const UNSENT = expecting(
  ['ServiceUnavailableError', 'ServiceUnavailableError', 'ServiceUnavailableError', 'ServiceUnavailableError'],
  [0, 0, 0, 0],
);

/** Nothing is wrong with it, or nothing any more: the faulty call is sent so many times. */
export const updated = (sendings = 1): Fault['expected'] =>
  expecting(['updated 1', 'updated 6', 'updated', 'updated'], [sendings, sendings + 2, sendings, sendings + 1]);

/** The service refuses the call, and says nothing of its items; those after it are not sent. */
export const refusedAs = (type: string, read = type): Fault['expected'] =>
  expecting([type, 'updated 2, not attempted 4', type, read], [1, 2, 1, 1]);

/** The service refuses what the call holds, and may have applied a part of it; the items after it may well be taken. */
export const JUDGED = expecting(
  ['ServiceRejectedError', 'updated 2, unknown 2, updated 2', 'ServiceRejectedError', 'ServiceRejectedError'],
  [1, 3, 1, 1],
);
