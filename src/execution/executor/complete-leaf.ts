import type { GraphQLLeafType } from 'graphql';
import type { ExecutionContext } from './execution-context.ts';

/** The characters of a text that take about as long as a field. */
const CHARACTERS_PER_UNIT = 1_000;

/** Serializes a value of a leaf type that is not null. */
export function completeLeaf({ budget, task }: ExecutionContext, type: GraphQLLeafType, value: unknown): unknown {
  const serialized: unknown = type.serialize(value);
  if (typeof serialized === 'string' || typeof serialized === 'object') budget.chargeLeaf(serialized);
  if (typeof serialized === 'string' && serialized.length > CHARACTERS_PER_UNIT)
    task.charge(serialized.length / CHARACTERS_PER_UNIT);
  if (serialized != null) return serialized;
  throw new Error(`${type} must be serialized as a value, not as ${serialized}.`);
}
