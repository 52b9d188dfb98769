import { deepEqual } from 'node:assert/strict';
import type { ClientAnswer } from '../client-suite.ts';

/** Throws unless the answer has this data and no error. Objects may have more members, which some caches add. */
export function assertData({ data, errors }: ClientAnswer, expected: unknown): void {
  deepEqual(errors, []);
  deepEqual(reduceTo(expected, data), expected);
}

/** A value without the members that its model does not have. */
function reduceTo(model: unknown, value: unknown): unknown {
  if (Array.isArray(model) && Array.isArray(value)) return value.map((item, index) => reduceTo(model[index], item));
  if (!isObject(model) || !isObject(value)) return value;
  return Object.fromEntries(Object.keys(model).map((key) => [key, reduceTo(model[key], value[key])]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
