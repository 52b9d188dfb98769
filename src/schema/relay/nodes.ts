import type { Article } from '../../domain/articles/bulk-updates.ts';
import type { Category } from '../../domain/articles/categories.ts';
import type { ProjectVersion } from '../../domain/articles/project-versions.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-group-updates.ts';
import type { Reader } from '../../domain/reader-groups/readers.ts';
import { builder } from '../builder.ts';

export type NodeValue = Article | Category | ProjectVersion | ReaderGroup | Reader;

export type NodeName = 'Article' | 'Category' | 'ProjectVersion' | 'ReaderGroup' | 'Reader';

/** Told apart by the ID that only one of them has; an article and a category know their project version as well. */
function nodeName(value: NodeValue): NodeName {
  if ('articleId' in value) return 'Article';
  if ('categoryId' in value) return 'Category';
  if ('groupId' in value) return 'ReaderGroup';
  return 'readerId' in value ? 'Reader' : 'ProjectVersion';
}

export const NodeInterface = builder.interfaceRef<NodeValue>('Node').implement({
  description: 'Something with a global ID, by which `node` finds it again.',
  resolveType: nodeName,
  fields: (t) => ({
    id: t.id({
      description: 'The global ID: opaque, and stable as long as the thing exists.',
      resolve: (value) => {
        throw new Error(`${nodeName(value)} does not resolve its global ID.`);
      },
    }),
  }),
});
