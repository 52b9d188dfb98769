import type { GraphQLResolveInfo } from 'graphql';
import { MAX_NODES } from '../base/limits.ts';
import { findArticleUpdateJob } from './article-update-jobs.ts';
import { loadArticle } from './articles/articles.ts';
import { findProjectVersion } from './articles/project-versions.ts';
import { builder } from './builder.ts';
import { authorizeRead, type Context } from './context.ts';
import { invalidArgumentError } from './graphql-errors.ts';
import {
  decodeGlobalId,
  encodeGlobalId,
  type GlobalId,
  NodeInterface,
  type NodeTypeName,
  type NodeValue,
} from './nodes.ts';
import { loadReaderGroup } from './reader-groups/reader-groups.ts';

/** Returns null itself where the parts are invalid, and a promise of null where nothing has them. */
type NodeFinder = (
  context: Context,
  parts: GlobalId['parts'],
  info: GraphQLResolveInfo,
) => Promise<NodeValue | null> | null;

const asText = (part: string | number | undefined): string | null => (typeof part === 'string' ? part : null);

const asVersionNumber = (part: string | number | undefined): number | undefined =>
  typeof part === 'number' ? part : undefined;

const NODE_FINDERS = {
  Article: (context, [id, languageCode, versionNumber], info) => {
    const [articleId, code] = [asText(id), asText(languageCode)];
    if (articleId === null || code === null) return null;
    const key = { articleId, languageCode: code, versionNumber: asVersionNumber(versionNumber) };
    return loadArticle(key, context, info);
  },
  ArticleUpdateJob: (context, [id]) => {
    const jobId = asText(id);
    return jobId === null ? null : findArticleUpdateJob(context, jobId);
  },
  Category: ({ loaders }, parts) => {
    const [categoryId, languageCode, projectVersionId] = parts.map(asText);
    if (!categoryId || !languageCode) return null;
    const key = { categoryId, languageCode, projectVersionId: projectVersionId ?? undefined };
    return Promise.resolve(loaders.categories.load(key));
  },
  ProjectVersion: (context, [id]) => {
    const projectVersionId = asText(id);
    return projectVersionId === null ? null : Promise.resolve(findProjectVersion(context, projectVersionId));
  },
  ReaderGroup: (context, [id], info) => {
    const groupId = asText(id);
    return groupId === null ? null : loadReaderGroup(groupId, context, info);
  },
  Reader: ({ loaders }, [id]) => {
    const readerId = asText(id);
    return readerId === null ? null : loaders.readers.load(readerId);
  },
  InvitedSsoUser: ({ loaders }, [id]) => {
    const invitationId = asText(id);
    return invitationId === null ? null : loaders.invitedSsoUsers.load(invitationId);
  },
} as const satisfies Record<NodeTypeName, NodeFinder>;

const isNodeTypeName = (name: unknown): name is NodeTypeName =>
  typeof name === 'string' && Object.hasOwn(NODE_FINDERS, name);

interface NodeRequest {
  readonly context: Context;
  readonly info: GraphQLResolveInfo;
}

/**
 * Finds a node of a type by the parts of its global ID, or by the first of them that name it. Null when the parts are
 * invalid. A category without the part of its project version is searched in all of them.
 */
export const findNodeByParts = (
  typeName: NodeTypeName,
  parts: GlobalId['parts'],
  { context, info }: NodeRequest,
): Promise<NodeValue | null> | null => NODE_FINDERS[typeName](context, parts, info);

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
