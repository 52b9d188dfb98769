import { type GraphQLField, type GraphQLLeafType, isLeafType, isNonNullType } from 'graphql';
import { isObject } from '../../../core/base/json.ts';
import {
  createResolveInfo,
  type ExecutionContext,
  type FieldPlan,
  type Path,
  type PropertyPlan,
} from './execution-context.ts';

/** The number of characters of a text that take about as long as a field. */
const CHARACTERS_PER_UNIT = 1_000;

export function completeLeaf({ budget, task }: ExecutionContext, type: GraphQLLeafType, value: unknown): unknown {
  const serialized: unknown = type.serialize(value);
  if (typeof serialized === 'string' || typeof serialized === 'object') budget.chargeLeaf(serialized);
  if (typeof serialized === 'string' && serialized.length > CHARACTERS_PER_UNIT)
    task.charge(serialized.length / CHARACTERS_PER_UNIT);
  if (serialized != null) return serialized;
  throw new Error(`${type} must be serialized as a value, not as ${serialized}.`);
}

const NOT_COMPLETED = Symbol('not completed');

/** Plans a field that is a property of its object. Returns null for every other field. */
export function planProperty({ name, type, args, resolve }: GraphQLField<unknown, unknown>): PropertyPlan | null {
  const nullableType = isNonNullType(type) ? type.ofType : type;
  if (resolve !== undefined || args.length > 0 || !isLeafType(nullableType)) return null;
  return { name, type: nullableType, isNullable: nullableType === type };
}

/**
 * Completes a text, a number, a boolean or null without a path and an `info`. Returns NOT_COMPLETED for every other value
 * and for every error: the field is then executed as any other.
 */
function completeProperty(
  exeContext: ExecutionContext,
  { name, type, isNullable }: PropertyPlan,
  source: unknown,
): unknown {
  const value = isObject(source) ? source[name] : undefined;
  if (value === null && isNullable) return null;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return NOT_COMPLETED;
  try {
    return completeLeaf(exeContext, type, value);
  } catch {
    return NOT_COMPLETED;
  }
}

/** The object whose fields are executed. */
interface ParentObject {
  readonly source: unknown;
  readonly path: Path | undefined;
}

const ROOT_PARENT: ParentObject = { source: undefined, path: undefined };

/**
 * The completed fields of an object by response key. It inherits nothing. V8 keeps an `Object.create(null)` as a
 * dictionary, which is slower to create and to write as JSON.
 */
export class ResultMap {
  [key: string]: unknown;
}
Object.setPrototypeOf(ResultMap.prototype, null);

/** Executes the root fields of a query: ExecuteQuery of the specification. */
export const executeQuery = (exeContext: ExecutionContext, fields: readonly FieldPlan[]) =>
  executeFields(exeContext, fields, ROOT_PARENT);

export function executeFields(
  exeContext: ExecutionContext,
  fields: readonly FieldPlan[],
  parent: ParentObject,
): ResultMap | Promise<ResultMap> {
  exeContext.budget.chargeFields(fields.length);
  if (exeContext.task.shouldYield())
    return exeContext.task.yieldToOthers().then(() => executeFieldsNow(exeContext, fields, parent));
  return executeFieldsNow(exeContext, fields, parent);
}

function executeFieldsNow(
  exeContext: ExecutionContext,
  fields: readonly FieldPlan[],
  parent: ParentObject,
): ResultMap | Promise<ResultMap> {
  exeContext.task.charge(fields.length);
  const data = new ResultMap();
  let pendingKeys: string[] | null = null;
  try {
    for (const field of fields) {
      const value = executeField(exeContext, field, parent);
      data[field.responseKey] = value;
      if (!isPromise(value)) continue;
      pendingKeys ??= [];
      pendingKeys.push(field.responseKey);
    }
  } catch (error) {
    if (pendingKeys === null) throw error;
    const pending = awaitFields(exeContext, data, pendingKeys);
    if (exeContext.budget.exceededError) {
      pending.catch(ignoreRejection);
      throw error;
    }
    // Pending fields may reject too; waiting for them handles that.
    return pending.finally(() => {
      throw error;
    });
  }
  return pendingKeys === null ? data : awaitFields(exeContext, data, pendingKeys);
}

async function awaitFields(
  exeContext: ExecutionContext,
  data: ResultMap,
  pendingKeys: readonly string[],
): Promise<ResultMap> {
  exeContext.pendingFields += pendingKeys.length;
  try {
    const values = await Promise.all(pendingKeys.map((key) => data[key]));
    for (const [index, key] of pendingKeys.entries()) data[key] = values[index];
    return data;
  } finally {
    exeContext.pendingFields -= pendingKeys.length;
  }
}

function executeField(exeContext: ExecutionContext, field: FieldPlan, { source, path }: ParentObject): unknown {
  if (field.constant !== undefined) return field.constant;
  const completed = field.property ? completeProperty(exeContext, field.property, source) : NOT_COMPLETED;
  if (completed !== NOT_COMPLETED) return completed;
  const fieldPath = { prev: path, key: field.responseKey, typename: field.parentType.name };
  const info = createResolveInfo(exeContext, field, fieldPath);
  let value: unknown;
  try {
    const args = field.coerceArgumentValues(exeContext.variableValues);
    if (field.definition.args.length > 0) exeContext.budget.chargeInput(args);
    if (path === undefined && exeContext.isMutation) exeContext.environment.beginMutationField(field, args);
    value = field.resolve(source, args, exeContext.contextValue, info);
  } catch (error) {
    return field.handleFieldError(info, fieldPath, error);
  }
  return field.completeValue(info, fieldPath, value);
}

/**
 * Executes the root fields of a mutation one after another: ExecuteMutation of the specification. Other requests run
 * between two of them, since the embedded store does the work of a resolver on the event loop. An exceeded budget makes a
 * root field null. Earlier fields keep their data, and later ones are not resolved.
 */
export async function executeMutation(exeContext: ExecutionContext, fields: readonly FieldPlan[]): Promise<ResultMap> {
  const { budget, errors, task } = exeContext;
  budget.chargeFields(fields.length);
  const data = new ResultMap();
  for (const [index, field] of fields.entries()) {
    if (index > 0 || task.shouldYield()) await task.yieldToOthers();
    try {
      if (budget.exceededError) throw budget.exceededError;
      data[field.responseKey] = await executeField(exeContext, field, ROOT_PARENT);
    } catch (error) {
      if (budget.exceededError === null || error !== budget.exceededError) throw error;
      errors.replaceFieldErrors(field, budget.exceededError);
      data[field.responseKey] = null;
    }
  }
  return data;
}

/** Resolvers return no other thenables. */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;

/** A handler for rejections that no longer matter: an unhandled one ends the process. */
export const ignoreRejection = (): void => {};
