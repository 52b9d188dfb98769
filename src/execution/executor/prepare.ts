import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { createCoerceInputValueOf } from './coercion/coerce-input.ts';
import { type CoerceVariableValues, createCoerceVariableValues } from './coercion/coerce-variables.ts';
import { SelectionPlan } from './collect-fields.ts';
import { createCompleteValueOf } from './complete-value.ts';
import type { VariableValues } from './execution-args.ts';
import type { OperationPlan } from './execution-context.ts';

/** Data that is created once for a schema, and once for each operation. An operation is forgotten with its document. */
export class PreparedSchema {
  readonly schema: GraphQLSchema;
  readonly completeValueOf = createCompleteValueOf();
  readonly coerceInputValueOf = createCoerceInputValueOf();
  readonly #operations = new WeakMap<OperationDefinitionNode, PreparedOperation>();

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  /** Null when the schema has no root type for the operation. */
  prepareOperation(document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation | null {
    const known = this.#operations.get(operation);
    if (known) return known;
    const rootType = this.schema.getRootType(operation.operation);
    if (!rootType) return null;
    const prepared = new PreparedOperation(this, { document, operation, rootType });
    this.#operations.set(operation, prepared);
    return prepared;
  }
}

interface OperationOptions {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
}

class PreparedOperation {
  readonly coerceVariableValues: CoerceVariableValues;
  readonly #createPlan: (conditions: VariableValues) => OperationPlan;
  readonly #conditionNames: ReadonlySet<string>;
  #conditions: VariableValues = {};
  #plan: OperationPlan | null = null;

  constructor({ schema, completeValueOf, coerceInputValueOf }: PreparedSchema, options: OperationOptions) {
    const { document, operation, rootType } = options;
    const fragments = fragmentsOf(document);
    this.coerceVariableValues = createCoerceVariableValues(schema, operation, coerceInputValueOf);
    this.#conditionNames = conditionNamesOf(document);
    this.#createPlan = (conditions) => {
      const source = { schema, fragments, conditions, completeValueOf };
      const rootSelection = new SelectionPlan(source, [operation.selectionSet]);
      return { schema, fragments, operation, rootType, rootSelection };
    };
  }

  /** Keeps the last plan. It is valid as long as the variables in `@skip` and `@include` have the same values. */
  planFor(variables: VariableValues): OperationPlan {
    if (this.#plan && this.#hasConditionsOf(variables)) return this.#plan;
    // Only the conditions are kept: other variables may be large.
    const conditions = Object.entries(variables).filter(([name]) => this.#conditionNames.has(name));
    this.#conditions = Object.fromEntries(conditions);
    this.#plan = this.#createPlan(this.#conditions);
    return this.#plan;
  }

  #hasConditionsOf(variables: VariableValues): boolean {
    for (const name of this.#conditionNames) if (this.#conditions[name] !== variables[name]) return false;
    return true;
  }
}

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** The names of all variables in directives. */
function conditionNamesOf(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return names;
}
