import type { AccessScope, LanguageScope } from '../domain/reader-groups/access-scopes.ts';
import type { ImportedCategory, KnowledgeBase } from './format.ts';

/** A problem of a knowledge base and its path in the document. */
export type ImportProblem = readonly [path: string, problem: string];

type Problems = Generator<ImportProblem>;

/** Duplicate IDs, and references to IDs that are not in the knowledge base. */
export function* referenceProblems(base: KnowledgeBase): Problems {
  yield* duplicateProblems(base);
  yield* duplicateDefaultProblems(base);
  const problemsOf = createReferences(base);
  for (const [index, language] of base.languages.entries()) {
    yield* problemsOf.projectVersion(`languages[${index}].project_version_id`, language.project_version_id);
  }
  for (const [index, category] of base.categories.entries()) {
    const { id, project_version_id: projectVersionId, parent_category_id: categoryId } = category;
    const path = `categories[${index}]`;
    yield* problemsOf.projectVersion(`${path}.project_version_id`, projectVersionId);
    if (categoryId === null) continue;
    yield* problemsOf.category(`${path}.parent_category_id`, { categoryId, projectVersionId });
    yield* problemsOf.parent(`${path}.parent_category_id`, id);
  }
  for (const [index, article] of base.articles.entries()) {
    const { project_version_id: projectVersionId, category_id: categoryId } = article;
    const path = `articles[${index}]`;
    yield* problemsOf.projectVersion(`${path}.project_version_id`, projectVersionId);
    if (categoryId !== null) yield* problemsOf.category(`${path}.category_id`, { categoryId, projectVersionId });
    for (const [version, { lang_code: languageCode }] of article.versions.entries()) {
      yield* problemsOf.language(`${path}.versions[${version}].lang_code`, { languageCode, projectVersionId });
    }
  }
  for (const [index, { readerIds, invitedSsoUserIds, accessScope }] of base.reader_groups.entries()) {
    const path = `reader_groups[${index}]`;
    for (const [member, id] of readerIds.entries()) {
      yield* problemsOf.reader(`${path}.associated_readers[${member}]`, id);
    }
    for (const [member, id] of invitedSsoUserIds.entries()) {
      yield* problemsOf.invitation(`${path}.associated_invited_sso_users[${member}]`, id);
    }
    yield* scopeProblems(problemsOf, `${path}.access_scope`, accessScope);
  }
}

type References = ReturnType<typeof createReferences>;

/** The problem of a reference to each kind of entry. */
function createReferences(base: KnowledgeBase) {
  const projectVersions = new Set(base.project_versions.map(({ id }) => id));
  const languages = new Set(base.languages.map((language) => compositeKey(language.project_version_id, language.code)));
  const categories = new Map(base.categories.map((category) => [category.id, category]));
  const circular = findCircularCategories(categories);
  const readers = new Set(base.readers.map(({ reader_id }) => reader_id));
  const invitations = new Set(base.invited_sso_users.map(({ invitation_id }) => invitation_id));
  return {
    *projectVersion(path: string, id: string): Problems {
      if (!projectVersions.has(id)) yield [path, `there is no project version ${id}`];
    },
    *language(path: string, { languageCode, projectVersionId }: LanguageScope): Problems {
      if (languages.has(compositeKey(projectVersionId, languageCode))) return;
      yield [path, `there is no language ${languageCode} in the project version ${projectVersionId}`];
    },
    /** A category must belong to the project version of what refers to it. */
    *category(path: string, { categoryId, projectVersionId }: CategoryReference): Problems {
      const category = categories.get(categoryId);
      if (category?.project_version_id === projectVersionId) return;
      const where = category ? ` in the project version ${projectVersionId}` : '';
      yield [path, `there is no category ${categoryId}${where}`];
    },
    *parent(path: string, id: string): Problems {
      if (circular.has(id)) yield [path, 'puts the category below itself'];
    },
    *reader(path: string, id: string): Problems {
      if (!readers.has(id)) yield [path, `there is no reader ${id}`];
    },
    *invitation(path: string, id: string): Problems {
      if (!invitations.has(id)) yield [path, `there is no invitation ${id}`];
    },
  };
}

interface CategoryReference {
  readonly categoryId: string;
  readonly projectVersionId: string;
}

function* scopeProblems(problemsOf: References, path: string, scope: AccessScope): Problems {
  if (scope.level === 'VERSION') {
    for (const [index, id] of scope.projectVersionIds.entries()) {
      yield* problemsOf.projectVersion(`${path}.project_versions[${index}]`, id);
    }
  }
  if (scope.level === 'LANGUAGE') {
    for (const [index, language] of scope.languages.entries()) {
      yield* problemsOf.language(`${path}.languages[${index}].language_code`, language);
    }
  }
  if (scope.level === 'CATEGORY') {
    for (const [index, category] of scope.categories.entries()) {
      yield* problemsOf.category(`${path}.categories[${index}].category_id`, category);
      yield* problemsOf.language(`${path}.categories[${index}].language_code`, category);
    }
  }
}

/** Follows each parent once, so that long chains take linear time. A walk that returns to itself is a circle. */
function findCircularCategories(categories: ReadonlyMap<string, ImportedCategory>): ReadonlySet<string> {
  const circular = new Set<string>();
  const visited = new Set<string>();
  const parentOf = (id: string): string | null => categories.get(id)?.parent_category_id ?? null;
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

/** IDs that occur twice in a list. */
function* duplicateProblems(base: KnowledgeBase): Problems {
  const keysOfLanguages = base.languages.map(({ project_version_id, code }) => compositeKey(project_version_id, code));
  yield* repeatProblems('project_versions', 'id', { keys: base.project_versions.map(({ id }) => id) });
  yield* repeatProblems('languages', 'code', { keys: keysOfLanguages });
  yield* repeatProblems('categories', 'id', { keys: base.categories.map(({ id }) => id) });
  yield* repeatProblems('articles', 'id', { keys: base.articles.map(({ id }) => id) });
  for (const [index, { versions }] of base.articles.entries()) {
    const keys = versions.map(({ lang_code, version_number }) => compositeKey(lang_code, version_number));
    yield* repeatProblems(`articles[${index}].versions`, 'version_number', { keys });
  }
  yield* repeatProblems('readers', 'reader_id', { keys: base.readers.map(({ reader_id }) => reader_id) });
  const invitationIds = base.invited_sso_users.map(({ invitation_id }) => invitation_id);
  yield* repeatProblems('invited_sso_users', 'invitation_id', { keys: invitationIds });
  yield* repeatProblems('reader_groups', 'reader_group_id', { keys: base.reader_groups.map((group) => group.groupId) });
}

/** Second defaults: there is one project version and, in each project version, one language. */
function* duplicateDefaultProblems({ project_versions, languages }: KnowledgeBase): Problems {
  const versions = project_versions.map(({ is_default }) => (is_default ? '' : null));
  const ofVersions = languages.map(({ is_default, project_version_id }) => (is_default ? project_version_id : null));
  yield* repeatProblems('project_versions', 'is_default', { says: 'is true', keys: versions });
  yield* repeatProblems('languages', 'is_default', { says: 'is true', keys: ofVersions });
}

/** Several IDs as one key. */
const compositeKey = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

interface UniqueKeys {
  /** What the message says of the entry that was first. */
  readonly says?: string;
  /** The key of each entry; null for one without. */
  readonly keys: readonly (string | null)[];
}

function* repeatProblems(list: string, member: string, { says = 'stands', keys }: UniqueKeys): Problems {
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    if (key === null) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else yield [`${list}[${index}].${member}`, `${says} at ${list}[${earlier}] already`];
  }
}
