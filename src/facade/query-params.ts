import type { BackendError } from '../domain/errors.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { refused } from './route-handler.ts';

/** The query of an address by lower-case name, since the service's framework ignores case. Of repeats the first counts. */
export type Query = ReadonlyMap<string, string>;

/** A parameter without a value counts as absent. */
export function createQuery(search: URLSearchParams): Query {
  const query = new Map<string, string>();
  for (const [name, value] of search) {
    const key = name.toLowerCase();
    if (value !== '' && !query.has(key)) query.set(key, value);
  }
  return query;
}

export const textOf = (query: Query, name: string): string | undefined => query.get(name.toLowerCase());

/** True or false in any case; false where it is absent. */
export function flagOf(query: Query, name: string): Result<boolean, BackendError> {
  const value = textOf(query, name)?.toLowerCase() ?? 'false';
  if (value === 'true' || value === 'false') return ok(value === 'true');
  return err(refused(400, `${name} must be true or false.`));
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** What the number is where it is absent. */
  readonly absent: number;
}

/** The largest number the service's int32 parameters take. */
export const INT32_MAX = 2_147_483_647;

export function numberOf(query: Query, name: string, range: NumberRange): Result<number, BackendError> {
  const value = textOf(query, name);
  if (value === undefined) return ok(range.absent);
  const number = wholeNumber(value, range);
  return number === null ? err(refused(400, `${name} must be a whole number ${rangeText(range)}.`)) : ok(number);
}

/** A whole number in plain digits, null where the text is none or out of range. */
export function wholeNumber(text: string, { least, most }: Omit<NumberRange, 'absent'>): number | null {
  const number = /^\d{1,10}$/u.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

const rangeText = ({ least, most }: NumberRange): string =>
  most === INT32_MAX ? `of ${least} or more` : `from ${least} to ${most}`;

/** `offSet` counts pages, from 1, whatever its name says (facts, section 1). The answer counts from 0. */
export function pageOf(query: Query): Result<number, BackendError> {
  const page = numberOf(query, 'offSet', { least: 1, most: INT32_MAX, absent: 1 });
  return page.ok ? ok(page.value - 1) : page;
}
