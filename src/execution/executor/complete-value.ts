import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import { completeLeaf } from './complete-leaf.ts';
import { completeListValue } from './complete-list-value.ts';
import { executeFields } from './execute-fields.ts';
import type { CompleteValue, HandleFieldError, ResolveInfo } from './execution-context.ts';
import { memoize } from './memoize.ts';
import { isPromise } from './promises.ts';

/** An error takes about as long as so many fields. */
const UNITS_PER_ERROR = 10;

export type CompleteValueOf = (type: GraphQLOutputType) => CompleteValue;

/** CompleteValue of the specification, created once for each type of a schema. */
export function createCompleteValueOf(): CompleteValueOf {
  const completeValueOf: CompleteValueOf = memoize((type) => {
    const complete = isNonNullType(type)
      ? completeNonNullValue(completeUnlessNull(type.ofType, completeValueOf))
      : completeNullableValue(type, completeValueOf);
    return handlingFieldErrors(complete, handleFieldErrorOf(type));
  });
  return completeValueOf;
}

const handlingFieldErrors =
  (complete: CompleteValue, handleFieldError: HandleFieldError): CompleteValue =>
  (info, path, value) => {
    try {
      const completed = isPromise(value)
        ? value.then((settled) => complete(info, path, settled))
        : complete(info, path, value);
      return isPromise(completed)
        ? completed.then(undefined, (error) => handleFieldError(info, path, error))
        : completed;
    } catch (error) {
      return handleFieldError(info, path, error);
    }
  };

export const handleFieldErrorOf = (type: GraphQLOutputType): HandleFieldError =>
  isNonNullType(type) ? propagateFieldError : reportFieldError;

const propagateFieldError: HandleFieldError = ({ field, exeContext }, path, error) => {
  throw error === exeContext.budget.exceededError ? error : locatedError(error, field.nodes, responsePathAsArray(path));
};

/** An exceeded budget ends the whole operation, so its error is thrown up to the root. */
const reportFieldError: HandleFieldError = ({ field, exeContext }, path, error) => {
  if (exeContext.budget.exceededError) throw exeContext.budget.exceededError;
  exeContext.task.charge(UNITS_PER_ERROR);
  exeContext.errors.add(locatedError(error, field.nodes, responsePathAsArray(path)), path);
  return null;
};

/** Nullable objects of a mutation are what it reads back; its outcomes are never null. */
function completeNullableValue(type: GraphQLOutputType, completeValueOf: CompleteValueOf): CompleteValue {
  const complete = completeUnlessNull(type, completeValueOf);
  if (!isObjectType(type)) return complete;
  return (info, path, value) => {
    const { readBack } = info.exeContext;
    return complete(readBack ? info.withContext(readBack) : info, path, value);
  };
}

const completeNonNullValue =
  (complete: CompleteValue): CompleteValue =>
  (info, path, value) => {
    const completed = complete(info, path, value);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${info.qualifiedName}.`);
  };

/** Completes non-null values; null and undefined give null. */
function completeUnlessNull(type: GraphQLOutputType, completeValueOf: CompleteValueOf): CompleteValue {
  const complete = completeByKind(type, completeValueOf);
  return (info, path, value) => {
    if (value instanceof Error) throw value;
    return value == null ? null : complete(info, path, value);
  };
}

function completeByKind(type: GraphQLOutputType, completeValueOf: CompleteValueOf): CompleteValue {
  if (isListType(type)) return completeListValue(completeValueOf(type.ofType));
  if (isLeafType(type)) return completeLeafValue(type);
  if (isAbstractType(type)) return completeAbstractValue(type);
  if (isObjectType(type)) return completeObjectValue(type);
  throw new TypeError(`${type} is not an output type.`);
}

const completeLeafValue =
  (type: GraphQLLeafType): CompleteValue =>
  ({ exeContext }, _path, value) =>
    completeLeaf(exeContext, type, value);

function completeObjectValue(type: GraphQLObjectType): CompleteValue {
  const complete: CompleteValue = ({ exeContext, field }, path, source) =>
    executeFields(exeContext, field.selection.fieldPlansFor(type), { source, path });
  const { isTypeOf } = type;
  if (!isTypeOf) return complete;
  const completeIfOfType = (isOfType: boolean): CompleteValue => {
    if (isOfType) return complete;
    throw new TypeError(`Expected value of type "${type}", but it is of another.`);
  };
  return (info, path, value) => {
    // As in graphql-js, an error of a directive comes before one of `isTypeOf`.
    info.field.selection.fieldPlansFor(type);
    const isOfType = isTypeOf(value, info.exeContext.contextValue, info);
    return isPromise(isOfType)
      ? isOfType.then((settled) => completeIfOfType(settled)(info, path, value))
      : completeIfOfType(isOfType)(info, path, value);
  };
}

function completeAbstractValue(type: GraphQLAbstractType): CompleteValue {
  const completeByTypeName = new Map<unknown, CompleteValue>();
  const completeObjectNamed = (name: string | undefined, { schema }: ResolveInfo): CompleteValue => {
    const known = completeByTypeName.get(name);
    if (known) return known;
    const named = name === undefined ? undefined : schema.getType(name);
    if (!isObjectType(named) || !schema.isSubType(type, named)) {
      throw new TypeError(`"${type}" was resolved to "${name}", which is none of its types.`);
    }
    const completeObject = completeObjectValue(named);
    completeByTypeName.set(name, completeObject);
    return completeObject;
  };
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (info, path, value) => {
    const typeName = resolveType(value, info.exeContext.contextValue, info, type);
    return isPromise(typeName)
      ? typeName.then((settled) => completeObjectNamed(settled, info)(info, path, value))
      : completeObjectNamed(typeName, info)(info, path, value);
  };
}
