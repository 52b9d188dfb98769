import type { AccessScope } from '../../../domain/reader-groups/access-scopes.ts';
import type { Tables } from './tables.ts';

/** What hangs on a group, as rows. Their positions count from 0 in the given order; an ID given twice is stored once. */

type ScopeRow = Omit<Tables['reader_group_scopes'], 'group_id' | 'position'>;

/** The lists of all levels in one shape: a project version, and the language or the category of it. */
export function scopeRows(scope: AccessScope): readonly ScopeRow[] {
  if (scope.level === 'VERSION') return scope.projectVersionIds.map((id) => scopeRow(id, null, null));
  if (scope.level === 'LANGUAGE') {
    return scope.languages.map(({ projectVersionId, languageCode }) => scopeRow(projectVersionId, null, languageCode));
  }
  if (scope.level !== 'CATEGORY') return [];
  return scope.categories.map(({ projectVersionId, categoryId, languageCode }) =>
    scopeRow(projectVersionId, categoryId, languageCode),
  );
}

const scopeRow = (projectVersionId: string, categoryId: string | null, languageCode: string | null): ScopeRow => ({
  project_version_id: projectVersionId,
  category_id: categoryId,
  language_code: languageCode,
});

export const groupScopeRows = (groupId: string, scope: AccessScope): readonly Tables['reader_group_scopes'][] =>
  scopeRows(scope).map((row, position) => ({ group_id: groupId, position, ...row }));

export const groupReaderRows = (
  groupId: string,
  readerIds: readonly string[],
): readonly Tables['reader_group_readers'][] =>
  [...new Set(readerIds)].map((id, position) => ({ group_id: groupId, position, reader_id: id }));

export const groupInvitedRows = (
  groupId: string,
  invitationIds: readonly string[],
): readonly Tables['reader_group_invited_sso_users'][] =>
  [...new Set(invitationIds)].map((id, position) => ({ group_id: groupId, position, invited_sso_user_id: id }));
