import type { GraphQLResolveInfo } from 'graphql';
import { MAX_NODES } from '../../base/pages.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { decodeGlobalId, encodeGlobalId } from './global-ids.ts';
import { findNodeByParts, isNodeTypeName } from './node-finders.ts';
import { NodeInterface, type NodeValue } from './nodes.ts';

const EXAMPLE_ID = `\`"${encodeGlobalId('Reader', ['r1'])}"\``;

interface NodeArgument {
  readonly path: readonly string[];
  readonly info: GraphQLResolveInfo;
}

function findNode(context: Context, id: string, { path, info }: NodeArgument): Promise<NodeValue | null> {
  const decoded = decodeGlobalId(id);
  const node =
    decoded && isNodeTypeName(decoded.typeName)
      ? findNodeByParts(decoded.typeName, decoded.parts, { context, info })
      : null;
  if (node === null) throw invalidArgumentError(path, `${path.join('.')} is no global ID of this API.`);
  return node;
}

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description: 'The object with a global ID, of any type; null when the object no longer exists.',
    args: {
      id: t.arg.id({
        required: true,
        description: `The global ID, as the field \`id\` of any object gives it: ${EXAMPLE_ID}.`,
      }),
    },
    resolve: (...[_root, { id }, context, info]) => findNode(authorizeRead(context), id, { path: ['id'], info }),
  }),
  nodes: t.field({
    type: t.listRef(NodeInterface, { nullable: true }),
    description:
      'The objects with these global IDs, of any types, in the order of the IDs; null in the place of an object that no longer exists.',
    args: {
      ids: t.arg.idList({
        required: true,
        description: `At most ${MAX_NODES} global IDs, as the field \`id\` of any objects gives them.`,
      }),
    },
    resolve: (...[_root, { ids }, context, info]) => {
      authorizeRead(context);
      if (ids.length > MAX_NODES) {
        throw invalidArgumentError(['ids'], `ids must have at most ${MAX_NODES} items; it has ${ids.length}.`);
      }
      return Promise.all(ids.map(async (id, index) => findNode(context, id, { path: ['ids', `${index}`], info })));
    },
  }),
}));
