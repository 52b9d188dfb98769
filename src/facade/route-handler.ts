import type { Backend } from '../backend/backend.ts';
import { ok, type Result } from '../base/result.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import type { EmptyListEncoding, EnvelopeContent } from '../v2/envelope.ts';
import type { QueryParams } from './query-params.ts';

/** The arguments of a route's handler. The token is accepted and the body is JSON; nothing else is validated yet. */
export interface FacadeRequest {
  readonly backend: Backend;
  readonly caller: Caller;
  /** The decoded parameters of the path by their names in the template. Never empty texts. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: QueryParams;
  /** Undefined when the request has no body. */
  readonly body: unknown;
  /** The largest number of items in one bulk update (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
}

export type EnvelopeResult = Result<EnvelopeContent, BackendError>;

export type HandlerResult = Promise<EnvelopeResult>;

export interface FacadeRoute {
  readonly method: 'GET' | 'PUT';
  /** Literal segments in the case of the documentation, parameters in braces: `/v2/Articles/{articleId}/{langCode}`. */
  readonly path: string;
  /** The encoding of empty lists in this operation's envelope. */
  readonly lists: EmptyListEncoding;
  readonly handle: (request: FacadeRequest) => HandlerResult;
}

/** A parameter that the template of the route has. */
export function pathParam({ params }: FacadeRequest, name: string): string {
  const value = params.get(name);
  if (value === undefined) throw new Error(`The path of this route has no parameter ${name}.`);
  return value;
}

/** The content of a read, under `data` or `result` by endpoint: see docs/service.md, "Response envelope". */
export const succeedWith = (payload: NonNullable<EnvelopeContent['payload']>): Result<EnvelopeContent, never> =>
  ok({ payload, success: true });

/** The result for the only key of a batch. */
export function onlyResult<T>(results: readonly T[]): T {
  const [result] = results;
  if (result === undefined) throw new Error('The backend returned no result for the key.');
  return result;
}
