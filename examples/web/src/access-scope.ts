import type {
  AccessLevel,
  AccessScopeFieldsFragment,
  AccessScopeInput,
  AccessScopeInputFieldsFragment,
} from './generated/graphql.ts';

export const LEVEL_NAMES = {
  NONE: 'Nothing',
  PROJECT: 'The whole project',
  VERSION: 'Chosen versions',
  LANGUAGE: 'Chosen languages',
  CATEGORY: 'Chosen categories',
  ARTICLE: 'Single articles',
  LEVEL_6: 'Level 6 (undocumented)',
  UNRECOGNIZED: 'A level that is not known here',
} as const satisfies Record<AccessLevel, string>;

/** The scope as it can be sent back; null for a level that is not known here. urql adds `__typename` to every object. */
export function inputOf(read: AccessScopeInputFieldsFragment): AccessScopeInput | null {
  if (read.__typename === 'UnrecognizedAccessScope') return null;
  const { __typename, ...input } = read;
  return JSON.parse(JSON.stringify(input), (name, value) => (name === '__typename' ? undefined : value));
}

/** False while nothing is chosen of a list. */
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
