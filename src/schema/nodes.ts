import { Buffer } from 'node:buffer';
import { MAX_OPAQUE_LENGTH } from '../base/limits.ts';
import type { ArticleUpdateJob } from '../domain/articles/article-update-jobs.ts';
import type { Article, Category, ProjectVersion } from '../domain/articles/articles.ts';
import type { InvitedSsoUser, Reader, ReaderGroup } from '../domain/reader-groups/reader-groups.ts';
import { builder } from './builder.ts';

const NODE_TYPE_NAMES = [
  'Article',
  'ArticleUpdateJob',
  'Category',
  'ProjectVersion',
  'ReaderGroup',
  'Reader',
  'InvitedSsoUser',
] as const;

export type NodeTypeName = (typeof NODE_TYPE_NAMES)[number];

/** Encodes a global ID: base64url of a JSON array of the type's name and the service's IDs. It is opaque to clients. */
export function encodeGlobalId(typeName: string, parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([typeName, ...parts])).toString('base64url');
}

export interface GlobalId {
  readonly typeName: NodeTypeName;
  readonly parts: readonly (string | number)[];
}

/** Null when the text is no global ID of this gateway. */
export function decodeGlobalId(id: string): GlobalId | null {
  if (id.length > MAX_OPAQUE_LENGTH) return null;
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(id, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(decoded)) return null;
  const [name, ...parts]: unknown[] = decoded;
  const typeName = NODE_TYPE_NAMES.find((one) => one === name);
  return typeName !== undefined && parts.every(isPart) ? { typeName, parts } : null;
}

const isPart = (part: unknown): part is string | number =>
  typeof part === 'number' ? Number.isSafeInteger(part) : typeof part === 'string' && part !== '';

export type NodeValue = Article | ArticleUpdateJob | Category | ProjectVersion | ReaderGroup | Reader | InvitedSsoUser;

/** Articles and categories have the ID of their project version too, so their own IDs are checked first. */
export function nodeTypeName(value: NodeValue): NodeTypeName {
  if ('articleId' in value) return 'Article';
  if ('categoryId' in value) return 'Category';
  if ('groupId' in value) return 'ReaderGroup';
  if ('invitationId' in value) return 'InvitedSsoUser';
  if ('jobId' in value) return 'ArticleUpdateJob';
  return 'readerId' in value ? 'Reader' : 'ProjectVersion';
}

export const NodeInterface = builder.interfaceRef<NodeValue>('Node').implement({
  description: 'An object with a global ID, by which the queries `node` and `nodes` read it again.',
  resolveType: nodeTypeName,
  fields: (t) => ({
    id: t.id({
      description:
        'The global ID of the object: an opaque text that stays the same as long as the object exists, for `node` and for the caches of clients. Mutations take the own ID of the service instead, such as `articleId`.',
      resolve: (value) => {
        throw new Error(`${nodeTypeName(value)} does not resolve its global ID.`);
      },
    }),
  }),
});
