import type { GraphQLResolveInfo } from 'graphql';
import { MAX_NODES } from '../base/limits.ts';
import { findArticleUpdateJob } from './article-update-jobs.ts';
import { loadArticle } from './articles/articles.ts';
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

const isText = (part: string | number | undefined): part is string => typeof part === 'string';

/** Finds nodes whose global ID has a text as its first part, and no other that is needed. */
const byText =
  (
    find: (context: Context, id: string, info: GraphQLResolveInfo) => NodeValue | null | Promise<NodeValue | null>,
  ): NodeFinder =>
  (context, [id], info) =>
    isText(id) ? Promise.resolve(find(context, id, info)) : null;

const NODE_FINDERS = {
  Article: (context, [articleId, languageCode, version], info) => {
    if (!isText(articleId) || !isText(languageCode)) return null;
    return loadArticle(
      { articleId, languageCode, versionNumber: isText(version) ? undefined : version },
      context,
      info,
    );
  },
  ArticleUpdateJob: byText(findArticleUpdateJob),
  // Without the part of its project version, a category is searched in all of them.
  Category: ({ loaders }, [categoryId, languageCode, version]) => {
    if (!isText(categoryId) || !isText(languageCode)) return null;
    const projectVersionId = isText(version) ? version : undefined;
    return Promise.resolve(loaders.categories.load({ categoryId, languageCode, projectVersionId }));
  },
  ProjectVersion: byText(({ loaders }, id) => loaders.findProjectVersion(id)),
  ReaderGroup: byText((context, groupId, info) => loadReaderGroup(groupId, context, info)),
  Reader: byText(({ loaders }, readerId) => loaders.readers.load(readerId)),
  InvitedSsoUser: byText(({ loaders }, invitationId) => loaders.invitedSsoUsers.load(invitationId)),
} as const satisfies Record<NodeTypeName, NodeFinder>;

/** Finds a node of a type by the parts of its global ID, or by the first of them that name it. */
export const findNodeByParts = (
  context: Context,
  { typeName, parts }: GlobalId,
  info: GraphQLResolveInfo,
): Promise<NodeValue | null> | null => NODE_FINDERS[typeName](context, parts, info);

const EXAMPLE_ID = `\`"${encodeGlobalId('Reader', ['r1'])}"\``;

/** An ID as the argument of a query, with its place. */
interface IdArgument {
  readonly id: string;
  readonly path: readonly string[];
}

function findNode(context: Context, { id, path }: IdArgument, info: GraphQLResolveInfo): Promise<NodeValue | null> {
  const decoded = decodeGlobalId(id);
  const node = decoded && findNodeByParts(context, decoded, info);
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
    resolve: (...[_root, { id }, context, info]) => findNode(authorizeRead(context), { id, path: ['id'] }, info),
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
      return Promise.all(ids.map(async (id, index) => findNode(context, { id, path: ['ids', `${index}`] }, info)));
    },
  }),
}));
