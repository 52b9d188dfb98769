import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  type GraphQLUnionType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { GENERATED, pageOf, table } from './markdown.ts';

type Pages = readonly (readonly [name: string, text: string])[];

type FieldOf = GraphQLField<unknown, unknown>;

const ROOTS: Readonly<Record<string, string>> = { Query: 'queries.md', Mutation: 'mutations.md' };

interface Kind {
  readonly page: string;
  readonly title: string;
  readonly about: string;
  readonly has: (type: GraphQLNamedType) => boolean;
}

const KINDS: readonly Kind[] = [
  {
    page: 'objects.md',
    title: 'Objects',
    about: 'Object types have fields that a query selects.',
    has: (type) => isObjectType(type) && !(type.name in ROOTS),
  },
  {
    page: 'interfaces.md',
    title: 'Interfaces',
    about: 'An interface has the fields that all of its object types have. Later releases may add object types.',
    has: isInterfaceType,
  },
  {
    page: 'unions.md',
    title: 'Unions',
    about: 'A union is one of several object types. Later releases may add some: have a default case.',
    has: isUnionType,
  },
  {
    page: 'inputs.md',
    title: 'Inputs',
    about: 'Input types are what arguments take. One that is marked `@oneOf` takes exactly one of its fields.',
    has: isInputObjectType,
  },
  {
    page: 'enums.md',
    title: 'Enums',
    about: 'An enum is one of several names. Later releases may add some.',
    has: isEnumType,
  },
  {
    page: 'scalars.md',
    title: 'Scalars',
    about: 'Scalars are values. `Boolean`, `Float`, `ID`, `Int` and `String` are those of GraphQL.',
    has: (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  },
];

const linkTo = (name: string, page: string | undefined): string =>
  page === undefined ? `\`${name}\`` : `[\`${name}\`](${page}#${name.toLowerCase()})`;

const pageOfType = (type: GraphQLNamedType): string | undefined => KINDS.find(({ has }) => has(type))?.page;

/** A type as it is written in the schema, with a link to its description. */
function typeLink(type: GraphQLType): string {
  const named = getNamedType(type);
  return linkTo(String(type), pageOfType(named)).replace(/#[^)]*/u, `#${named.name.toLowerCase()}`);
}

const namedLink = (type: GraphQLNamedType): string => typeLink(type);

const isRequired = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean =>
  String(type).endsWith('!') && defaultValue === undefined;

function valueRow(value: GraphQLArgument | GraphQLInputField): readonly string[] {
  const fallback = value.defaultValue === undefined ? '' : ` Default: \`${JSON.stringify(value.defaultValue)}\`.`;
  const name = `\`${value.name}\`${isRequired(value) ? ' (required)' : ''}`;
  return [name, typeLink(value.type), `${value.description ?? ''}${fallback}${deprecation(value)}`];
}

const deprecation = ({ deprecationReason }: { readonly deprecationReason?: string | null | undefined }): string =>
  deprecationReason ? ` **Deprecated:** ${deprecationReason}` : '';

const fieldRow = (field: FieldOf): readonly string[] => [
  `\`${field.name}\``,
  typeLink(field.type),
  `${field.description ?? ''}${deprecation(field)}`,
];

const argumentTable = ({ args }: FieldOf): string =>
  args.length === 0 ? '' : table(['argument', 'type', 'meaning'], args.map(valueRow));

/** The fields of a type, and below them the arguments of those that take any. */
function fieldParts(fields: readonly FieldOf[]): readonly string[] {
  const withArguments = fields.filter(({ args }) => args.length > 0);
  return [
    table(['field', 'type', 'meaning'], fields.map(fieldRow)),
    ...withArguments.flatMap((field) => [`Arguments of \`${field.name}\`:`, argumentTable(field)]),
  ];
}

const listOf = (before: string, types: readonly GraphQLNamedType[]): string =>
  types.length === 0 ? '' : `${before} ${types.map(namedLink).join(', ')}.`;

function bodyOf(type: GraphQLNamedType, schema: GraphQLSchema): readonly string[] {
  if (isObjectType(type)) return [listOf('Implements', type.getInterfaces()), ...fieldParts(fieldsOf(type))];
  if (isInterfaceType(type)) {
    return [listOf('Implemented by', schema.getPossibleTypes(type)), ...fieldParts(fieldsOf(type))];
  }
  if (isUnionType(type)) return [memberTable(type)];
  if (isEnumType(type)) return [enumTable(type)];
  if (isInputObjectType(type)) {
    const oneOf = type.isOneOf ? 'This is a `@oneOf`: exactly one field is given, and it is not null.' : '';
    return [oneOf, table(['field', 'type', 'meaning'], Object.values(type.getFields()).map(valueRow))];
  }
  return [];
}

const fieldsOf = (type: { getFields(): Readonly<Record<string, FieldOf>> }): readonly FieldOf[] =>
  Object.values(type.getFields());

const memberTable = (type: GraphQLUnionType): string =>
  table(
    ['type', 'meaning'],
    type.getTypes().map((member) => [namedLink(member), member.description ?? '']),
  );

const enumTable = (type: GraphQLEnumType): string =>
  table(
    ['value', 'meaning'],
    type.getValues().map((value) => [`\`${value.name}\``, `${value.description ?? ''}${deprecation(value)}`]),
  );

const typesOf = (schema: GraphQLSchema, { has }: Kind): readonly GraphQLNamedType[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => has(type) && !isIntrospectionType(type))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

function kindPage(schema: GraphQLSchema, kind: Kind): readonly [string, string] {
  const parts = typesOf(schema, kind).flatMap((type) => [
    `## ${type.name}`,
    type.description ?? '',
    ...bodyOf(type, schema),
  ]);
  return [kind.page, pageOf([`# ${kind.title}`, GENERATED, kind.about, ...parts])];
}

function rootPage(schema: GraphQLSchema, root: string, title: string): readonly [string, string] {
  const type = schema.getType(root);
  const fields = isObjectType(type) ? fieldsOf(type) : [];
  const parts = fields.flatMap((field) => [
    `## ${field.name}`,
    `${field.description ?? ''}${deprecation(field)}`,
    `Answers ${typeLink(field.type)}.`,
    argumentTable(field),
  ]);
  return [ROOTS[root] ?? '', pageOf([`# ${title}`, GENERATED, type?.description ?? '', ...parts])];
}

function overview(schema: GraphQLSchema): readonly [string, string] {
  const lists = KINDS.map((kind) => [`[${kind.title}](${kind.page})`, typesOf(schema, kind).map(namedLink).join(', ')]);
  const rootLists = Object.entries(ROOTS).map(([root, page]) => {
    const type = schema.getType(root);
    const names = isObjectType(type) ? Object.keys(type.getFields()) : [];
    return [`[${root}](${page})`, names.map((name) => linkTo(name, page)).join(', ')];
  });
  const all = table(['page', 'what it describes'], [...rootLists, ...lists]);
  return ['schema.md', pageOf(['# The schema', GENERATED, schema.description ?? '', '## All types', all])];
}

/** The pages on every type, field, argument and value of the schema, with their descriptions. */
export const schemaPages = (schema: GraphQLSchema): Pages => [
  overview(schema),
  rootPage(schema, 'Query', 'Queries'),
  rootPage(schema, 'Mutation', 'Mutations'),
  ...KINDS.map((kind) => kindPage(schema, kind)),
];
