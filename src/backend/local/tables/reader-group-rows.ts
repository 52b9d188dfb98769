import type { AccessScope, CategoryScope, KnownAccessLevel } from '../../../domain/reader-groups/access-scopes.ts';
import type { Tables } from './tables.ts';

/** Rows of the lists of a group. Positions count from 0 in the given order; a repeated member ID is stored once. */

export const groupScopeRows = (groupId: string, scope: AccessScope): readonly Tables['reader_group_scopes'][] =>
  toScopeColumns(scope).map((columns, position) => ({ group_id: groupId, position, ...columns }));

export const groupReaderRows = (
  groupId: string,
  readerIds: readonly string[],
): readonly Tables['reader_group_readers'][] =>
  [...new Set(readerIds)].map((id, position) => ({ group_id: groupId, position, reader_id: id }));

export const groupInvitedSsoUserRows = (
  groupId: string,
  invitationIds: readonly string[],
): readonly Tables['reader_group_invited_sso_users'][] =>
  [...new Set(invitationIds)].map((id, position) => ({ group_id: groupId, position, invited_sso_user_id: id }));

/** One entry of a scope's list, for every level: a project version with the language or category of it, if any. */
export type ScopeColumns = Omit<Tables['reader_group_scopes'], 'group_id' | 'position'>;

export function toScopeColumns(scope: AccessScope): readonly ScopeColumns[] {
  if (scope.level === 'VERSION')
    return scope.projectVersionIds.map((projectVersionId) => columnsOf({ projectVersionId }));
  if (scope.level === 'LANGUAGE') return scope.languages.map(columnsOf);
  return scope.level === 'CATEGORY' ? scope.categories.map(columnsOf) : [];
}

type ScopeEntry = Pick<CategoryScope, 'projectVersionId'> & { readonly [Id in keyof CategoryScope]?: string | null };

const columnsOf = ({ projectVersionId, categoryId = null, languageCode = null }: ScopeEntry): ScopeColumns => ({
  project_version_id: projectVersionId,
  category_id: categoryId,
  language_code: languageCode,
});

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
  return {
    level,
    categories: rows.map(({ project_version_id, category_id, language_code }) => ({
      projectVersionId: project_version_id,
      categoryId: category_id ?? '',
      languageCode: language_code ?? '',
    })),
  };
}
