import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
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
import { isPromise } from './promises.ts';
import { type FieldCall, type Path, runFields } from './run.ts';

/** Makes of what a resolver gave what the answer holds; of a promise a promise. Throws where that fails and null may not be. */
export type Completion = (call: FieldCall, path: Path, value: unknown) => unknown;

/** Null in place of what failed, and an error beside it. Throws that error where null may not be. */
export type Failure = (call: FieldCall, path: Path, error: unknown) => null;

const completions = new WeakMap<GraphQLOutputType, Completion>();

/** CompleteValue of the specification for values of a type, whichever field they are of. */
export function completionOf(type: GraphQLOutputType): Completion {
  const known = completions.get(type);
  if (known) return known;
  const complete = isNonNullType(type) ? required(present(type.ofType)) : present(type);
  const made = guarded(complete, failureOf(type));
  completions.set(type, made);
  return made;
}

const guarded =
  (complete: Completion, fail: Failure): Completion =>
  (call, path, value) => {
    try {
      const completed = isPromise(value)
        ? value.then((settled) => complete(call, path, settled))
        : complete(call, path, value);
      return isPromise(completed) ? completed.then(undefined, (error) => fail(call, path, error)) : completed;
    } catch (error) {
      return fail(call, path, error);
    }
  };

export const failureOf = (type: GraphQLOutputType): Failure => (isNonNullType(type) ? throwError : noteError);

const throwError: Failure = ({ field }, path, error) => {
  throw locatedError(error, field.nodes, responsePathAsArray(path));
};

const noteError: Failure = ({ field, run }, path, error) => {
  run.errors.add(locatedError(error, field.nodes, responsePathAsArray(path)), path);
  return null;
};

const required =
  (complete: Completion): Completion =>
  (call, path, value) => {
    const completed = complete(call, path, value);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${nameOf(call)}.`);
  };

const nameOf = ({ parentType, fieldName }: FieldCall): string => `${parentType.name}.${fieldName}`;

/** Of a value that is there; where there is none, null. */
function present(type: GraphQLOutputType): Completion {
  const complete = byKind(type);
  return (call, path, value) => {
    if (value instanceof Error) throw value;
    return value == null ? null : complete(call, path, value);
  };
}

function byKind(type: GraphQLOutputType): Completion {
  if (isListType(type)) return list(completionOf(type.ofType));
  if (isLeafType(type)) return leaf(type);
  if (isAbstractType(type)) return abstract(type);
  if (isObjectType(type)) return object(type);
  throw new TypeError(`${type} is no type of values.`);
}

const list =
  (complete: Completion): Completion =>
  (call, path, value) => {
    if (!isIterable(value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${nameOf(call)}".`);
    }
    const items: unknown[] = [];
    let isPending = false;
    try {
      for (const item of value) {
        const completed = complete(call, { prev: path, key: items.length, typename: undefined }, item);
        isPending ||= isPromise(completed);
        items.push(completed);
      }
    } catch (error) {
      // What is pending may fail too: that is nobody's to hear any more.
      void Promise.allSettled(items);
      throw error;
    }
    return isPending ? Promise.all(items) : items;
  };

/** A string is a value, not a list of characters. */
const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

const leaf =
  (type: GraphQLLeafType): Completion =>
  (_call, _path, value) => {
    const serialized = type.serialize(value);
    if (serialized != null) return serialized;
    throw new Error(`${type} must be serialized as a value, not as ${serialized}.`);
  };

function object(type: GraphQLObjectType): Completion {
  const complete: Completion = ({ run, field }, path, source) =>
    runFields(run, field.below.fieldsOf(type), { source, path });
  const { isTypeOf } = type;
  if (!isTypeOf) return complete;
  const completeOne = (isOne: boolean, { field: { nodes } }: FieldCall): Completion => {
    if (isOne) return complete;
    throw new GraphQLError(`Expected value of type "${type}", but it is of another.`, { nodes });
  };
  return (call, path, value) => {
    const isOne = isTypeOf(value, call.run.context, call);
    return isPromise(isOne)
      ? isOne.then((settled) => completeOne(settled, call)(call, path, value))
      : completeOne(isOne, call)(call, path, value);
  };
}

function abstract(type: GraphQLAbstractType): Completion {
  const objects = new Map<unknown, Completion>();
  const completionNamed = (name: string | undefined, { schema, field: { nodes } }: FieldCall): Completion => {
    const known = objects.get(name);
    if (known) return known;
    const named = name === undefined ? undefined : schema.getType(name);
    if (!isObjectType(named) || !schema.isSubType(type, named)) {
      throw new GraphQLError(`"${type}" was resolved to "${name}", which is none of its types.`, { nodes });
    }
    const made = object(named);
    objects.set(name, made);
    return made;
  };
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (call, path, value) => {
    const name = resolveType(value, call.run.context, call, type);
    return isPromise(name)
      ? name.then((settled) => completionNamed(settled, call)(call, path, value))
      : completionNamed(name, call)(call, path, value);
  };
}
