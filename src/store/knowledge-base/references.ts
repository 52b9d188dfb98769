import { type ImportedArticle, type ImportedVersion, type KnowledgeBase, STORE_ACCOUNT } from './format.ts';

type ImportProblem = readonly [path: string, problem: string];

type Problems = Generator<ImportProblem>;

/**
 * The problems of references: duplicate IDs and defaults, references to IDs that are not in the knowledge base, and
 * circles of categories.
 */
export function* referenceProblems(base: KnowledgeBase): Problems {
  yield* duplicateProblems(base);
  const known = knownKeys(base);
  for (const [path, kind, id, projectVersionId] of references(base)) {
    if (known[kind].has(projectVersionId === undefined ? id : keyOf(id, projectVersionId))) continue;
    const where = projectVersionId === undefined ? '' : ` in the project version ${projectVersionId}`;
    yield [path, `there is no ${kind} ${id}${where}`];
  }
  const circular = findCircularCategories(base);
  for (const [index, { id }] of base.categories.entries()) {
    if (circular.has(id)) yield [`categories[${index}].parent_category_id`, 'puts the category below itself'];
  }
  for (const [index, article] of base.articles.entries()) yield* publicVersionProblems(`articles[${index}]`, article);
}

/** The public version of a language must be one of its published versions. */
function* publicVersionProblems(path: string, { public_version = {}, versions }: ImportedArticle): Problems {
  for (const [code, number] of Object.entries(public_version)) {
    const version = versions.find(({ lang_code, version_number }) => lang_code === code && version_number === number);
    if (version?.status === 3) continue;
    const problem = version === undefined ? 'there is no version' : 'the status must be 3 (published) of version';
    yield [`${path}.public_version.${code}`, `${problem} ${number} in the language ${code}`];
  }
}

type Kind = 'project version' | 'language' | 'category' | 'team account' | 'reader' | 'invitation';

/** A reference to an entry. Languages and categories must belong to the project version of the entry that refers to them. */
type Reference = readonly [path: string, kind: Kind, id: string, projectVersionId?: string];

const keyOf = (...parts: readonly (string | number | undefined)[]): string => JSON.stringify(parts);

/** The IDs of all entries by their kinds, with the project version of those that belong to one. */
const knownKeys = (base: KnowledgeBase): Readonly<Record<Kind, ReadonlySet<string>>> => ({
  'project version': new Set(base.project_versions.map(({ id }) => id)),
  language: new Set(base.languages.map(({ code, project_version_id }) => keyOf(code, project_version_id))),
  category: new Set(base.categories.map(({ id, project_version_id }) => keyOf(id, project_version_id))),
  'team account': new Set([STORE_ACCOUNT.user_id, ...base.team_accounts.map(({ user_id }) => user_id)]),
  reader: new Set(base.readers.map(({ reader_id }) => reader_id)),
  invitation: new Set(base.invited_sso_users.map(({ invitation_id }) => invitation_id)),
});

function* references(base: KnowledgeBase): Generator<Reference> {
  for (const [index, language] of base.languages.entries()) {
    yield [`languages[${index}].project_version_id`, 'project version', language.project_version_id];
  }
  for (const [index, { project_version_id, parent_category_id }] of base.categories.entries()) {
    const path = `categories[${index}]`;
    yield [`${path}.project_version_id`, 'project version', project_version_id];
    if (parent_category_id === null) continue;
    yield [`${path}.parent_category_id`, 'category', parent_category_id, project_version_id];
  }
  for (const [index, { project_version_id, category_id, versions }] of base.articles.entries()) {
    const path = `articles[${index}]`;
    yield [`${path}.project_version_id`, 'project version', project_version_id];
    if (category_id !== null) yield [`${path}.category_id`, 'category', category_id, project_version_id];
    for (const [number, version] of versions.entries()) {
      yield [`${path}.versions[${number}].lang_code`, 'language', version.lang_code, project_version_id];
      yield* accountsOfVersion(`${path}.versions[${number}]`, version);
    }
  }
  for (const [index, group] of base.reader_groups.entries()) yield* referencesOfGroup(`reader_groups[${index}]`, group);
}

