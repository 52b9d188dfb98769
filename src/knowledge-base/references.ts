import type { AccessScope } from '../domain/reader-groups/access-scopes.ts';
import type { ReaderGroupReplacement } from '../domain/reader-groups/reader-group-updates.ts';
import { defaultProblems, duplicateProblems, keyOf, type Problem } from './duplicate-ids.ts';
import type { ImportedArticle, ImportedCategory, KnowledgeBase } from './knowledge-base.ts';

/** What others may refer to. */
interface Known {
  readonly projectVersions: ReadonlySet<string>;
  /** By `keyOf(projectVersionId, code)`. */
  readonly languages: ReadonlySet<string>;
  readonly categories: ReadonlyMap<string, ImportedCategory>;
  /** IDs of the categories that are their own ancestors. */
  readonly circularCategories: ReadonlySet<string>;
  readonly readers: ReadonlySet<string>;
  readonly invitedSsoUsers: ReadonlySet<string>;
}

/** All that does not hold together in a knowledge base: what stands twice, and what refers to nothing in it. */
export function* referenceProblems(base: KnowledgeBase): Generator<Problem> {
  yield* duplicateProblems(base);
  yield* defaultProblems(base);
  const categories = new Map(base.categories.map((category) => [category.categoryId, category]));
  const known: Known = {
    projectVersions: new Set(base.projectVersions.map(({ projectVersionId }) => projectVersionId)),
    languages: new Set(base.languages.map(({ projectVersionId, code }) => keyOf(projectVersionId, code))),
    categories,
    circularCategories: circularCategories(categories),
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

function* projectVersionProblems(known: Known, path: string, id: string): Generator<Problem> {
  if (!known.projectVersions.has(id)) yield [path, `there is no project version ${id}`];
}

/** A category named by something that belongs to a project version: it must belong to the same one. */
function* categoryIdProblems(known: Known, path: string, named: { id: string; of: string }): Generator<Problem> {
  const category = known.categories.get(named.id);
  if (category?.projectVersionId === named.of) return;
  yield [path, `there is no category ${named.id}${category ? ` in the project version ${named.of}` : ''}`];
}

function* languageProblems(known: Known, path: string, named: { code: string; of: string }): Generator<Problem> {
  if (known.languages.has(keyOf(named.of, named.code))) return;
  yield [path, `there is no language ${named.code} in the project version ${named.of}`];
}

function* categoryProblems(known: Known, path: string, category: ImportedCategory): Generator<Problem> {
  const { projectVersionId, parentCategoryId } = category;
  yield* projectVersionProblems(known, `${path}.project_version_id`, projectVersionId);
  if (parentCategoryId === null) return;
  const parentPath = `${path}.parent_category_id`;
  yield* categoryIdProblems(known, parentPath, { id: parentCategoryId, of: projectVersionId });
  if (known.circularCategories.has(category.categoryId)) yield [parentPath, 'puts the category below itself'];
}

/** Follows each parent once, however long the chains are: a walk that meets itself has found a circle. */
function circularCategories(categories: Known['categories']): ReadonlySet<string> {
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

function* articleProblems(known: Known, path: string, article: ImportedArticle): Generator<Problem> {
  const { projectVersionId: of, categoryId } = article;
  yield* projectVersionProblems(known, `${path}.project_version_id`, of);
  if (categoryId !== null) yield* categoryIdProblems(known, `${path}.category_id`, { id: categoryId, of });
  for (const [index, { languageCode: code }] of article.versions.entries()) {
    yield* languageProblems(known, `${path}.versions[${index}].lang_code`, { code, of });
  }
}

function* groupProblems(known: Known, path: string, group: ReaderGroupReplacement): Generator<Problem> {
  for (const [index, id] of group.readerIds.entries()) {
    if (!known.readers.has(id)) yield [`${path}.associated_readers[${index}]`, `there is no reader ${id}`];
  }
  for (const [index, id] of group.invitedSsoUserIds.entries()) {
    if (known.invitedSsoUsers.has(id)) continue;
    yield [`${path}.associated_invited_sso_users[${index}]`, `there is no invitation ${id}`];
  }
  yield* scopeProblems(known, `${path}.access_scope`, group.accessScope);
}

function* scopeProblems(known: Known, path: string, scope: AccessScope): Generator<Problem> {
  if (scope.level === 'VERSION') {
    for (const [index, id] of scope.projectVersionIds.entries()) {
      yield* projectVersionProblems(known, `${path}.project_versions[${index}]`, id);
    }
  }
  if (scope.level === 'LANGUAGE') {
    for (const [index, { projectVersionId: of, languageCode: code }] of scope.languages.entries()) {
      yield* languageProblems(known, `${path}.languages[${index}].language_code`, { code, of });
    }
  }
  if (scope.level === 'CATEGORY') {
    for (const [index, { projectVersionId: of, categoryId: id, languageCode: code }] of scope.categories.entries()) {
      yield* categoryIdProblems(known, `${path}.categories[${index}].category_id`, { id, of });
      yield* languageProblems(known, `${path}.categories[${index}].language_code`, { code, of });
    }
  }
}
