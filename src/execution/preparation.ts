import { BREAK, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, visit } from 'graphql';
import { fragmentsOf } from '../schema/fragments.ts';
import type { OperationPlan } from './run.ts';
import { SelectionPlan } from './selection-plan.ts';
import { type Coercion, createCoercion } from './variables.ts';

/** What of an operation no request changes. */
export interface PreparedOperation {
  readonly coerceVariables: Coercion;
  /** Null where which fields there are depends on the variables. */
  readonly plan: OperationPlan | null;
}

/** An operation is prepared once, and forgotten with its document. */
export function createPreparation(schema: GraphQLSchema) {
  const prepared = new WeakMap<OperationDefinitionNode, PreparedOperation>();
  return (document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation => {
    const known = prepared.get(operation);
    if (known) return known;
    const made = {
      coerceVariables: createCoercion(schema, operation),
      plan: planOf(schema, document, operation),
    };
    prepared.set(operation, made);
    return made;
  };
}

function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationPlan | null {
  const rootType = schema.getRootType(operation.operation);
  if (!rootType || hasDirectives(document)) return null;
  const fragments = fragmentsOf(document);
  const fields = new SelectionPlan({ schema, fragments }, [operation.selectionSet]).fieldsOf(rootType);
  return { schema, fragments, operation, fields };
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
