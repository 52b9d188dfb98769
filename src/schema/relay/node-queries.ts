import type { GraphQLResolveInfo } from 'graphql';
import type { Category } from '../../domain/articles/categories.ts';
import { findProjectVersion } from '../articles/project-versions.ts';
import { builder } from '../builder.ts';
import { admitted, type Context } from '../context.ts';
import { invalidArgument } from '../errors/graphql-errors.ts';
import { loadGroup } from '../reader-groups/reader-groups.ts';
import { decodeGlobalId, type GlobalId } from './global-ids.ts';
import { NodeInterface, type NodeName, type NodeValue } from './nodes.ts';

const MAX_NODES = 100;

type Finder = (
  context: Context,
  parts: GlobalId['parts'],
  info: GraphQLResolveInfo,
) => Promise<NodeValue | null> | null;

const text = (part: string | number | undefined): string | null => (typeof part === 'string' ? part : null);

const whole = (part: string | number | undefined): number | undefined => (typeof part === 'number' ? part : undefined);

/** How each type is found by the parts of its global ID; null where the parts do not make one. */
const FINDERS = {
  Article: ({ loaders }, [id, languageCode, versionNumber]) => {
    const [articleId, code] = [text(id), text(languageCode)];
    if (articleId === null || code === null) return null;
    return loaders.articles.load({ articleId, languageCode: code, versionNumber: whole(versionNumber) });
  },
  Category: ({ loaders }, parts) => {
    const [categoryId, languageCode, projectVersionId] = parts.map(text);
    if (!categoryId || !languageCode || !projectVersionId) return null;
    return loaders.categories.load({ categoryId, languageCode, projectVersionId } satisfies Partial<Category>);
  },
  ProjectVersion: (context, [id]) => {
    const projectVersionId = text(id);
    return projectVersionId === null ? null : findProjectVersion(context, projectVersionId);
  },
  ReaderGroup: (context, [id], info) => {
    const groupId = text(id);
    return groupId === null ? null : loadGroup(groupId, context, info);
  },
  Reader: ({ loaders }, [id]) => {
    const readerId = text(id);
    return readerId === null ? null : loaders.readers.load(readerId);
  },
} as const satisfies Record<NodeName, Finder>;

const isNodeName = (name: string): name is NodeName => Object.hasOwn(FINDERS, name);

interface Asked {
  readonly path: readonly string[];
  readonly info: GraphQLResolveInfo;
}

function findNode(context: Context, id: string, { path, info }: Asked): Promise<NodeValue | null> {
  const decoded = decodeGlobalId(id);
  const found =
    decoded && isNodeName(decoded.typeName) ? FINDERS[decoded.typeName](context, decoded.parts, info) : null;
  if (found === null) throw invalidArgument(path, `${path.join('.')} is no global ID of this API.`);
  return found;
}

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description: 'Whatever has this global ID; null where it no longer exists.',
    args: { id: t.arg.id({ required: true, description: 'A global ID, from the field `id`.' }) },
    resolve: (...[_root, { id }, context, info]) => findNode(admitted(context), id, { path: ['id'], info }),
  }),
  nodes: t.field({
    type: t.listRef(NodeInterface, { nullable: true }),
    description: `What has these global IDs, in their order; null in the place of what no longer exists. At most ${MAX_NODES}.`,
    args: { ids: t.arg.idList({ required: true, description: 'Global IDs, from the field `id`.' }) },
    resolve: (...[_root, { ids }, context, info]) => {
      admitted(context);
      if (ids.length > MAX_NODES) {
        throw invalidArgument(['ids'], `ids must have at most ${MAX_NODES} items; it has ${ids.length}.`);
      }
      return Promise.all(ids.map(async (id, index) => findNode(context, id, { path: ['ids', `${index}`], info })));
    },
  }),
}));
