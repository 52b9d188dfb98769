import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { MAX_PENDING_FIELDS } from '../../base/limits.ts';

export type VariableValues = Readonly<Record<string, unknown>>;

export type ArgumentValues = { [name: string]: unknown };

/** CoerceArgumentValues of the specification. Throws a GraphQLError when an argument is invalid. */
export type CoerceArgumentValues = (variables: VariableValues) => ArgumentValues;

/** Counts what an operation reads and produces. Once it is used up, each charge throws `exceededError`. */
interface OperationBudget {
  readonly exceededError: GraphQLError | null;
  /** Charges fields of objects and items of lists, before they are completed. */
  chargeFields(count: number): void;
  chargeInput(args: VariableValues): void;
  /** Charges a serialized value. */
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
  readonly shouldYield: boolean;
  /** Resolves in a later tick of the event loop. */
  yieldToOthers(): Promise<void>;
}

/** The environment of an execution: all that it needs besides the operation and its variables. */
export interface ExecutionEnvironment {
  readonly contextValue: unknown;
  readonly budget: OperationBudget;
  readonly task: OperationTask;
  /**
   * Called before each root field of a mutation. The function that it returns creates the error of the field when the
   * budget is exceeded there.
   */
  readonly beginMutationField: (responseKey: string) => (exceededError: GraphQLError) => GraphQLError;
}

/** The path of a field in the response. */
export type Path = GraphQLResolveInfo['path'];

interface RootField {
  readonly responseKey: string;
  readonly nodes: readonly FieldNode[];
}

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

  /** Replaces all errors of a root field by one. */
  replaceFieldErrors({ responseKey, nodes }: RootField, { message, extensions }: GraphQLError): void {
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

/** A field of an object type as an operation selects it. */
export interface FieldPlan {
  readonly responseKey: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** All nodes with this response key. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly selection: Selection;
  /** The value of `__typename`; undefined for all other fields. */
  readonly constant: string | undefined;
  /** Null for a field that has a resolver, arguments, or fields of its own. */
  readonly property: PropertyPlan | null;
  readonly coerceArgumentValues: CoerceArgumentValues;
  readonly hasArguments: boolean;
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

/** The merged selection sets of a field. */
export interface Selection {
  /** Throws a GraphQLError when the condition of a directive is invalid. */
  fieldPlansFor(type: GraphQLObjectType): readonly FieldPlan[];
}

export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly operation: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
  readonly rootSelection: Selection;
}

interface ContextOptions extends ExecutionEnvironment {
  readonly variableValues: VariableValues;
}

/** One execution of an operation. */
export class ExecutionContext implements ExecutionEnvironment {
  readonly plan: OperationPlan;
  readonly variableValues: VariableValues;
  readonly contextValue: unknown;
  readonly task: OperationTask;
  readonly budget: OperationBudget;
  readonly beginMutationField: ExecutionEnvironment['beginMutationField'];
  readonly errors: FieldErrors;
  /** Fields that wait for their values. */
  pendingFields = 0;
  readonly #isMutation: boolean;
  #readBack: ExecutionContext | null = null;
  #silencedLists: WeakSet<object> | null = null;

  constructor(
    plan: OperationPlan,
    { variableValues, contextValue, budget, task, beginMutationField }: ContextOptions,
    mainContext?: ExecutionContext,
  ) {
    this.plan = plan;
    this.variableValues = variableValues;
    this.contextValue = contextValue;
    this.task = task;
    this.budget = mainContext ? mainContext.budget.createSibling() : budget;
    this.beginMutationField = beginMutationField;
    this.errors = mainContext ? mainContext.errors : new FieldErrors(budget);
    this.#isMutation = mainContext === undefined && plan.operation.operation === 'mutation';
  }

  /** True when lists should wait for the items that they have begun. */
  get hasManyPending(): boolean {
    return this.pendingFields >= MAX_PENDING_FIELDS;
  }

  /** Lists whose pending items have handlers for their rejections: see `completeListValue`. */
  get silencedLists(): WeakSet<object> {
    this.#silencedLists ??= new WeakSet();
    return this.#silencedLists;
  }

  /**
   * The context of objects that a mutation reads back; null outside a mutation. It has a budget of its own: when that
   * is exceeded, only the object is null, with an error, and the outcomes of the writes are kept.
   */
  get readBack(): ExecutionContext | null {
    if (this.#isMutation) this.#readBack ??= new ExecutionContext(this.plan, this, this);
    return this.#readBack;
  }
}

/** The `info` argument of resolvers. */
export class ResolveInfo implements GraphQLResolveInfo {
  readonly exeContext: ExecutionContext;
  readonly field: FieldPlan;
  readonly path: Path;

  constructor(exeContext: ExecutionContext, field: FieldPlan, path: Path) {
    this.exeContext = exeContext;
    this.field = field;
    this.path = path;
  }

  withContext(exeContext: ExecutionContext): ResolveInfo {
    return new ResolveInfo(exeContext, this.field, this.path);
  }

  /** `Type.field` */
  get qualifiedName(): string {
    return `${this.parentType.name}.${this.fieldName}`;
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
    return this.exeContext.plan.schema;
  }

  get fragments(): { [name: string]: FragmentDefinitionNode } {
    return Object.fromEntries(this.exeContext.plan.fragments);
  }

  get rootValue(): undefined {
    return undefined;
  }

  get operation(): OperationDefinitionNode {
    return this.exeContext.plan.operation;
  }

  get variableValues(): { [name: string]: unknown } {
    return this.exeContext.variableValues;
  }
}
