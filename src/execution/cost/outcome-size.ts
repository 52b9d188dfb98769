import { type GraphQLField, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';
import { FIELDS_PER_ERROR, jsonSizeOf } from '../../schema/response-budget.ts';
import type { VariableValues } from '../executor/execution-args.ts';
import type { PlannedField } from './query-plan.ts';
import { type ArgumentCount, resolveCount } from './upstream-costs.ts';

/** A write, and what its selection adds to the outcome: the size grows linearly with the length of the list. */
export interface PlannedWrite {
  readonly coerceArgumentValues: PlannedField['coerceArgumentValues'];
  readonly usesVariables: boolean;
  readonly listSize: ArgumentCount | undefined;
  readonly fixedFields: number;
  readonly fieldsPerItem: number;
}

/** Counts once what does not depend on the variables. */
export const planWrites = (plan: readonly PlannedField[]): readonly PlannedWrite[] =>
  plan.map(({ coerceArgumentValues, usesVariables, subfields, cost }) => {
    const fixedFields = countFields(subfields, 0);
    const fieldsPerItem = countFields(subfields, 1) - fixedFields;
    return { coerceArgumentValues, usesVariables, listSize: cost?.listSize, fixedFields, fieldsPerItem };
  });

/**
 * Estimates the most fields, list items and input values of a mutation and its outcomes. Objects that it reads back
 * count as an error only, since they have a budget of their own; error types count nothing.
 */
export function estimateOutcomeSize(writes: readonly PlannedWrite[], variables: VariableValues): number {
  let size = 0;
  for (const { coerceArgumentValues, listSize, fixedFields, fieldsPerItem } of writes) {
    const args = coerceArgumentValues(variables);
    const values = jsonSizeOf(args).fields;
    size += 1 + values + fixedFields + fieldsPerItem * resolveCount(listSize ?? values, args);
  }
  return size;
}

/** Counts the fields of one object. A list is as long as the input; a list within it is assumed to have one item. */
function countFields(fields: readonly PlannedField[], listLength: number): number {
  let size = 0;
  for (const { name, field, subfields } of fields) {
    if (isErrorField(name)) continue;
    size += 1;
    if (field === undefined) continue;
    if (isReadBack(field)) size += FIELDS_PER_ERROR;
    else if (isListType(getNullableType(field.type))) size += listLength * (1 + countFields(subfields, 1));
    else size += countFields(subfields, listLength);
  }
  return size;
}

/** An error type replaces the outcomes, so its fields do not add to them. */
const isErrorField = (name: string): boolean => /Error\./u.test(name);

/** Nullable objects of a mutation are read back. They may be null with an error. */
const isReadBack = ({ type }: GraphQLField<unknown, unknown>): boolean => !isNonNullType(type) && isObjectType(type);