function* accountsOfVersion(path: string, { created_by, authors = [] }: ImportedVersion): Generator<Reference> {
  if (created_by != null) yield [`${path}.created_by`, 'team account', created_by];
  for (const [index, id] of authors.entries()) yield [`${path}.authors[${index}]`, 'team account', id];
}

function* referencesOfGroup(path: string, group: KnowledgeBase['reader_groups'][number]): Generator<Reference> {
  const { readerIds, invitedSsoUserIds, accessScope: scope } = group;
  for (const [index, id] of readerIds.entries()) yield [`${path}.associated_readers[${index}]`, 'reader', id];
  for (const [index, id] of invitedSsoUserIds.entries()) {
    yield [`${path}.associated_invited_sso_users[${index}]`, 'invitation', id];
  }
  const versionIds = scope.level === 'VERSION' ? scope.projectVersionIds : [];
  for (const [index, id] of versionIds.entries()) {
    yield [`${path}.access_scope.project_versions[${index}]`, 'project version', id];
  }
  const categories = scope.level === 'CATEGORY' ? scope.categories : [];
  for (const [index, { projectVersionId, categoryId }] of categories.entries()) {
    yield [`${path}.access_scope.categories[${index}].category_id`, 'category', categoryId, projectVersionId];
  }
  const list = scope.level === 'LANGUAGE' ? 'languages' : 'categories';
  const languages = scope.level === 'LANGUAGE' ? scope.languages : categories;
  for (const [index, { projectVersionId, languageCode }] of languages.entries()) {
    yield [`${path}.access_scope.${list}[${index}].language_code`, 'language', languageCode, projectVersionId];
  }
}

/** Removes categories without children until nothing changes, so that circles are left. It takes linear time. */
function findCircularCategories({ categories }: KnowledgeBase): ReadonlySet<string> {
  const parents = new Map(categories.map(({ id, parent_category_id }) => [id, parent_category_id]));
  const children = new Map<string, number>();
  for (const parent of parents.values()) if (parent !== null) children.set(parent, (children.get(parent) ?? 0) + 1);
  const left = new Set(parents.keys());
  for (const start of parents.keys()) {
    let id: string | null = start;
    while (id !== null && (children.get(id) ?? 0) === 0 && left.delete(id)) {
      id = parents.get(id) ?? null;
      if (id !== null) children.set(id, (children.get(id) ?? 0) - 1);
    }
  }
  return left;
}

/** The problems of duplicate IDs, and of second defaults: of project versions, and of the languages of one. */
function* duplicateProblems({ project_versions, languages, articles, ...base }: KnowledgeBase): Problems {
  const lists = [
    ['project_versions', 'id', project_versions.map(({ id }) => id)],
    ['project_versions', 'is_default', project_versions.map(({ is_default }) => (is_default ? '' : null))],
    ['languages', 'code', languages.map(({ project_version_id, code }) => keyOf(project_version_id, code))],
    ['languages', 'is_default', languages.map((one) => (one.is_default ? one.project_version_id : null))],
    ['categories', 'id', base.categories.map(({ id }) => id)],
    ['team_accounts', 'user_id', base.team_accounts.map(({ user_id }) => user_id)],
    ['articles', 'id', articles.map(({ id }) => id)],
    ['readers', 'reader_id', base.readers.map(({ reader_id }) => reader_id)],
    ['invited_sso_users', 'invitation_id', base.invited_sso_users.map(({ invitation_id }) => invitation_id)],
    ['reader_groups', 'reader_group_id', base.reader_groups.map(({ groupId }) => groupId)],
  ] as const;
  for (const [list, member, keys] of lists) yield* repeats(list, member, keys);
  for (const [index, { versions }] of articles.entries()) {
    const keys = versions.map(({ lang_code, version_number }) => keyOf(lang_code, version_number));
    yield* repeats(`articles[${index}].versions`, 'version_number', keys);
  }
}

/** A problem for each key that an earlier entry of the list has. Null keys are ignored. */
function* repeats(list: string, member: string, keys: readonly (string | null)[]): Problems {
  const says = member === 'is_default' ? 'is true' : 'occurs';
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    if (key === null) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else yield [`${list}[${index}].${member}`, `${says} at ${list}[${earlier}] already`];
  }
}
