import type { KnowledgeBase } from './knowledge-base.ts';

/** Something wrong with a knowledge base, at a place of the file it was read from. */
export type Problem = readonly [path: string, problem: string];

/** IDs that stand twice where each names one thing. */
export function* duplicateProblems(base: KnowledgeBase): Generator<Problem> {
  yield* duplicates(
    'project_versions',
    'id',
    base.projectVersions.map(({ projectVersionId }) => projectVersionId),
  );
  const languages = base.languages.map(({ projectVersionId, code }) => keyOf(projectVersionId, code));
  yield* duplicates('languages', 'code', languages);
  yield* duplicates(
    'categories',
    'id',
    base.categories.map(({ categoryId }) => categoryId),
  );
  yield* duplicates(
    'articles',
    'id',
    base.articles.map(({ articleId }) => articleId),
  );
  for (const [index, { versions }] of base.articles.entries()) {
    const keys = versions.map(({ languageCode, versionNumber }) => keyOf(languageCode, versionNumber));
    yield* duplicates(`articles[${index}].versions`, 'version_number', keys);
  }
  yield* duplicates(
    'readers',
    'reader_id',
    base.readers.map(({ readerId }) => readerId),
  );
  const invitations = base.invitedSsoUsers.map(({ invitationId }) => invitationId);
  yield* duplicates('invited_sso_users', 'invitation_id', invitations);
  yield* duplicates(
    'reader_groups',
    'reader_group_id',
    base.readerGroups.map(({ groupId }) => groupId),
  );
}

/** A key of several parts as one text. */
export const keyOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

function* duplicates(list: string, member: string, keys: readonly string[]): Generator<Problem> {
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else yield [`${list}[${index}].${member}`, `stands at ${list}[${earlier}] already`];
  }
}

/** More than one default, where there can be one. */
export function* defaultProblems({ projectVersions, languages }: KnowledgeBase): Generator<Problem> {
  yield* defaults(
    'project_versions',
    projectVersions.map(({ isDefault }) => (isDefault ? '' : null)),
  );
  yield* defaults(
    'languages',
    languages.map(({ isDefault, projectVersionId }) => (isDefault ? projectVersionId : null)),
  );
}

/** `of` says what an entry is the default of, null where it is none. */
function* defaults(list: string, of: readonly (string | null)[]): Generator<Problem> {
  const first = new Map<string, number>();
  for (const [index, what] of of.entries()) {
    if (what === null) continue;
    const earlier = first.get(what);
    if (earlier === undefined) first.set(what, index);
    else yield [`${list}[${index}].is_default`, `is true at ${list}[${earlier}] already`];
  }
}
