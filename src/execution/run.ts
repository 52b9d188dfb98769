import {
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import type { Fragments } from '../schema/fragments.ts';
import { isPromise } from './promises.ts';
import type { FieldPlan, Values } from './selection-plan.ts';

/** Where in an answer something stands. */
export type Path = GraphQLResolveInfo['path'];

/** An operation, with the fields of its root. */
export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly fields: readonly FieldPlan[];
}

/** One execution of an operation. */
export interface Run {
  readonly plan: OperationPlan;
  readonly variables: Values;
  readonly context: unknown;
  readonly errors: FieldErrors;
}

/** Executes an operation whose variables are coerced. Never throws or rejects: what fails stands in the result. */
export function executePlan(
  plan: OperationPlan,
  variables: Values,
  context: unknown,
): ExecutionResult | Promise<ExecutionResult> {
  const run: Run = { plan, variables, context, errors: new FieldErrors() };
  const { all } = run.errors;
  const resultOf = (data: Data | null): ExecutionResult => (all.length === 0 ? { data } : { errors: all, data });
  const failed = (error: unknown): ExecutionResult => {
    // What reaches the root has its place already.
    run.errors.add(locatedError(error, undefined), undefined);
    return resultOf(null);
  };
  try {
    const data = plan.operation.operation === 'mutation' ? runSerially(run) : runFields(run, plan.fields, ROOT);
    return isPromise(data) ? data.then(resultOf, failed) : resultOf(data);
  } catch (error) {
    return failed(error);
  }
}

/** The object whose fields are run. */
export interface Parent {
  readonly source: unknown;
  readonly path: Path | undefined;
}

const ROOT: Parent = { source: undefined, path: undefined };

/**
 * The fields of an object, of any names: nothing is inherited that one of them could hit. V8 keeps what `Object.create(null)`
 * gives as a dictionary, which takes longer to make and to write.
 */
class Data {
  [key: string]: unknown;
}
Object.setPrototypeOf(Data.prototype, null);

/** The fields of a mutation, one after another. */
function runSerially(run: Run): Data | Promise<Data> {
  const next = (data: Data, field: FieldPlan): Data | Promise<Data> => {
    const filled = (value: unknown): Data => {
      data[field.key] = value;
      return data;
    };
    const value = runField(run, field, ROOT);
    return isPromise(value) ? value.then(filled) : filled(value);
  };
  return run.plan.fields.reduce<Data | Promise<Data>>(
    (before, field) => (isPromise(before) ? before.then((data) => next(data, field)) : next(before, field)),
    new Data(),
  );
}

/** The fields of one object, side by side. A promise where one of them is. */
export function runFields(run: Run, fields: readonly FieldPlan[], parent: Parent): Data | Promise<Data> {
  const data = new Data();
  let isPending = false;
  try {
    for (const field of fields) {
      const value = runField(run, field, parent);
      isPending ||= isPromise(value);
      data[field.key] = value;
    }
  } catch (error) {
    if (!isPending) throw error;
    // What is pending may fail too, and is waited for so that it does not fail unheard.
    return settled(data).finally(() => {
      throw error;
    });
  }
  return isPending ? settled(data) : data;
}

async function settled(data: Data): Promise<Data> {
  const keys = Object.keys(data);
  const values = await Promise.all(Object.values(data));
  for (const [index, key] of keys.entries()) data[key] = values[index];
  return data;
}

function runField(run: Run, field: FieldPlan, { source, path }: Parent): unknown {
  if (field.constant !== undefined) return field.constant;
  const place = { prev: path, key: field.key, typename: field.parentType.name };
  const call = new FieldCall(run, field, place);
  let value: unknown;
  try {
    value = field.resolve(source, field.argumentsOf(run.variables), run.context, call);
  } catch (error) {
    return field.fail(call, place, error);
  }
  return field.complete(call, place, value);
}

/** What resolvers may ask of the field that they are called for. */
export class FieldCall implements GraphQLResolveInfo {
  readonly run: Run;
  readonly field: FieldPlan;
  readonly path: Path;

  constructor(run: Run, field: FieldPlan, path: Path) {
    this.run = run;
    this.field = field;
    this.path = path;
  }

  get fieldName(): string {
    return this.field.definition.name;
  }

  get fieldNodes(): FieldPlan['nodes'] {
    return this.field.nodes;
  }

  get returnType(): GraphQLOutputType {
    return this.field.definition.type;
  }

  get parentType(): GraphQLObjectType {
    return this.field.parentType;
  }

  get schema(): GraphQLSchema {
    return this.run.plan.schema;
  }

  get fragments(): { [name: string]: FragmentDefinitionNode } {
    return Object.fromEntries(this.run.plan.fragments);
  }

  get rootValue(): undefined {
    return undefined;
  }

  get operation(): OperationDefinitionNode {
    return this.run.plan.operation;
  }

  get variableValues(): { [name: string]: unknown } {
    return this.run.variables;
  }
}

/** The errors of a run, mostly none. What happens below a place that is null already is nobody's to read. */
export class FieldErrors {
  readonly all: GraphQLError[] = [];
  #places: Set<Path | undefined> | null = null;

  add(error: GraphQLError, path: Path | undefined): void {
    this.#places ??= new Set();
    if (isBelow(this.#places, path)) return;
    this.#places.add(path);
    this.all.push(error);
  }
}

function isBelow(places: ReadonlySet<Path | undefined>, path: Path | undefined): boolean {
  for (let place = path; place !== undefined; place = place.prev) if (places.has(place)) return true;
  return places.has(undefined);
}
