import {
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
} from 'graphql';
import { MAX_REPRESENTATIONS } from '../../base/pages.ts';
import { authorizeRead, type Context } from '../context.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { type NodeValue, nodeTypeName } from '../relay/nodes.ts';
import { ENTITY_KEYS, findEntity } from './entities.ts';

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
      const found = representations.map((one: unknown, index: number) => findEntity(one, { context, info, index }));
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
