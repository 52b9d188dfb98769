import type { GraphQLResolveInfo } from 'graphql';
import { loadArticle } from '../articles/articles.ts';
import { findProjectVersion } from '../articles/project-versions.ts';
import type { Context } from '../context.ts';
import { findArticleUpdateJob } from '../jobs/article-update-jobs.ts';
import { loadReaderGroup } from '../reader-groups/reader-groups.ts';
import type { GlobalId } from './global-ids.ts';
import type { NodeTypeName, NodeValue } from './nodes.ts';

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

export const isNodeTypeName = (name: unknown): name is NodeTypeName =>
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
