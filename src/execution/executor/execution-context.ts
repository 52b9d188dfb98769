import type {
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { ResponseBudget } from '../../schema/response-budget.ts';
import type { OperationTurns } from '../cooperative-scheduler.ts';
import type { Fragments } from '../documents/fragments.ts';
import type { FieldPlan, Selection, Values } from './collect-fields.ts';
import { FieldErrors, type Path } from './field-errors.ts';

/** An operation, with what it asks for at its root. */
export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
  readonly root: Selection;
}

/** The part of the context value that an execution needs; resolvers share it. */
export interface RunContext {
  readonly budget: ResponseBudget;
  /** How many writes have begun. */
  readonly writes: number;
}

export interface RunOptions {
  readonly variables: Values;
  readonly context: RunContext;
  readonly turns: OperationTurns;
}

/** One execution of an operation. */
export class Run {
  readonly plan: OperationPlan;
  readonly variables: Values;
  readonly context: RunContext;
  readonly turns: OperationTurns;
  readonly budget: ResponseBudget;
  readonly errors: FieldErrors;
  readonly #isMutation: boolean;
  #readBack: Run | null = null;
  #expected: WeakSet<object> | null = null;

  constructor(plan: OperationPlan, { variables, context, turns }: RunOptions, main?: Run) {
    this.plan = plan;
    this.variables = variables;
    this.context = context;
    this.turns = turns;
    this.budget = main ? main.budget.another() : context.budget;
    this.errors = main ? main.errors : new FieldErrors(context.budget);
    this.#isMutation = main === undefined && plan.operation.operation === 'mutation';
  }

  /** Lists whose items are known to be heard where they fail: see `completeList`. */
  get expected(): WeakSet<object> {
    this.#expected ??= new WeakSet();
    return this.#expected;
  }

  /**
   * The run for what a mutation reads back. It has a budget of its own: where that is used up, what was to be read is null
   * with an error at its place, and the outcomes of the writes stand.
   */
  get readBack(): Run | null {
    if (this.#isMutation) this.#readBack ??= new Run(this.plan, this, this);
    return this.#readBack;
  }
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

  /** The same field, with what is below it in another run. */
  within(run: Run): FieldCall {
    return new FieldCall(run, this.field, this.path);
  }

  /** `Type.field` */
  get name(): string {
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
