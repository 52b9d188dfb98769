import { type GraphQLAbstractType, type GraphQLSchema, isAbstractType } from 'graphql';

/** Federation reserves names that begin with an underscore. Clients never get these types. */
const isOfRouters = ({ name }: GraphQLAbstractType): boolean => name.startsWith('_');

/**
 * The names of the object types of each interface and union, both in alphabetical order, as JSON. Caches such as the
 * one of Apollo Client take it as `possibleTypes`, to match fragments on interfaces and unions.
 */
export function printPossibleTypes(schema: GraphQLSchema): string {
  const abstractTypes = Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .filter((type) => !isOfRouters(type));
  const entries = abstractTypes.map((type) => {
    const names = schema.getPossibleTypes(type).map(({ name }) => name);
    return [type.name, names.sort()] as const;
  });
  const sorted = entries.sort(([name], [other]) => (name < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}
