import { categoryKeyOf, editionKeyOf, type Option } from './choices.ts';
import type {
  AccessLevel,
  AccessScopeFieldsFragment,
  AccessScopeInput,
  CategoryScopeInput,
  LanguageScopeInput,
  ScopeLevel,
} from './generated/operations.ts';

/** The state of the form. Each list belongs to one kind, so no invalid combination can be entered. */
export type ScopeDraft =
  | { kind: 'level'; level: ScopeLevel }
  | { kind: 'categories'; chosen: readonly Option<CategoryScopeInput>[] }
  | { kind: 'projectVersions'; chosen: readonly Option<string>[] }
  | { kind: 'languages'; chosen: readonly Option<LanguageScopeInput>[] };

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

/** Null for a level that can be read but not written: the user has to choose another one. */
export function draftOf(scope: AccessScopeFieldsFragment): ScopeDraft | null {
  switch (scope.__typename) {
    case 'CategoryAccessScope':
      return {
        kind: 'categories',
        chosen: scope.categories.map(({ projectVersionId, categoryId, languageCode, category }) => {
          const value = { projectVersionId, categoryId, languageCode };
          return { key: categoryKeyOf(value), label: category?.name ?? categoryId, value };
        }),
      };
    case 'VersionAccessScope':
      return {
        kind: 'projectVersions',
        chosen: scope.projectVersionIds.map((id) => ({ key: id, label: id, value: id })),
      };
    case 'LanguageAccessScope':
      return {
        kind: 'languages',
        chosen: scope.languages.map(({ projectVersionId, languageCode }) => {
          const value = { projectVersionId, languageCode };
          return { key: editionKeyOf(value), label: `${projectVersionId} · ${languageCode}`, value };
        }),
      };
    case 'PlainAccessScope':
      return plainDraftOf(scope.level);
  }
}

function plainDraftOf(level: AccessLevel): ScopeDraft | null {
  switch (level) {
    case 'NONE':
    case 'PROJECT':
    case 'ARTICLE':
    case 'LEVEL_6':
      return { kind: 'level', level };
    case 'CATEGORY':
    case 'VERSION':
    case 'LANGUAGE':
    case 'UNRECOGNIZED':
      return null;
  }
}

/** Null until something is chosen. */
export function inputOf(draft: ScopeDraft | null): AccessScopeInput | null {
  if (draft === null || (draft.kind !== 'level' && draft.chosen.length === 0)) return null;
  switch (draft.kind) {
    case 'level':
      return { level: draft.level };
    case 'categories':
      return { categories: draft.chosen.map(({ value }) => value) };
    case 'projectVersions':
      return { projectVersions: draft.chosen.map(({ value }) => value) };
    case 'languages':
      return { languages: draft.chosen.map(({ value }) => value) };
  }
}

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
    case 'PlainAccessScope':
      return [];
  }
}
