import { ACCESS_LEVELS, type AccessScope, type KnownAccessLevel } from '../../../domain/reader-groups/access-scopes.ts';
import { at, itemsOf, objectsOf, type Place, readId, readOneOf } from '../places.ts';

const LEVELS: ReadonlyMap<unknown, KnownAccessLevel> = new Map([
  [ACCESS_LEVELS.NONE, 'NONE'],
  [ACCESS_LEVELS.CATEGORY, 'CATEGORY'],
  [ACCESS_LEVELS.VERSION, 'VERSION'],
  [ACCESS_LEVELS.PROJECT, 'PROJECT'],
  [ACCESS_LEVELS.LANGUAGE, 'LANGUAGE'],
  [ACCESS_LEVELS.ARTICLE, 'ARTICLE'],
  [ACCESS_LEVELS.LEVEL_6, 'LEVEL_6'],
]);

/** The list that each level needs; the others need none (spec, AccessScope). */
const LIST_OF_LEVEL: Partial<Record<KnownAccessLevel, string>> = {
  CATEGORY: 'categories',
  VERSION: 'project_versions',
  LANGUAGE: 'languages',
};

/** The scope of a group in the shape of REST, where null, absence and `[]` all mean that a list is not there. */
export function readAccessScope(scope: Place): AccessScope {
  const level = readOneOf(at(scope, 'access_level'), LEVELS);
  if (level === undefined) return { level: 'NONE' };
  for (const list of ['categories', 'project_versions', 'languages']) {
    const { path, value } = at(scope, list);
    const isThere = value != null && !(Array.isArray(value) && value.length === 0);
    if (list === LIST_OF_LEVEL[level] && !isThere)
      scope.report(path, 'must have at least one entry at this access_level');
    if (list !== LIST_OF_LEVEL[level] && isThere) scope.report(path, 'must not be there at this access_level');
  }
  return readLists(level, scope);
}

function readLists(level: KnownAccessLevel, scope: Place): AccessScope {
  if (level === 'VERSION')
    return { level, projectVersionIds: readList(scope, 'project_versions', itemsOf).map(readId) };
  if (level === 'LANGUAGE') return { level, languages: readList(scope, 'languages', objectsOf).map(readLanguage) };
  if (level !== 'CATEGORY') return { level };
  const categories = readList(scope, 'categories', objectsOf).map((category) => ({
    ...readLanguage(category),
    categoryId: readId(at(category, 'category_id')),
  }));
  return { level, categories };
}

/** A list that is not there was reported above. */
function readList(scope: Place, name: string, read: (list: Place) => readonly Place[]): readonly Place[] {
  const list = at(scope, name);
  return list.value == null ? [] : read(list);
}

const readLanguage = (entry: Place) => ({
  projectVersionId: readId(at(entry, 'project_version_id')),
  languageCode: readId(at(entry, 'language_code')),
});
