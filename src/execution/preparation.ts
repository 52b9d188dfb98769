import {
  type DefinitionNode,
  type DocumentNode,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import { type Coercion, createCoercion } from './variables.ts';

/** An operation as it is executed with variables that are coerced already. */
export interface PreparedOperation {
  readonly coerceVariables: Coercion;
  /** The document, but that it takes its variables as they are. */
  readonly document: DocumentNode;
  /** The schema, but that it knows the type that they have there, of which clients see nothing. */
  readonly schema: GraphQLSchema;
}

const ANY = new GraphQLScalarType({ name: '_Coerced' });

const ANY_NODE: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: ANY.name } };

class TrustingSchema extends GraphQLSchema {
  override getType(name: string) {
    return name === ANY.name ? ANY : super.getType(name);
  }
}

/**
 * graphql-js coerces variables itself, each time and in one way only. Here it is told that they are of a scalar that takes
 * everything, once what they are declared as has taken them. An operation is prepared once, and forgotten with its document.
 */
export function createPreparation(schema: GraphQLSchema) {
  const trusting = new TrustingSchema({ ...schema.toConfig(), assumeValid: true });
  const prepared = new WeakMap<OperationDefinitionNode, PreparedOperation>();
  return (document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation => {
    const known = prepared.get(operation);
    if (known) return known;
    const coerceVariables = createCoercion(schema, operation);
    const made = { coerceVariables, document: trustful(document), schema: trusting };
    prepared.set(operation, made);
    return made;
  };
}

const trustful = ({ definitions, ...document }: DocumentNode): DocumentNode => ({
  ...document,
  definitions: definitions.map(withoutTypes),
});

function withoutTypes(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.variableDefinitions) return definition;
  const variableDefinitions = definition.variableDefinitions.map(({ kind, variable }) => ({
    kind,
    variable,
    type: ANY_NODE,
  }));
  return { ...definition, variableDefinitions };
}
