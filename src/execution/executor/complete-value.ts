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
import { FIELDS_PER_ERROR } from '../../schema/response-budget.ts';
import { completeList } from './complete-list-value.ts';
import { runFields } from './execute-fields.ts';
import type { FieldCall } from './execution-context.ts';
import type { Path } from './field-errors.ts';
import { isPromise } from './promises.ts';

/** Makes of what a resolver gave what the answer holds; of a promise a promise. Throws where that fails and null may not be. */
export type Completion = (call: FieldCall, path: Path, value: unknown) => unknown;

/** Null in place of what failed, and an error beside it. Throws that error where null may not be. */
export type Failure = (call: FieldCall, path: Path, error: unknown) => null;

const completions = new WeakMap<GraphQLOutputType, Completion>();

/** CompleteValue of the specification for values of a type, whichever field they are of. */
export function completionOf(type: GraphQLOutputType): Completion {
  const known = completions.get(type);
  if (known) return known;
  const complete = isNonNullType(type) ? required(present(type.ofType)) : optional(type);
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

const throwError: Failure = ({ field, run }, path, error) => {
  throw error === run.budget.exceeded ? error : locatedError(error, field.nodes, responsePathAsArray(path));
};

/** The error that ends the operation is no error of one field: it goes up to the root. */
const noteError: Failure = ({ field, run }, path, error) => {
  if (run.budget.exceeded) throw run.budget.exceeded;
  run.turns.charge(FIELDS_PER_ERROR);
  run.errors.add(locatedError(error, field.nodes, responsePathAsArray(path)), path);
  return null;
};

/** What a mutation answers beside its outcomes are nullable objects: what it reads back. */
function optional(type: GraphQLOutputType): Completion {
  const complete = present(type);
  if (!isObjectType(type)) return complete;
  return (call, path, value) => {
    const { readBack } = call.run;
    return complete(readBack ? call.within(readBack) : call, path, value);
  };
}

const required =
  (complete: Completion): Completion =>
  (call, path, value) => {
    const completed = complete(call, path, value);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${call.name}.`);
  };

/** Of a value that is there; where there is none, null. */
function present(type: GraphQLOutputType): Completion {
  const complete = byKind(type);
  return (call, path, value) => {
    if (value instanceof Error) throw value;
    return value == null ? null : complete(call, path, value);
  };
}

function byKind(type: GraphQLOutputType): Completion {
  if (isListType(type)) return completeList(completionOf(type.ofType));
  if (isLeafType(type)) return leaf(type);
  if (isAbstractType(type)) return abstract(type);
  if (isObjectType(type)) return object(type);
  throw new TypeError(`${type} is no type of values.`);
}

/** Characters that take about as long to look through as a field takes to execute. */
const LONG = 1_000;

const leaf =
  (type: GraphQLLeafType): Completion =>
  ({ run }, _path, value) => {
    const serialized: unknown = type.serialize(value);
    if (typeof serialized === 'string' || typeof serialized === 'object') run.budget.chargeLeaf(serialized);
    if (typeof serialized === 'string' && serialized.length > LONG) run.turns.charge(serialized.length / LONG);
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
    // As graphql-js does: directives that do not fit are found before the value is looked at.
    call.field.below.fieldsOf(type);
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
