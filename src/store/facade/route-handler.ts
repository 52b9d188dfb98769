import type { Backend } from '../../core/backend.ts';
import { MAX_CREATED_ARTICLES } from '../../core/base/limits.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, rejected } from '../../core/errors.ts';
import { createServiceError, type ServiceError } from '../../core/notices.ts';
import type { EnvelopeContent } from '../../service/v2/envelope.ts';
import type { RenderMarkdown } from './markdown.ts';

/** The arguments of a route's handler. The token was accepted and the body is JSON; nothing else is validated yet. */
export interface FacadeRequest {
  readonly backend: Backend;
  readonly caller: Caller;
  /** The decoded parameters of the path by their names in the template. They are never empty. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: QueryParams;
  /** Undefined when the request has no body. */
  readonly body: unknown;
  /** The largest number of items in one bulk update (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
  readonly renderMarkdown: RenderMarkdown;
}

export type EnvelopeResult = Promise<Result<EnvelopeContent, BackendError>>;

/** The value of a parameter in the template of the route. */
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

/** A rejection whose text is the façade's own. */
export const rejection = (httpStatus: number, description: string): BackendError =>
  bodyRejection([createServiceError(description)], httpStatus);

/** The rejection of a request body, with all findings. */
export const bodyRejection = (serviceErrors: readonly ServiceError[], httpStatus = 400): BackendError =>
  rejected({ httpStatus, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });

/** Decodes the items of a body. `verb` completes the message about a list with too many items. */
export function decodeItems<Items>(
  { body, maxBulkItems }: FacadeRequest,
  verb: 'created' | 'updated',
  decode: (body: unknown) => Result<Items, readonly ServiceError[]>,
): Result<Items, BackendError> {
  const maxItems = verb === 'created' ? Math.min(maxBulkItems, MAX_CREATED_ARTICLES) : maxBulkItems;
  if (Array.isArray(body) && body.length > maxItems)
    return err(rejection(400, `$: at most ${maxItems} items can be ${verb} at once; these are ${body.length}.`));
  const items = decode(body);
  return items.ok ? items : err(bodyRejection(items.error));
}

/**
 * The query parameters of a URL by lower-case name, since the service's framework ignores case. The first value of a
 * repeated name is used.
 */
type QueryParams = ReadonlyMap<string, string>;

/** A parameter without a value counts as absent. */
export const createQueryParams = (search: URLSearchParams): QueryParams =>
  new Map(
    [...search]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .toReversed(),
  );

/** The text of a parameter; undefined where it is absent. */
export const queryText = (query: QueryParams, name: string): string | undefined => query.get(name.toLowerCase());

/** Reads `true` or `false` in any case. An absent flag is false. */
export function queryFlag(query: QueryParams, name: string): Result<boolean, BackendError> {
  const value = queryText(query, name)?.toLowerCase() ?? 'false';
  if (value === 'true' || value === 'false') return ok(value === 'true');
  return err(rejection(400, `${name} must be true or false.`));
}

interface NumberParamRange {
  readonly min: number;
  readonly max: number;
  /** The value of an absent parameter. */
  readonly defaultValue: number;
}

/** The largest number the service's int32 parameters take. */
export const INT32_MAX = 2_147_483_647;

/** Reads a whole number within a range. An absent parameter has the default value. */
export function queryNumber(query: QueryParams, name: string, range: NumberParamRange): Result<number, BackendError> {
  const value = queryText(query, name);
  if (value === undefined) return ok(range.defaultValue);
  const number = parseNumberInRange(value, range);
  return number === null ? err(rejection(400, `${name} must be a whole number ${describeRange(range)}.`)) : ok(number);
}

/** Reads a whole number in decimal digits; null for any other text and for a number out of range. */
export function parseNumberInRange(text: string, { min, max }: Omit<NumberParamRange, 'defaultValue'>): number | null {
  const number = /^\d{1,10}$/u.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

const describeRange = ({ min, max }: NumberParamRange): string =>
  max === INT32_MAX ? `of ${min} or more` : `from ${min} to ${max}`;

/** Converts `offSet`, which counts pages from 1 (docs/service.md, "Paging"), to a page number from 0. */
export function queryPage(query: QueryParams): Result<number, BackendError> {
  const page = queryNumber(query, 'offSet', { min: 1, max: INT32_MAX, defaultValue: 1 });
  return page.ok ? ok(page.value - 1) : page;
}
