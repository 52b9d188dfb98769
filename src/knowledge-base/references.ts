import type { AccessScope, LanguageScope } from '../domain/reader-groups/access-scopes.ts';
import type { WholeReaderGroupUpdate } from '../domain/reader-groups/reader-group-updates.ts';
import type { ImportedArticle, ImportedCategory, KnowledgeBase } from './knowledge-base.ts';

/** A problem of a knowledge base and its path in the document. */
export type ImportProblem = readonly [path: string, problem: string];

/** The IDs that entries may refer to. */
interface KnownIds {
  readonly projectVersions: ReadonlySet<string>;
  /** The keys are `compositeKey(projectVersionId, code)`. */
  readonly languages: ReadonlySet<string>;
  readonly categories: ReadonlyMap<string, ImportedCategory>;
  /** IDs of categories that are their own ancestors. */
  readonly circularCategories: ReadonlySet<string>;
  readonly readers: ReadonlySet<string>;
  readonly invitedSsoUsers: ReadonlySet<string>;
}

/** Duplicate IDs, and references to IDs that are not in the knowledge base. */
export function* referenceProblems(base: KnowledgeBase): Generator<ImportProblem> {
  yield* duplicateProblems(base);
  yield* duplicateDefaultProblems(base);
  const categories = new Map(base.categories.map((category) => [category.categoryId, category]));
  const known: KnownIds = {
    projectVersions: new Set(base.projectVersions.map(({ projectVersionId }) => projectVersionId)),
    languages: new Set(base.languages.map(({ projectVersionId, code }) => compositeKey(projectVersionId, code))),
    categories,
    circularCategories: findCircularCategories(categories),
    readers: new Set(base.readers.map(({ readerId }) => readerId)),
    invitedSsoUsers: new Set(base.invitedSsoUsers.map(({ invitationId }) => invitationId)),
  };
  for (const [index, { projectVersionId }] of base.languages.entries()) {
    yield* projectVersionProblems(known, `languages[${index}].project_version_id`, projectVersionId);
  }
  for (const [index, category] of base.categories.entries()) {
    yield* categoryProblems(known, `categories[${index}]`, category);
  }
  for (const [index, article] of base.articles.entries()) yield* articleProblems(known, `articles[${index}]`, article);
  for (const [index, group] of base.readerGroups.entries()) {
    yield* groupProblems(known, `reader_groups[${index}]`, group);
  }
}

function* projectVersionProblems(known: KnownIds, path: string, id: string): Generator<ImportProblem> {
  if (!known.projectVersions.has(id)) yield [path, `there is no project version ${id}`];
}

/** A referenced category must belong to the project version of its referrer. */
function* categoryIdProblems(
  known: KnownIds,
  path: string,
  { categoryId, projectVersionId }: { readonly categoryId: string; readonly projectVersionId: string },
): Generator<ImportProblem> {
  const category = known.categories.get(categoryId);
  if (category?.projectVersionId === projectVersionId) return;
  yield [path, `there is no category ${categoryId}${category ? ` in the project version ${projectVersionId}` : ''}`];
}

function* languageProblems(
  known: KnownIds,
  path: string,
  { languageCode, projectVersionId }: LanguageScope,
): Generator<ImportProblem> {
  if (known.languages.has(compositeKey(projectVersionId, languageCode))) return;
  yield [path, `there is no language ${languageCode} in the project version ${projectVersionId}`];
}

function* categoryProblems(known: KnownIds, path: string, category: ImportedCategory): Generator<ImportProblem> {
  const { projectVersionId, parentCategoryId } = category;
  yield* projectVersionProblems(known, `${path}.project_version_id`, projectVersionId);
  if (parentCategoryId === null) return;
  const parentPath = `${path}.parent_category_id`;
  yield* categoryIdProblems(known, parentPath, { categoryId: parentCategoryId, projectVersionId });
  if (known.circularCategories.has(category.categoryId)) yield [parentPath, 'puts the category below itself'];
}

/** Follows each parent once, so that long chains take linear time. A walk that returns to itself is a circle. */
function findCircularCategories(categories: KnownIds['categories']): ReadonlySet<string> {
  const circular = new Set<string>();
  const visited = new Set<string>();
  const parentOf = (id: string): string | null => categories.get(id)?.parentCategoryId ?? null;
  for (const start of categories.keys()) {
    const walk = new Set<string>();
    let id: string | null = start;
    for (; id !== null && !visited.has(id); id = parentOf(id)) {
      visited.add(id);
      walk.add(id);
    }
    if (id === null || !walk.has(id)) continue;
    for (let next: string | null = id; next !== null && !circular.has(next); next = parentOf(next)) circular.add(next);
  }
  return circular;
}

