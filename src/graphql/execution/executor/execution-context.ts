import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { MAX_PENDING_FIELDS } from '../../../core/base/limits.ts';

export type VariableValues = Readonly<Record<string, unknown>>;

/** The fragments of a document by name, without inherited members. */
export type Fragments = { [name: string]: FragmentDefinitionNode };

export type ArgumentValues = { [name: string]: unknown };

/** CoerceArgumentValues of the specification. Throws a GraphQLError when an argument is invalid. */
export type CoerceArgumentValues = (variables: VariableValues) => ArgumentValues;

/** Counts what an operation reads and produces. Once it is used up, each charge throws `exceededError`. */
interface OperationBudget {
  readonly exceededError: GraphQLError | null;
  /** Charges fields of objects and items of lists, before they are completed. */
  chargeFields(count: number): void;
  chargeInput(args: VariableValues): void;
  chargeLeaf(value: unknown): void;
  chargeError(error: GraphQLError): void;
  /** Creates an unused budget for another part of the same response. */
  createSibling(): OperationBudget;
}

/** One operation's use of the event loop, from its first field until its response is written. */
export interface OperationTask {
  /** Charges work. A field or a list item is one unit. */
  charge(units: number): void;
  /** True when the operation should let other requests run. */
  shouldYield(): boolean;
  /** Resolves in a later tick of the event loop. */
  yieldToOthers(): Promise<void>;
}

/** The environment of an execution: all that it needs besides the operation and its variables. */
export interface ExecutionEnvironment {
  readonly contextValue: unknown;
  readonly budget: OperationBudget;
  readonly task: OperationTask;
  /** Returns the error of an operation that must not be executed, before its first field is; else null. Null without a check. */
  readonly checkOperation: ((plan: OperationPlan, variables: VariableValues) => GraphQLError | null) | null;
  /** Called before a root field of a mutation is resolved. Throws the error of the budget where its outcome would exceed it. */
  readonly beginMutationField: (field: FieldPlan, args: ArgumentValues) => void;
}

/** The path of a field in the response. */
export type Path = GraphQLResolveInfo['path'];

/** The errors of an execution. An error below a path that is already null is dropped. */
class FieldErrors {
  readonly all: GraphQLError[] = [];
  readonly #budget: OperationBudget;
  #nulledPaths: Set<Path | undefined> | null = null;

  constructor(budget: OperationBudget) {
    this.#budget = budget;
  }

  add(error: GraphQLError, path: Path): void {
    this.#nulledPaths ??= new Set();
    if (isInNulledPath(this.#nulledPaths, path)) return;
    this.#budget.chargeError(error);
    this.#nulledPaths.add(path);
    this.all.push(error);
  }

  /** Adds the error that makes the whole `data` null. */
  addAtRoot(error: GraphQLError): void {
    this.#nulledPaths ??= new Set();
    this.#nulledPaths.add(undefined);
    this.all.push(error);
  }

  replaceFieldErrors({ responseKey, nodes }: FieldPlan, { message, extensions }: GraphQLError): void {
    const others = this.all.filter(({ path }) => path?.[0] !== responseKey);
    const error = new GraphQLError(message, { nodes, path: [responseKey], extensions });
    this.all.splice(0, this.all.length, ...others, error);
  }
}

function isInNulledPath(nulledPaths: ReadonlySet<Path | undefined>, path: Path): boolean {
  for (let ancestor: Path | undefined = path; ancestor !== undefined; ancestor = ancestor.prev)
    if (nulledPaths.has(ancestor)) return true;
  return nulledPaths.has(undefined);
}

/** Completes a value that a resolver returned. Throws when that fails and the type does not allow null. */
export type CompleteValue = (info: ResolveInfo, path: Path, value: unknown) => unknown;

/** Reports an error and returns null in its place. Throws when the type does not allow null. */
export type HandleFieldError = (info: ResolveInfo, path: Path, error: unknown) => null;

export interface FieldPlan {
  readonly responseKey: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** All nodes with this response key. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly selection: Selection;
  /** The value of `__typename`; undefined for all other fields. */
  readonly constant: string | undefined;
  /** The property that the field shows; null for a field that has a resolver, arguments, or fields of its own. */
  readonly property: PropertyPlan | null;
  readonly coerceArgumentValues: CoerceArgumentValues;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly completeValue: CompleteValue;
  readonly handleFieldError: HandleFieldError;
}

/** A field of a leaf type without a resolver, which is a property of its object. Most fields of lists are. */
export interface PropertyPlan {
  readonly name: string;
  readonly type: GraphQLLeafType;
  readonly isNullable: boolean;
}

/**
 * The fields of an object type in the merged selection sets of a field. Throws a GraphQLError when the condition of a
 * directive is invalid.
 */
export type Selection = (type: GraphQLObjectType) => readonly FieldPlan[];

export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
  readonly rootSelection: Selection;
}

interface ContextOptions {
  readonly plan: OperationPlan;
  readonly variableValues: VariableValues;
  readonly environment: ExecutionEnvironment;
}

export class ExecutionContext implements ContextOptions {
  readonly plan: OperationPlan;
  readonly variableValues: VariableValues;
  readonly environment: ExecutionEnvironment;
  readonly contextValue: unknown;
  readonly task: OperationTask;
  readonly budget: OperationBudget;
  readonly errors: FieldErrors;
  /** Fields that wait for their values. */
  pendingFields = 0;
  /** False for the context of what a mutation reads back. */
  readonly isMutation: boolean;
  #readBack: ExecutionContext | null = null;

  constructor({ plan, variableValues, environment }: ContextOptions, mainContext?: ExecutionContext) {
    this.plan = plan;
    this.variableValues = variableValues;
    this.environment = environment;
    this.contextValue = environment.contextValue;
    this.task = environment.task;
    this.budget = mainContext ? mainContext.budget.createSibling() : environment.budget;
    this.errors = mainContext ? mainContext.errors : new FieldErrors(this.budget);
    this.isMutation = mainContext === undefined && plan.operation.operation === 'mutation';
  }

  /** True when lists should wait for the items that they have begun. */
  get hasManyPending(): boolean {
    return this.pendingFields >= MAX_PENDING_FIELDS;
  }

  /**
   * The context of objects that a mutation reads back; null outside a mutation. It has a budget of its own: when that
   * is exceeded, only the object is null, with an error, and the outcomes of the writes are kept.
   */
  get readBack(): ExecutionContext | null {
    if (this.isMutation) this.#readBack ??= new ExecutionContext(this, this);
    return this.#readBack;
  }
}

export interface ResolveInfo extends GraphQLResolveInfo {
  readonly exeContext: ExecutionContext;
  readonly field: FieldPlan;
}

export function createResolveInfo(exeContext: ExecutionContext, field: FieldPlan, path: Path): ResolveInfo {
  const { schema, fragments, operation } = exeContext.plan;
  const { nodes, parentType, definition } = field;
  return {
    exeContext,
    field,
    path,
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType,
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues: exeContext.variableValues,
  };
}
