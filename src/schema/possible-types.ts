import { type GraphQLSchema, isAbstractType } from 'graphql';

/**
 * The names of the object types of each interface and union, both in alphabetical order, as JSON. Caches such as the
 * one of Apollo Client take it as `possibleTypes`, to match fragments on interfaces and unions.
 */
export function printPossibleTypes(schema: GraphQLSchema): string {
  const abstractTypes = Object.values(schema.getTypeMap()).filter(isAbstractType);
  const entries = abstractTypes.map((type) => {
    const names = schema.getPossibleTypes(type).map(({ name }) => name);
    return [type.name, names.sort()] as const;
  });
  const sorted = entries.sort(([name], [other]) => (name < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}
