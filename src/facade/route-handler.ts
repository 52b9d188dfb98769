import type { Backend } from '../backend/backend.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { type BackendError, rejected } from '../domain/errors.ts';
import { type ServiceError, serviceError } from '../domain/notices.ts';
import { ok, type Result } from '../domain/result.ts';
import type { EmptyLists, EnvelopeContent } from '../v2/envelope.ts';
import type { Query } from './query-params.ts';

/** What a route is called with. The token is accepted, the body is JSON; nothing else has been judged yet. */
export interface Call {
  readonly backend: Backend;
  readonly caller: Caller;
  /** The parameters of the path, decoded, by their names in the template. Never empty. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: Query;
  /** Undefined where the request had no body. */
  readonly body: unknown;
  /** More items in one bulk update are refused (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
}

export type Handled = Promise<Result<EnvelopeContent, BackendError>>;

export interface Route {
  readonly method: 'GET' | 'PUT';
  /** Literal segments in the case of the documentation, parameters in braces: `/v2/Articles/{articleId}/{langCode}`. */
  readonly path: string;
  /** How this operation writes the lists of its envelope when they are empty. */
  readonly lists: EmptyLists;
  readonly handle: (call: Call) => Handled;
}

/** A parameter that the template of the route has. */
export function param({ params }: Call, name: string): string {
  const value = params.get(name);
  if (value === undefined) throw new Error(`The path of this route has no parameter ${name}.`);
  return value;
}

/** A refusal in words of our own. */
export const refused = (httpStatus: number, description: string): BackendError =>
  refusal(httpStatus, [serviceError(description)]);

/** A body that is not what it should be, with all that was found. */
export const refusedBody = (findings: readonly ServiceError[]): BackendError => refusal(400, findings);

const refusal = (httpStatus: number, serviceErrors: readonly ServiceError[]): BackendError =>
  rejected({ httpStatus, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });

/** The answer of a read. The service puts it under `data` or under `result`, by endpoint (facts, section 1). */
export const answered = (payload: NonNullable<EnvelopeContent['payload']>): Result<EnvelopeContent, never> =>
  ok({ payload, success: true });

/** The answer to the only key that was asked for. */
export function only<T>(answers: readonly T[]): T {
  const [answer] = answers;
  if (answer === undefined) throw new Error('The backend gave no answer to a key.');
  return answer;
}
