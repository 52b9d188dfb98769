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
import { completeLeaf, executeFields, ignoreRejection, isPromise } from './execute-fields.ts';
import type { CompleteValue, HandleFieldError, Path, ResolveInfo } from './execution-context.ts';
import { memoize } from './memoize.ts';

/** CompleteValue of the specification for lists; `complete` completes an item. */
const completeListValue =
  (complete: CompleteValue): CompleteValue =>
  (info, path, value) => {
    if (!isIterableObject(value)) {
      throw new TypeError(`Expected Iterable, but did not find one for field "${info.qualifiedName}".`);
    }
    const completion = new ListCompletion({ info, path, complete, values: value });
    return completion.completeItems() ? completion.result() : completion.completeRest();
  };

interface ListOptions {
  readonly info: ResolveInfo;
  readonly path: Path;
  readonly complete: CompleteValue;
  readonly values: Iterable<unknown>;
}

/** Completes the items of one list. A generator is advanced only as far as the budget goes. */
class ListCompletion {
  readonly #options: ListOptions;
  readonly #values: Iterator<unknown>;
  readonly #items: unknown[] = [];
  /** True when an item that was begun may not be complete. */
  #isPending = false;

  constructor(options: ListOptions) {
    this.#options = options;
    this.#values = options.values[Symbol.iterator]();
  }

  /** Completes items until the task should yield or too many fields wait. True when none is left. */
  completeItems(): boolean {
    const { info, path, complete } = this.#options;
    const { exeContext } = info;
    const { budget, task } = exeContext;
    try {
      for (let next = this.#values.next(); !next.done; next = this.#values.next()) {
        budget.chargeFields(1);
        task.charge(1);
        const completed = complete(info, { prev: path, key: this.#items.length, typename: undefined }, next.value);
        this.#isPending ||= isPromise(completed);
        this.#items.push(completed);
        if (task.shouldYield || (this.#isPending && exeContext.hasManyPending)) return false;
      }
      return true;
    } catch (error) {
      // Pending items may reject later, when their errors no longer matter.
      void Promise.allSettled(this.#items);
      throw error;
    }
  }

  async completeRest(): Promise<unknown[]> {
    const { info, values } = this.#options;
    const { exeContext } = info;
    ignoreRejections(values, exeContext.silencedLists);
    let completeCount = 0;
    let silencedCount = 0;
    do {
      ignoreRejections(this.#items.slice(silencedCount), exeContext.silencedLists);
      silencedCount = this.#items.length;
      if (this.#isPending && exeContext.hasManyPending) {
        const completed = await Promise.all(this.#items.slice(completeCount));
        for (const item of completed) this.#items[completeCount++] = item;
        this.#isPending = false;
      }
      if (exeContext.task.shouldYield) await exeContext.task.yieldToOthers();
    } while (!this.completeItems());
    return this.result();
  }

  result(): unknown[] | Promise<unknown[]> {
    return this.#isPending ? Promise.all(this.#items) : this.#items;
  }
}

/**
 * Handles rejections of items that are pending while a list waits. A generator is skipped, since it creates its items
 * on demand. A list that is selected under a hundred aliases is searched once.
 */
function ignoreRejections(value: unknown, silencedLists: WeakSet<object>): void {
  if (isPromise(value)) value.then((settled) => ignoreRejections(settled, silencedLists), ignoreRejection);
  else if (isIterableObject(value) && !('next' in value) && !silencedLists.has(value)) {
    silencedLists.add(value);
    for (const item of value) if (typeof item === 'object') ignoreRejections(item, silencedLists);
  }
}

/** False for strings, which are iterable too. */
const isIterableObject = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** An error takes about as long as so many fields. */
const UNITS_PER_ERROR = 10;

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
