import { BREAK, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, visit } from 'graphql';
import { fragmentsOf } from '../documents/fragments.ts';
import { type Coercion, createCoercion } from './coerce-variables.ts';
import { SelectionPlan, type Values } from './collect-fields.ts';
import type { OperationPlan } from './execution-context.ts';

/** What of an operation no request changes. */
export interface PreparedOperation {
  readonly coerceVariables: Coercion;
  /** Made anew for each execution where directives let the variables decide which fields there are. */
  planFor(variables: Values): OperationPlan;
}

/** An operation is prepared once, and forgotten with its document. */
export function createPreparation(schema: GraphQLSchema) {
  const prepared = new WeakMap<OperationDefinitionNode, PreparedOperation>();
  return (document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation | null => {
    const known = prepared.get(operation);
    if (known) return known;
    const made = prepareOperation(schema, document, operation);
    if (made) prepared.set(operation, made);
    return made;
  };
}

/** Null where the schema has no operations of this kind. */
function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PreparedOperation | null {
  const rootType = schema.getRootType(operation.operation);
  if (!rootType) return null;
  const fragments = fragmentsOf(document);
  const planOf = (variables?: Values): OperationPlan => {
    const source = { schema, fragments, ...(variables && { variables }) };
    return { schema, fragments, operation, rootType, root: new SelectionPlan(source, [operation.selectionSet]) };
  };
  const coerceVariables = createCoercion(schema, operation);
  if (hasDirectives(document)) return { coerceVariables, planFor: planOf };
  const plan = planOf();
  return { coerceVariables, planFor: () => plan };
}

function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive() {
      found = true;
      return BREAK;
    },
  });
  return found;
}
