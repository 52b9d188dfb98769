import { type Change, ChangeType, CriticalityLevel, diff } from '@graphql-inspector/core';
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { Bump, SchemaChange, SchemaPair } from './schema-change.ts';

/** Changes that stand for all that they bring: a new type also has new fields, descriptions and directives. */
const ADDITIONS: ReadonlySet<string> = new Set([
  ChangeType.TypeAdded,
  ChangeType.FieldAdded,
  ChangeType.FieldArgumentAdded,
  ChangeType.EnumValueAdded,
  ChangeType.InputFieldAdded,
  ChangeType.DirectiveAdded,
  ChangeType.DirectiveArgumentAdded,
]);

/** Removals of what can be deprecated first. */
const REMOVALS: ReadonlySet<string> = new Set([
  ChangeType.FieldRemoved,
  ChangeType.FieldArgumentRemoved,
  ChangeType.EnumValueRemoved,
  ChangeType.InputFieldRemoved,
]);

/** The changes that GraphQL Inspector finds, but for those that client-rules.ts judges. */
export async function inspectorChanges({ released, current }: SchemaPair): Promise<readonly SchemaChange[]> {
  const changes = await diff(released, current);
  const added = changes.filter(({ type }) => ADDITIONS.has(type)).map(({ path = '' }) => path);
  const isPartOfAddition = ({ path = '', type }: Change) =>
    added.some((parent) => path.startsWith(`${parent}.`) || (path === parent && !ADDITIONS.has(type)));
  const isJudgedElsewhere = ({ path = '', type }: Change) =>
    type === ChangeType.UnionMemberAdded || path.endsWith('.@oneOf');
  return changes
    .filter((change) => !isPartOfAddition(change) && !isJudgedElsewhere(change))
    .map((change) => ({
      coordinates: [coordinateOf(change.path ?? '', [released, current])],
      bump: bumpOf(change),
      message: change.message,
      forbidden:
        REMOVALS.has(change.type) && !isDeprecated(released, change.path ?? '')
          ? 'it was not deprecated in the last release'
          : null,
    }));
}

function bumpOf({ type, criticality }: Change): Bump {
  if (criticality.level === CriticalityLevel.Breaking) return 'major';
  return /(?<!DEPRECATION)_DESCRIPTION_/u.test(type) ? 'patch' : 'minor';
}

/** Turns a path of GraphQL Inspector, such as `Query.article.articleId.@deprecated`, into a schema coordinate. */
function coordinateOf(path: string, schemas: readonly GraphQLSchema[]): string {
  const [name = '', field, argument] = path.replace(/\.@.*$/u, '').split('.');
  if (field === undefined) return name;
  if (name.startsWith('@')) return `${name}(${field}:)`;
  const hasArguments = schemas.some((schema) => {
    const type = schema.getType(name);
    return isObjectType(type) || isInterfaceType(type);
  });
  return argument === undefined || !hasArguments ? `${name}.${field}` : `${name}.${field}(${argument}:)`;
}

function isDeprecated(schema: GraphQLSchema, path: string): boolean {
  const [name = '', member = '', argument] = path.split('.');
  const type = schema.getType(name);
  if (isEnumType(type)) return type.getValue(member)?.deprecationReason != null;
  if (isInputObjectType(type)) return type.getFields()[member]?.deprecationReason != null;
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  const field = type.getFields()[member];
  const part = argument === undefined ? field : field?.args.find((one) => one.name === argument);
  return field?.deprecationReason != null || part?.deprecationReason != null;
}
