import { type GraphQLField, isLeafType, isNonNullType } from 'graphql';
import { isObjectValue } from './coercion/coerce-input.ts';
import { completeLeaf } from './complete-leaf.ts';
import type { ExecutionContext, PropertyPlan } from './execution-context.ts';

export const NOT_COMPLETED = Symbol('not completed');

/** Null for every other field. */
export function planProperty({ name, type, args, resolve }: GraphQLField<unknown, unknown>): PropertyPlan | null {
  const nullableType = isNonNullType(type) ? type.ofType : type;
  if (resolve !== undefined || args.length > 0 || !isLeafType(nullableType)) return null;
  return { name, type: nullableType, isNullable: nullableType === type };
}

/**
 * Completes a text, a number, a boolean or null without a path and an `info`. Returns NOT_COMPLETED for every other value
 * and for every error: the field is then executed as any other.
 */
export function completeProperty(
  exeContext: ExecutionContext,
  { name, type, isNullable }: PropertyPlan,
  source: unknown,
): unknown {
  const value = isObjectValue(source) ? source[name] : undefined;
  if (value === null && isNullable) return null;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return NOT_COMPLETED;
  try {
    return completeLeaf(exeContext, type, value);
  } catch {
    return NOT_COMPLETED;
  }
}
