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
import { memoize } from '../../../core/base/lazily.ts';
import { completeLeaf, executeFields, ignoreRejection, isPromise } from './execute-fields.ts';
import type { CompleteValue, ExecutionContext, HandleFieldError, ResolveInfo } from './execution-context.ts';

/**
 * CompleteValue of the specification for lists; `complete` completes an item. A generator is advanced only as far as the
 * budget goes. Resolvers give no lists of promises: those that nobody awaits yet would have no handlers when they reject.
 */
const completeListValue =
  (complete: CompleteValue): CompleteValue =>
  (info, path, values) => {
    if (!isIterableObject(values)) {
      throw new TypeError(`Expected Iterable, but did not find one for field "${nameOf(info)}".`);
    }
    const { budget, task } = info.exeContext;
    const iterator = values[Symbol.iterator]();
    const list: ListCompletion = {
      items: [],
      isPending: false,
      completeItems: () => {
        for (let next = iterator.next(); !next.done; next = iterator.next()) {
          budget.chargeFields(1);
          task.charge(1);
          const completed = complete(info, { prev: path, key: list.items.length, typename: undefined }, next.value);
          list.items.push(completed);
          if (isPromise(completed)) {
            list.isPending = true;
            // It may reject before the list waits for it, and once another item has failed its error no longer matters.
            completed.catch(ignoreRejection);
          }
          if (task.shouldYield() || (list.isPending && info.exeContext.hasManyPending)) return false;
        }
        return true;
      },
    };
    if (!list.completeItems()) return completeRest(list, info.exeContext);
    return list.isPending ? Promise.all(list.items) : list.items;
  };

interface ListCompletion {
  readonly items: unknown[];
  /** True when an item that was begun may not be complete. */
  isPending: boolean;
  /** Completes items until the task should yield or too many fields wait. True when none is left. */
  readonly completeItems: () => boolean;
}

async function completeRest(list: ListCompletion, exeContext: ExecutionContext): Promise<unknown[]> {
  const { items } = list;
  let completeCount = 0;
  do {
    if (list.isPending && exeContext.hasManyPending) {
      const completed = await Promise.all(items.slice(completeCount));
      for (const item of completed) items[completeCount++] = item;
      list.isPending = false;
    }
    if (exeContext.task.shouldYield()) await exeContext.task.yieldToOthers();
  } while (!list.completeItems());
  return Promise.all(items);
}

/** `Type.field` */
const nameOf = ({ parentType, fieldName }: ResolveInfo): string => `${parentType.name}.${fieldName}`;

/** False for strings, which are iterable too. */
const isIterableObject = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

type CompleteValueOf = (type: GraphQLOutputType) => CompleteValue;

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

/** An error takes about as long as this many fields. */
const UNITS_PER_ERROR = 10;

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
    return complete(readBack ? { ...info, exeContext: readBack } : info, path, value);
  };
}

const completeNonNullValue =
  (complete: CompleteValue): CompleteValue =>
  (info, path, value) => {
    const completed = complete(info, path, value);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${nameOf(info)}.`);
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

const completeObjectValue =
  (type: GraphQLObjectType): CompleteValue =>
  ({ exeContext, field }, path, source) =>
    executeFields(exeContext, field.selection(type), { source, path });

/** No type of the schema resolves the type of an object by a promise or by `isTypeOf`, so it is known without waiting. */
function completeAbstractValue(type: GraphQLAbstractType): CompleteValue {
  const completeByTypeName = new Map<unknown, CompleteValue>();
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (info, path, value) => {
    const name = resolveType(value, info.exeContext.contextValue, info, type);
    let completeObject = completeByTypeName.get(name);
    if (completeObject === undefined) {
      const named = typeof name === 'string' ? info.schema.getType(name) : undefined;
      if (!isObjectType(named) || !info.schema.isSubType(type, named)) {
        throw new TypeError(`"${type}" was resolved to "${name}", which is none of its types.`);
      }
      completeObject = completeObjectValue(named);
      completeByTypeName.set(name, completeObject);
    }
    return completeObject(info, path, value);
  };
}
