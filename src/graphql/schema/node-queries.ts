import type { GraphQLResolveInfo } from 'graphql';
import { MAX_NODES } from '../../core/base/limits.ts';
import { findRevertItem } from './article-update-job-reverts.ts';
import { findArticleUpdateJob } from './article-update-jobs.ts';
import { loadArticle } from './articles/articles.ts';
import { builder, NodeInterface } from './builder.ts';
import { authorizeRead, type Context } from './context.ts';
import { invalidArgumentError } from './graphql-errors.ts';
import { decodeGlobalId, encodeGlobalId, type GlobalId, type NodeTypeName, type NodeValue } from './nodes.ts';
import { loadReaderGroup } from './reader-groups/reader-groups.ts';

/** Finds a node by the parts of its global ID, of which the first is a text. Returns undefined where another part is invalid. */
type NodeFinder = (
  context: Context,
  parts: readonly [string, ...GlobalId['parts']],
  info: GraphQLResolveInfo,
) => NodeValue | null | Promise<NodeValue | null> | undefined;

const isText = (part: string | number | undefined): part is string => typeof part === 'string';

const NODE_FINDERS = {
  Article: (context, [articleId, languageCode, version], info) => {
    if (!isText(languageCode)) return undefined;
    const versionNumber = isText(version) ? undefined : version;
    return loadArticle({ articleId, languageCode, versionNumber }, context, info);
  },
  ArticleUpdateJob: (context, [jobId]) => findArticleUpdateJob(context, jobId),
  // A global ID without a project version names a category of any of them.
  Category: ({ loaders }, [categoryId, languageCode, version]) => {
    if (!isText(languageCode)) return undefined;
    const projectVersionId = isText(version) ? version : undefined;
    return loaders.categories.load({ categoryId, languageCode, projectVersionId });
  },
  ProjectVersion: ({ loaders }, [id]) => loaders.findProjectVersion(id),
  ReaderGroup: (context, [groupId], info) => loadReaderGroup(groupId, context, info),
  Reader: ({ loaders }, [readerId]) => loaders.readers.load(readerId),
  InvitedSsoUser: ({ loaders }, [invitationId]) => loaders.invitedSsoUsers.load(invitationId),
  RevertItem: (context, [jobId, index]) =>
    typeof index === 'number' ? findRevertItem(context, jobId, index) : undefined,
  TeamAccount: ({ loaders }, [userId]) => loaders.teamAccounts.load(userId),
} as const satisfies Record<NodeTypeName, NodeFinder>;

/** Finds a node of a type by the parts of its global ID, or by the first of them that name it. */
export function findNodeByParts(
  context: Context,
  { typeName, parts: [id, ...others] }: GlobalId,
  info: GraphQLResolveInfo,
): ReturnType<NodeFinder> {
  const find: NodeFinder = NODE_FINDERS[typeName];
  return isText(id) ? find(context, [id, ...others], info) : undefined;
}

const EXAMPLE_ID = `\`"${encodeGlobalId('Reader', ['r1'])}"\``;

/** A global ID of the arguments of a query, with its path in them. */
type IdArgument = readonly [id: string, ...path: string[]];

function findNode(context: Context, [id, ...path]: IdArgument, info: GraphQLResolveInfo): ReturnType<NodeFinder> {
  const decoded = decodeGlobalId(id);
  const node = decoded ? findNodeByParts(context, decoded, info) : undefined;
  if (node === undefined) throw invalidArgumentError(path, `${path.join('.')} is no global ID of this API.`);
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
    resolve: (...[_root, { id }, context, info]) => findNode(authorizeRead(context), [id, 'id'], info),
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
      return Promise.all(ids.map(async (id, index) => findNode(context, [id, 'ids', `${index}`], info)));
    },
  }),
}));
