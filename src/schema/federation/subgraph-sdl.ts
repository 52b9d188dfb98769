import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { ENTITY_KEYS, isEntityTypeName } from './entities.ts';

/** The oldest version that has all that is used here, since a supergraph may be composed by older tools. */
const FEDERATION = 'https://specs.apollo.dev/federation/v2.0';

/** Every subgraph with global IDs has these queries, and each can answer for its own IDs only. */
const QUERIES_OF_OTHERS: ReadonlySet<string> = new Set(['node', 'nodes']);

/** Apollo's composition knows `@oneOf` only where it is defined; that of The Guild keeps it either way. */
const ONE_OF = 'directive @oneOf on INPUT_OBJECT';

/** Parses directives by giving them to a type. */
function parseDirectives(text: string): readonly ConstDirectiveNode[] {
  const [definition] = parse(`scalar S ${text}`, { noLocation: true }).definitions;
  return definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? (definition.directives ?? []) : [];
}

function directivesOf(typeName: string): readonly ConstDirectiveNode[] {
  if (isEntityTypeName(typeName))
    return parseDirectives(`@key(fields: "id") @key(fields: "${ENTITY_KEYS[typeName].join(' ')}")`);
  return typeName === 'PageInfo' ? parseDirectives('@shareable') : [];
}

/** Prints the schema of clients as that of a subgraph of Federation 2. */
export function printFederationSdl(schema: GraphQLSchema): string {
  const queryName = schema.getQueryType()?.name;
  const toSubgraphType = (node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode => ({
    ...node,
    directives: directivesOf(node.name.value),
    ...(node.name.value === queryName && {
      fields: node.fields?.filter(({ name }) => !QUERIES_OF_OTHERS.has(name.value)) ?? [],
    }),
  });
  const document = visit(parse(`${printSchema(schema)}\n${ONE_OF}`, { noLocation: true }), {
    SchemaDefinition: (node) => ({
      ...node,
      directives: parseDirectives(`@link(url: "${FEDERATION}", import: ["@key", "@shareable"])`),
    }),
    ObjectTypeDefinition: toSubgraphType,
  });
  return `${print(document)}\n`;
}
