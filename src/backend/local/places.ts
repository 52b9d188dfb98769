import { isObject } from '../../domain/articles/articles.ts';
import { pathIdProblem, textProblem } from '../../domain/text.ts';

/** A value somewhere in a JSON document, and where problems with it are told. */
export interface Place {
  /** As a person would write it: `articles[3].versions[0].title`. */
  readonly path: string;
  readonly value: unknown;
  readonly report: (path: string, problem: string) => void;
}

/** A member of an object; of anything else it is undefined. */
export const at = ({ path, value, report }: Place, name: string): Place => ({
  path: path === '' ? name : `${path}.${name}`,
  value: isObject(value) ? value[name] : undefined,
  report,
});

/*
 * The readers below always answer a value of the promised type. Where the document has another, they report it and answer
 * a stand-in, so that one pass finds everything that is wrong.
 */

export function itemsOf({ path, value, report }: Place): readonly Place[] {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ path: `${path}[${index}]`, value: item, report }));
  report(path, 'must be a list');
  return [];
}

/** The items of a list of objects; one that is none is reported and left out. */
export const objectsOf = (place: Place): readonly Place[] =>
  itemsOf(place).filter(({ path, value, report }) => {
    if (!isObject(value)) report(path, 'must be an object');
    return isObject(value);
  });

/** A text that keeps a rule of the domain. */
export function readRuled({ path, value, report }: Place, problemOf: (text: string) => string | null): string {
  const problem = typeof value === 'string' ? problemOf(value) : 'must be a string';
  if (problem !== null) report(path, problem);
  return typeof value === 'string' ? value : '';
}

export const readText = (place: Place): string => readRuled(place, textProblem);

/** An ID or a language code: both are segments of paths. */
export const readId = (place: Place): string => readRuled(place, pathIdProblem);

/** Null where there is null, or nothing at all. */
export const orNull = <T>(place: Place, read: (place: Place) => T): T | null =>
  place.value == null ? null : read(place);

export function readFlag({ path, value, report }: Place): boolean {
  if (typeof value !== 'boolean') report(path, 'must be true or false');
  return value === true;
}

/** The service's numbers are int32 (spec). */
const MAX_INT32 = 2_147_483_647;

export function readWhole({ path, value, report }: Place, least: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= MAX_INT32) return value;
  report(path, `must be a whole number from ${least} to ${MAX_INT32}`);
  return least;
}

/** A position; 0 and null both mean that none was set (spec, Article update item). */
export const readPosition = (place: Place): number | null => (place.value == null ? null : readWhole(place, 0) || null);

/** What the value stands for, in a table of those that are allowed. */
export function readOneOf<T>({ path, value, report }: Place, meanings: ReadonlyMap<unknown, T>): T | undefined {
  if (!meanings.has(value)) {
    report(path, `must be one of ${[...meanings.keys()].map((allowed) => JSON.stringify(allowed)).join(', ')}`);
  }
  return meanings.get(value);
}
