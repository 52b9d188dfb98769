import { Buffer } from 'node:buffer';
import type { ArticleUpdateJob, PreviewedRevertItem } from '../../core/articles/article-update-jobs.ts';
import type { Article, Category, ProjectVersion, TeamAccount } from '../../core/articles/articles.ts';
import { isObject, jsonIn } from '../../core/base/json.ts';
import { MAX_OPAQUE_LENGTH } from '../../core/base/limits.ts';
import type { InvitedSsoUser, Reader, ReaderGroup } from '../../core/reader-groups/reader-groups.ts';

const NODE_TYPE_NAMES = [
  'Article',
  'ArticleUpdateJob',
  'Category',
  'ProjectVersion',
  'ReaderGroup',
  'Reader',
  'InvitedSsoUser',
  'RevertItem',
  'TeamAccount',
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

/** Decodes a global ID. Returns null for a text that is no global ID of this gateway. */
export function decodeGlobalId(id: string): GlobalId | null {
  if (id.length > MAX_OPAQUE_LENGTH) return null;
  const decoded = jsonIn(Buffer.from(id, 'base64url').toString());
  if (!Array.isArray(decoded)) return null;
  const [name, ...parts]: unknown[] = decoded;
  const typeName = NODE_TYPE_NAMES.find((one) => one === name);
  return typeName !== undefined && parts.every(isPart) ? { typeName, parts } : null;
}

const isPart = (part: unknown): part is string | number =>
  typeof part === 'number' ? Number.isSafeInteger(part) : typeof part === 'string' && part !== '';

export type NodeValue =
  | Article
  | ArticleUpdateJob
  | Category
  | InvitedSsoUser
  | PreviewedRevertItem
  | ProjectVersion
  | Reader
  | ReaderGroup
  | TeamAccount;

const OWN_IDS = [
  'articleId',
  'categoryId',
  'groupId',
  'invitationId',
  'jobId',
  'readerId',
  'projectVersionId',
  'userId',
] as const;

/** True for an object that has the service's own ID of one of the types of nodes. */
export const isNode = (value: unknown): value is NodeValue => isObject(value) && OWN_IDS.some((id) => id in value);

/**
 * Returns the name of the type of a node, and the service's IDs that identify it. Articles and categories also have the ID of
 * their project version, so their own IDs are checked first.
 */
function identityOf(node: NodeValue): readonly [typeName: NodeTypeName, ...parts: (string | number)[]] {
  if ('articleId' in node)
    return ['Article', node.articleId, node.languageCode, ...(node.pinned ? [node.versionNumber] : [])];
  if ('categoryId' in node) return ['Category', node.categoryId, node.languageCode, node.projectVersionId];
  if ('groupId' in node) return ['ReaderGroup', node.groupId];
  if ('invitationId' in node) return ['InvitedSsoUser', node.invitationId];
  if ('target' in node) return ['RevertItem', node.jobId, node.target.index];
  if ('jobId' in node) return ['ArticleUpdateJob', node.jobId];
  if ('userId' in node) return ['TeamAccount', node.userId];
  return 'readerId' in node ? ['Reader', node.readerId] : ['ProjectVersion', node.projectVersionId];
}

export const nodeTypeName = (node: NodeValue): NodeTypeName => identityOf(node)[0];

export function globalIdOf(node: NodeValue): string {
  const [typeName, ...parts] = identityOf(node);
  return encodeGlobalId(typeName, parts);
}
