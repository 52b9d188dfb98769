import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';

/** The field of a type by its name, those of introspection included; undefined for `__typename`, which every type has. */
export function fieldDefinition(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  const introspection = parent === schema.getQueryType() ? INTROSPECTION.get(name) : undefined;
  if (introspection) return introspection;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

const INTROSPECTION: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);
