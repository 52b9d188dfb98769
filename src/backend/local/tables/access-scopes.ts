import type { AccessScope, KnownAccessLevel } from '../../../domain/reader-groups/access-scopes.ts';
import type { Tables } from './tables.ts';

/** One entry of a scope's list, for every level: a project version with the language or category of it, if any. */
export type ScopeColumns = Omit<Tables['reader_group_scopes'], 'group_id' | 'position'>;

export function toScopeColumns(scope: AccessScope): readonly ScopeColumns[] {
  if (scope.level === 'VERSION') {
    return scope.projectVersionIds.map((id) => ({ project_version_id: id, category_id: null, language_code: null }));
  }
  if (scope.level === 'LANGUAGE') {
    return scope.languages.map(({ projectVersionId, languageCode }) => ({
      project_version_id: projectVersionId,
      category_id: null,
      language_code: languageCode,
    }));
  }
  if (scope.level !== 'CATEGORY') return [];
  return scope.categories.map(({ projectVersionId, categoryId, languageCode }) => ({
    project_version_id: projectVersionId,
    category_id: categoryId,
    language_code: languageCode,
  }));
}

/** Every level stores the columns that it needs, so the fallback '' is never stored. */
export function toAccessScope(level: KnownAccessLevel, rows: readonly ScopeColumns[]): AccessScope {
  if (level === 'VERSION') {
    return { level, projectVersionIds: rows.map(({ project_version_id }) => project_version_id) };
  }
  const languages = rows.map(({ project_version_id, language_code }) => ({
    projectVersionId: project_version_id,
    languageCode: language_code ?? '',
  }));
  if (level === 'LANGUAGE') return { level, languages };
  if (level !== 'CATEGORY') return { level };
  const categories = rows.map(({ project_version_id, category_id, language_code }) => ({
    projectVersionId: project_version_id,
    categoryId: category_id ?? '',
    languageCode: language_code ?? '',
  }));
  return { level, categories };
}
