import { type GraphQLNamedType, type GraphQLObjectType, isAbstractType, isInputObjectType, isUnionType } from 'graphql';
import type { SchemaChange, SchemaPair } from './schema-change.ts';

/** The changes that GraphQL Inspector does not see, or whose weight for clients it can't know. */
export const clientRuleChanges = (pair: SchemaPair): readonly SchemaChange[] => [
  ...schemaDescriptionChanges(pair),
  ...typesOfBoth(pair).flatMap(([before, after]) => oneOfChanges(before, after)),
  ...typesOfBoth(pair).flatMap(([before, after]) => addedPossibleTypes(pair, before, after)),
];

const typesOfBoth = ({ released, current }: SchemaPair) =>
  Object.values(released.getTypeMap()).flatMap((before) => {
    const after = current.getType(before.name);
    return after === undefined ? [] : [[before, after] as const];
  });

const schemaDescriptionChanges = ({ released, current }: SchemaPair): readonly SchemaChange[] =>
  released.description === current.description
    ? []
    : [{ coordinates: ['schema'], bump: 'patch', message: 'The description of the schema changed', forbidden: null }];

/** With `@oneOf`, inputs of former clients may be refused; without it, contradicting inputs become possible. */
function oneOfChanges(before: GraphQLNamedType, after: GraphQLNamedType): readonly SchemaChange[] {
  if (!isInputObjectType(before) || !isInputObjectType(after) || before.isOneOf === after.isOneOf) return [];
  const message = `@oneOf was ${after.isOneOf ? 'added to' : 'removed from'} ${after.name}`;
  return [{ coordinates: [after.name], bump: 'major', message, forbidden: null }];
}

/**
 * A client that switches on `__typename` meets the added type in its default case. There it has the fields of the
 * interface that it selected, unless the added type has none of the interfaces of the others.
 */
function addedPossibleTypes(
  { released, current }: SchemaPair,
  before: GraphQLNamedType,
  after: GraphQLNamedType,
): readonly SchemaChange[] {
  if (!isAbstractType(before) || !isAbstractType(after)) return [];
  const known = released.getPossibleTypes(before);
  const interfaces = new Set(known.flatMap(interfaceNames));
  return current
    .getPossibleTypes(after)
    .filter(({ name }) => !known.some((type) => type.name === name))
    .map((type) => {
      const hasDefault = !isUnionType(after) || interfaceNames(type).some((name) => interfaces.has(name));
      const lack = hasDefault ? '' : ', and the default case of a client can read nothing of it';
      return {
        coordinates: [after.name, type.name],
        bump: hasDefault ? 'minor' : 'major',
        message: `${type.name} was added to the possible types of ${after.name}${lack}`,
        forbidden: null,
      };
    });
}

const interfaceNames = (type: GraphQLObjectType): readonly string[] => type.getInterfaces().map(({ name }) => name);
