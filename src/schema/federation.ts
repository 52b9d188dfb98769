import {
  type ConstDirectiveNode,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { MAX_REPRESENTATIONS } from '../base/limits.ts';
import { err, ok, type Result } from '../base/result.ts';
import { authorizeRead, type Context } from './context.ts';
import { invalidArgumentError } from './graphql-errors.ts';
import { findNodeByParts } from './node-queries.ts';
import { decodeGlobalId, type GlobalId, type NodeTypeName, type NodeValue, nodeTypeName } from './nodes.ts';

/**
 * The types that other subgraphs may refer to and extend, with the fields of the service's own key. These are the first
 * parts of the global ID, which is the other key of each.
 */
const ENTITY_KEYS = {
  Article: ['articleId', 'languageCode'],
  Category: ['categoryId', 'languageCode'],
  ProjectVersion: ['projectVersionId'],
  Reader: ['readerId'],
  ReaderGroup: ['groupId'],
} as const satisfies Partial<Record<NodeTypeName, readonly string[]>>;

const isEntityTypeName = (name: string | null): name is keyof typeof ENTITY_KEYS =>
  name !== null && Object.hasOwn(ENTITY_KEYS, name);

/** As in the arguments of other reads, an ID is a text that is not empty. */
function keyFieldOf(representation: unknown, field: string): string | null {
  if (typeof representation !== 'object' || representation === null || !Object.hasOwn(representation, field))
    return null;
  const value: unknown = Reflect.get(representation, field);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The problem of a representation: the path of its member, empty for the whole, and the rest of a sentence about it. */
interface RepresentationProblem {
  readonly member: readonly string[];
  readonly problem: string;
}

/** Reads the key of a representation as the parts of a global ID. */
export function readRepresentation(representation: unknown): Result<GlobalId, RepresentationProblem> {
  const typeName = keyFieldOf(representation, '__typename');
  if (!isEntityTypeName(typeName)) {
    const known = Object.keys(ENTITY_KEYS).join(', ');
    return err({ member: ['__typename'], problem: `must be one of ${known}` });
  }
  const id = keyFieldOf(representation, 'id');
  if (id !== null) {
    const decoded = decodeGlobalId(id);
    if (decoded?.typeName === typeName) return ok(decoded);
    return err(invalidId(typeName));
  }
  const fields: readonly string[] = ENTITY_KEYS[typeName];
  const parts = fields.map((field) => keyFieldOf(representation, field));
  if (parts.every((part) => part !== null)) return ok({ typeName, parts });
  return err({ member: [], problem: `needs a key of ${typeName}: id, or ${fields.join(' and ')}, as texts` });
}

const invalidId = (typeName: NodeTypeName): RepresentationProblem => ({
  member: ['id'],
  problem: `is no global ID of the type ${typeName}`,
});

/** Finds the entity that a representation names. Rejects where the representation, at this place, is invalid. */
async function findEntity(
  context: Context,
  { representation, index }: { readonly representation: unknown; readonly index: number },
  info: GraphQLResolveInfo,
): Promise<NodeValue | null> {
  const named = readRepresentation(representation);
  const found = named.ok ? findNodeByParts(context, named.value, info) : null;
  if (found !== null) return found;
  const { member, problem } = named.ok ? invalidId(named.value.typeName) : named.error;
  const path = ['representations', `${index}`, ...member];
  throw invalidArgumentError(path, `${path.join('.')} ${problem}.`);
}

const AnyScalar = new GraphQLScalarType({
  name: '_Any',
  description: 'The representation of an entity: an object of `__typename` and the fields of one of its keys.',
});

const ServiceType = new GraphQLObjectType<{ readonly sdl: () => string }>({
  name: '_Service',
  description: 'What a router has to know of this subgraph.',
  fields: {
    sdl: {
      type: GraphQLString,
      description: 'The schema with the directives of Federation, as `/schema.graphql?federation` has it.',
      resolve: ({ sdl }) => sdl(),
    },
  },
});

/** The queries by which the router of a federated graph reads a subgraph, as Federation specifies them. */
export const createSubgraphFields = (
  schema: GraphQLSchema,
  sdl: () => string,
): GraphQLFieldConfigMap<unknown, Context> => ({
  _entities: {
    type: new GraphQLNonNull(new GraphQLList(createEntityType(schema))),
    description: `The entities that representations name by their keys, in the order of the representations; null in the place of one that does not exist. An invalid representation is an error in its place.`,
    args: {
      representations: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(AnyScalar))),
        description: `At most ${MAX_REPRESENTATIONS.toLocaleString('en')} representations in one request.`,
      },
    },
    resolve: async (...[_root, { representations }, context, info]) => {
      authorizeRead(context);
      context.entities += representations.length;
      if (context.entities > MAX_REPRESENTATIONS) throw tooManyEntities(context.entities);
      const found = representations.map((representation: unknown, index: number) =>
        findEntity(context, { representation, index }, info),
      );
      return (await Promise.allSettled(found)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
    },
  },
  _service: {
    type: new GraphQLNonNull(ServiceType),
    description: 'This subgraph. It needs no token, as introspection does not, and is refused where that is off.',
    resolve: () => ({ sdl }),
  },
});

const createEntityType = (schema: GraphQLSchema): GraphQLUnionType =>
  new GraphQLUnionType({
    name: '_Entity',
    description: 'A type to which other subgraphs may add fields.',
    types: Object.keys(ENTITY_KEYS)
      .map((name) => schema.getType(name))
      .filter(isObjectType),
    resolveType: (value: NodeValue) => nodeTypeName(value),
  });

const tooManyEntities = (count: number) =>
  invalidArgumentError(
    ['representations'],
    `representations must be at most ${MAX_REPRESENTATIONS} in one request; there are ${count}.`,
  );

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
