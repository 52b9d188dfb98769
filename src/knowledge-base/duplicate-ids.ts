import type { KnowledgeBase } from './knowledge-base.ts';

/** A problem of a knowledge base and its path in the document. */
export type ImportProblem = readonly [path: string, problem: string];

/** IDs that occur twice in a list. */
export function* duplicateProblems(base: KnowledgeBase): Generator<ImportProblem> {
  const projectVersionIds = base.projectVersions.map(({ projectVersionId }) => projectVersionId);
  const languageKeys = base.languages.map(({ projectVersionId, code }) => compositeKey(projectVersionId, code));
  const categoryIds = base.categories.map(({ categoryId }) => categoryId);
  const articleIds = base.articles.map(({ articleId }) => articleId);
  const readerIds = base.readers.map(({ readerId }) => readerId);
  const invitationIds = base.invitedSsoUsers.map(({ invitationId }) => invitationId);
  const groupIds = base.readerGroups.map(({ groupId }) => groupId);
  yield* duplicateKeyProblems('project_versions', 'id', projectVersionIds);
  yield* duplicateKeyProblems('languages', 'code', languageKeys);
  yield* duplicateKeyProblems('categories', 'id', categoryIds);
  yield* duplicateKeyProblems('articles', 'id', articleIds);
  for (const [index, { versions }] of base.articles.entries()) {
    const keys = versions.map(({ languageCode, versionNumber }) => compositeKey(languageCode, versionNumber));
    yield* duplicateKeyProblems(`articles[${index}].versions`, 'version_number', keys);
  }
  yield* duplicateKeyProblems('readers', 'reader_id', readerIds);
  yield* duplicateKeyProblems('invited_sso_users', 'invitation_id', invitationIds);
  yield* duplicateKeyProblems('reader_groups', 'reader_group_id', groupIds);
}

/** Several IDs as one key. */
export const compositeKey = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

function* duplicateKeyProblems(list: string, member: string, keys: readonly string[]): Generator<ImportProblem> {
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else yield [`${list}[${index}].${member}`, `stands at ${list}[${earlier}] already`];
  }
}

/** Second defaults: there is one project version and, in each project version, one language. */
export function* duplicateDefaultProblems({ projectVersions, languages }: KnowledgeBase): Generator<ImportProblem> {
  const defaultVersions = projectVersions.map(({ isDefault }) => (isDefault ? '' : null));
  const defaultLanguages = languages.map(({ isDefault, projectVersionId }) => (isDefault ? projectVersionId : null));
  yield* duplicateOwnerProblems('project_versions', defaultVersions);
  yield* duplicateOwnerProblems('languages', defaultLanguages);
}

/** `owners` has the parent of every default, and null for the other entries. */
function* duplicateOwnerProblems(list: string, owners: readonly (string | null)[]): Generator<ImportProblem> {
  const first = new Map<string, number>();
  for (const [index, owner] of owners.entries()) {
    if (owner === null) continue;
    const earlier = first.get(owner);
    if (earlier === undefined) first.set(owner, index);
    else yield [`${list}[${index}].is_default`, `is true at ${list}[${earlier}] already`];
  }
}
