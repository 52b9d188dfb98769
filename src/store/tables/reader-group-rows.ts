import type { AccessScope, CategoryScope, KnownAccessLevel } from '../../core/reader-groups/access-scopes.ts';
import type { ReaderGroupUpdate } from '../../core/reader-groups/reader-group-updates.ts';
import { insertRows } from './rows.ts';
import type { StoreDatabase, Tables } from './tables.ts';

type GroupLists = Pick<ReaderGroupUpdate, 'groupId' | 'readerIds' | 'invitedSsoUserIds' | 'accessScope'>;

/** Stores the lists of groups that have no lists yet. Positions count from 0; a repeated member ID is stored once. */
export async function insertGroupLists(transaction: StoreDatabase, groups: readonly GroupLists[]): Promise<void> {
  const readers = groups.flatMap(({ groupId: group_id, readerIds }) =>
    [...new Set(readerIds)].map((reader_id, position) => ({ group_id, position, reader_id })),
  );
  const invited = groups.flatMap(({ groupId: group_id, invitedSsoUserIds }) =>
    [...new Set(invitedSsoUserIds)].map((id, position) => ({ group_id, position, invited_sso_user_id: id })),
  );
  const scopes = groups.flatMap(({ groupId: group_id, accessScope }) =>
    accessScope === undefined
      ? []
      : toScopeColumns(accessScope).map((columns, position) => ({ group_id, position, ...columns })),
  );
  await insertRows(transaction, 'reader_group_readers', readers);
  await insertRows(transaction, 'reader_group_invited_sso_users', invited);
  await insertRows(transaction, 'reader_group_scopes', scopes);
}

/** One entry of a scope's list at any level: a project version, with a language or a category where the level has one. */
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