function* articleProblems(known: KnownIds, path: string, article: ImportedArticle): Generator<ImportProblem> {
  const { projectVersionId, categoryId, versions } = article;
  yield* projectVersionProblems(known, `${path}.project_version_id`, projectVersionId);
  if (categoryId !== null) yield* categoryIdProblems(known, `${path}.category_id`, { categoryId, projectVersionId });
  for (const [index, { languageCode }] of versions.entries()) {
    yield* languageProblems(known, `${path}.versions[${index}].lang_code`, { languageCode, projectVersionId });
  }
}

function* groupProblems(known: KnownIds, path: string, group: WholeReaderGroupUpdate): Generator<ImportProblem> {
  for (const [index, id] of group.readerIds.entries()) {
    if (!known.readers.has(id)) yield [`${path}.associated_readers[${index}]`, `there is no reader ${id}`];
  }
  for (const [index, id] of group.invitedSsoUserIds.entries()) {
    if (known.invitedSsoUsers.has(id)) continue;
    yield [`${path}.associated_invited_sso_users[${index}]`, `there is no invitation ${id}`];
  }
  yield* scopeProblems(known, `${path}.access_scope`, group.accessScope);
}

function* scopeProblems(known: KnownIds, path: string, scope: AccessScope): Generator<ImportProblem> {
  if (scope.level === 'VERSION') {
    for (const [index, id] of scope.projectVersionIds.entries()) {
      yield* projectVersionProblems(known, `${path}.project_versions[${index}]`, id);
    }
  }
  if (scope.level === 'LANGUAGE') {
    for (const [index, language] of scope.languages.entries()) {
      yield* languageProblems(known, `${path}.languages[${index}].language_code`, language);
    }
  }
  if (scope.level === 'CATEGORY') {
    for (const [index, category] of scope.categories.entries()) {
      yield* categoryIdProblems(known, `${path}.categories[${index}].category_id`, category);
      yield* languageProblems(known, `${path}.categories[${index}].language_code`, category);
    }
  }
}

/** IDs that occur twice in a list. */
function* duplicateProblems(base: KnowledgeBase): Generator<ImportProblem> {
  const { languages, articles } = base;
  const languageKeys = languages.map(({ projectVersionId, code }) => compositeKey(projectVersionId, code));
  yield* repeatProblems({
    list: 'project_versions',
    keys: base.projectVersions.map((entry) => entry.projectVersionId),
  });
  yield* repeatProblems({ list: 'languages', member: 'code', keys: languageKeys });
  yield* repeatProblems({ list: 'categories', keys: base.categories.map(({ categoryId }) => categoryId) });
  yield* repeatProblems({ list: 'articles', keys: articles.map(({ articleId }) => articleId) });
  for (const [index, { versions }] of articles.entries()) {
    const keys = versions.map(({ languageCode, versionNumber }) => compositeKey(languageCode, versionNumber));
    yield* repeatProblems({ list: `articles[${index}].versions`, member: 'version_number', keys });
  }
  const readerIds = base.readers.map(({ readerId }) => readerId);
  const invitationIds = base.invitedSsoUsers.map(({ invitationId }) => invitationId);
  const groupIds = base.readerGroups.map(({ groupId }) => groupId);
  yield* repeatProblems({ list: 'readers', member: 'reader_id', keys: readerIds });
  yield* repeatProblems({ list: 'invited_sso_users', member: 'invitation_id', keys: invitationIds });
  yield* repeatProblems({ list: 'reader_groups', member: 'reader_group_id', keys: groupIds });
}

/** Second defaults: there is one project version and, in each project version, one language. */
function* duplicateDefaultProblems({ projectVersions, languages }: KnowledgeBase): Generator<ImportProblem> {
  const defaults = { member: 'is_default', says: 'is true' };
  const defaultVersions = projectVersions.map(({ isDefault }) => (isDefault ? '' : null));
  const defaultLanguages = languages.map(({ isDefault, projectVersionId }) => (isDefault ? projectVersionId : null));
  yield* repeatProblems({ list: 'project_versions', ...defaults, keys: defaultVersions });
  yield* repeatProblems({ list: 'languages', ...defaults, keys: defaultLanguages });
}

/** Several IDs as one key. */
const compositeKey = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

interface UniqueKeys {
  readonly list: string;
  readonly member?: string;
  /** What the message says of the entry that was first. */
  readonly says?: string;
  /** The key of each entry; null for one without. */
  readonly keys: readonly (string | null)[];
}

function* repeatProblems({ list, member = 'id', says = 'stands', keys }: UniqueKeys): Generator<ImportProblem> {
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    if (key === null) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else yield [`${list}[${index}].${member}`, `${says} at ${list}[${earlier}] already`];
  }
}
