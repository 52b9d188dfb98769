import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The descriptions of variables: those of the arguments and input fields that they are used for. */
export function argumentDescriptions(
  schema: GraphQLSchema,
  document: DocumentNode,
  notes: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  const add = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === 'Variable' && description) descriptions.set(value.name.value, description);
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument: ({ value }) => add(value, typeInfo.getArgument()?.description),
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(typeInfo.getParentInputType());
        if (isInputObjectType(parent)) add(value, parent.getFields()[name.value]?.description);
      },
    }),
  );
  for (const [name, note] of Object.entries(notes)) descriptions.set(name, note);
  return descriptions;
}
