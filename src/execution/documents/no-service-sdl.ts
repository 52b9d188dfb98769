import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/** A validation rule for gateways without introspection: `_service` has the whole schema as text. */
export const noServiceSdl = (context: ValidationContext): ASTVisitor => ({
  Field: (node) => {
    if (node.name.value !== '_service' || context.getParentType() !== context.getSchema().getQueryType()) return;
    const message =
      'GraphQL introspection has been disabled, but the requested query contained the field "_service", which has the schema as text.';
    context.reportError(new GraphQLError(message, { nodes: [node] }));
  },
});
