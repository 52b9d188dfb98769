import { type GraphQLField, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';
import { FIELDS_PER_ERROR, sizeOf } from '../../schema/response-budget.ts';
import type { PlannedField } from './query-plan.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * How many fields, list items and values of input the writes of a mutation come to, with their outcomes: a bound that is
 * known before the first of them begins. What they read back is left out, since it has a budget of its own, and so are
 * errors in place of outcomes.
 */
export function sizeOfOutcomes(writes: readonly PlannedField[], variables: Values): number {
  let size = 0;
  for (const { argumentsOf, below, cost } of writes) {
    const args = argumentsOf(variables);
    const values = sizeOf(args).fields;
    size += 1 + values + fieldsOf(below, cost?.items?.(args) ?? values);
  }
  return size;
}

/** The fields of one object, and below. Lists are as long as the input; those within them are taken to have one item. */
function fieldsOf(fields: readonly PlannedField[], listLength: number): number {
  let size = 0;
  for (const { name, field, below } of fields) {
    if (isOfError(name)) continue;
    size += 1;
    if (field === undefined) continue;
    if (isReadBack(field)) size += FIELDS_PER_ERROR;
    else if (isListType(getNullableType(field.type))) size += listLength * (1 + fieldsOf(below, 1));
    else size += fieldsOf(below, listLength);
  }
  return size;
}

/** An error has no outcomes: either nothing was written, or there is nothing more to tell. */
const isOfError = (name: string): boolean => /Error\./u.test(name);

/** Null and an error stand in its place where it fails. */
const isReadBack = ({ type }: GraphQLField<unknown, unknown>): boolean => !isNonNullType(type) && isObjectType(type);
