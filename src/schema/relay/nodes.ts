import type { Article } from '../../domain/articles/articles.ts';
import type { Category } from '../../domain/articles/categories.ts';
import type { ProjectVersion } from '../../domain/articles/project-versions.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../../domain/reader-groups/readers.ts';
import { builder } from '../builder.ts';

export type NodeValue = Article | Category | ProjectVersion | ReaderGroup | Reader;

export type NodeTypeName = 'Article' | 'Category' | 'ProjectVersion' | 'ReaderGroup' | 'Reader';

/** Articles and categories have the ID of their project version too, so their own IDs are checked first. */
function nodeTypeName(value: NodeValue): NodeTypeName {
  if ('articleId' in value) return 'Article';
  if ('categoryId' in value) return 'Category';
  if ('groupId' in value) return 'ReaderGroup';
  return 'readerId' in value ? 'Reader' : 'ProjectVersion';
}

export const NodeInterface = builder.interfaceRef<NodeValue>('Node').implement({
  description: 'Something with a global ID, by which `node` finds it again.',
  resolveType: nodeTypeName,
  fields: (t) => ({
    id: t.id({
      description: 'The global ID: opaque, and stable as long as the thing exists.',
      resolve: (value) => {
        throw new Error(`${nodeTypeName(value)} does not resolve its global ID.`);
      },
    }),
  }),
});
