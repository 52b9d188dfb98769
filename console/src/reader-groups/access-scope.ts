import type { AccessLevel, AccessScopeFieldsFragment, AccessScopeInput } from '../generated/graphql.ts';

/** The record is total: a new level of the schema does not compile without a name. */
export const LEVEL_NAMES: Readonly<Record<AccessLevel, string>> = {
  NONE: 'Nothing',
  PROJECT: 'The whole project',
  VERSION: 'Chosen versions',
  LANGUAGE: 'Chosen languages',
  CATEGORY: 'Chosen categories',
  ARTICLE: 'Single articles',
  LEVEL_6: 'Level 6 (undocumented)',
  UNRECOGNIZED: 'A level that is not known here',
};

/** The scope in the form of an input; null for a level that the page does not know. */
export function scopeInputOf(read: AccessScopeFieldsFragment): AccessScopeInput | null {
  switch (read.__typename) {
    case 'PlainAccessScope':
      return { level: read.scopeLevel };
    case 'VersionAccessScope':
      return { projectVersionIds: [...read.projectVersionIds] };
    case 'LanguageAccessScope':
      return {
        languages: read.languages.map(({ projectVersionId, languageCode }) => ({ projectVersionId, languageCode })),
      };
    case 'CategoryAccessScope':
      return { categories: read.categories.map(({ category: _named, ...scope }) => scope) };
    default:
      return null;
  }
}

/** False while a list is empty that must not be. */
export const isComplete = ({ level, categories, projectVersionIds, languages }: AccessScopeInput): boolean =>
  level != null || [categories, projectVersionIds, languages].some((list) => list != null && list.length > 0);

/** The scope in one line of text. */
export function scopeText(scope: AccessScopeFieldsFragment): string {
  const names = namesIn(scope).join(', ');
  return names === '' ? LEVEL_NAMES[scope.level] : `${LEVEL_NAMES[scope.level]}: ${names}`;
}

function namesIn(scope: AccessScopeFieldsFragment): readonly string[] {
  switch (scope.__typename) {
    case 'CategoryAccessScope':
      return scope.categories.map(({ category, categoryId }) => category?.name ?? categoryId);
    case 'VersionAccessScope':
      return scope.projectVersionIds.map((id, index) => scope.projectVersions?.[index]?.name ?? id);
    case 'LanguageAccessScope':
      return scope.languages.map(
        ({ projectVersion, projectVersionId, language, languageCode }) =>
          `${projectVersion?.name ?? projectVersionId} · ${language?.name ?? languageCode}`,
      );
    default:
      return [];
  }
}
