import type { GraphQLError } from 'graphql';

export type VariableValues = Readonly<Record<string, unknown>>;

/** Counts what an operation reads and produces. Once it is used up, each charge throws `exceededError`. */
export interface OperationBudget {
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
