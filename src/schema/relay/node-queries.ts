import type { GraphQLResolveInfo } from 'graphql';
import type { Category } from '../../domain/articles/categories.ts';
import { MAX_NODES } from '../../domain/pages.ts';
import { loadArticle } from '../articles/articles.ts';
import { findProjectVersion } from '../articles/project-versions.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { findArticleUpdateJob } from '../jobs/article-update-jobs.ts';
import { loadReaderGroup } from '../reader-groups/reader-groups.ts';
import { decodeGlobalId, encodeGlobalId, type GlobalId } from './global-ids.ts';
import { NodeInterface, type NodeTypeName, type NodeValue } from './nodes.ts';

const EXAMPLE_ID = `\`"${encodeGlobalId('Reader', ['r1'])}"\``;

type NodeFinder = (
  context: Context,
  parts: GlobalId['parts'],
  info: GraphQLResolveInfo,
) => Promise<NodeValue | null> | null;

const asText = (part: string | number | undefined): string | null => (typeof part === 'string' ? part : null);

const asVersionNumber = (part: string | number | undefined): number | undefined =>
  typeof part === 'number' ? part : undefined;

/** Finds a node of each type by the parts of its global ID. Null when the parts are invalid. */
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
    if (!categoryId || !languageCode || !projectVersionId) return null;
    return loaders.categories.load({ categoryId, languageCode, projectVersionId } satisfies Partial<Category>);
  },
  ProjectVersion: (context, [id]) => {
    const projectVersionId = asText(id);
    return projectVersionId === null ? null : findProjectVersion(context, projectVersionId);
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

const isNodeTypeName = (name: string): name is NodeTypeName => Object.hasOwn(NODE_FINDERS, name);

interface NodeArgument {
  readonly path: readonly string[];
  readonly info: GraphQLResolveInfo;
}

function findNode(context: Context, id: string, { path, info }: NodeArgument): Promise<NodeValue | null> {
  const decoded = decodeGlobalId(id);
  const node =
    decoded && isNodeTypeName(decoded.typeName) ? NODE_FINDERS[decoded.typeName](context, decoded.parts, info) : null;
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
