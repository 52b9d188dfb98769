import { type BackendError, readerGroupNotFound } from '../../domain/errors.ts';
import type { AccessScope } from '../../domain/reader-groups/access-scopes.ts';
import { previewReaderGroupUpdate, type ReaderGroupPreview } from '../../domain/reader-groups/reader-group-previews.ts';
import type { ReaderGroupUpdate } from '../../domain/reader-groups/reader-group-updates.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { findLanguage, findProjectVersion } from '../articles/project-versions.ts';
import { builder } from '../builder.ts';
import { type Context, loadAll } from '../context.ts';
import { FieldChangeType } from '../field-changes.ts';
import { AccessScopeType } from './access-scopes.ts';
import { InvitedSsoUserType, loadInvitedSsoUsers } from './invited-sso-users.ts';
import { ReaderGroupType } from './reader-groups.ts';
import { ReaderType } from './readers.ts';

export interface ReaderGroupPreviewPayload extends ReaderGroupPreview {
  readonly kind: 'preview';
  readonly problems: readonly string[];
}

export const UpdateReaderGroupPreview = builder
  .objectRef<ReaderGroupPreviewPayload>('UpdateReaderGroupPreview')
  .implement({
    description: 'What the update would change. Nothing was written.',
    fields: (t) => ({
      wouldSucceed: t.boolean({
        description: 'Whether nothing speaks against the update.',
        resolve: ({ problems }) => problems.length === 0,
      }),
      problems: t.exposeStringList('problems', { description: 'What speaks against it: IDs that do not exist.' }),
      readerGroup: t.expose('group', { type: ReaderGroupType, description: 'The group as it stands.' }),
      accessScope: t.expose('accessScope', {
        type: AccessScopeType,
        description: 'What the group may read afterwards.',
      }),
      changesAccessScope: t.exposeBoolean('changesAccessScope', {
        description: 'Whether that differs from what it may read now.',
      }),
      changes: t.expose('changes', {
        type: [FieldChangeType],
        description: 'Which of `title` and `description` would change.',
      }),
      addedReaderIds: t.exposeIDList('addedReaderIds', { description: 'Readers who would join.' }),
      removedReaderIds: t.exposeIDList('removedReaderIds', { description: 'Readers who would be removed.' }),
      removedReaders: t.field({
        type: t.listRef(ReaderType, { nullable: true }),
        nullable: true,
        description: 'The same by name; null in the place of one that no longer exists.',
        resolve: ({ removedReaderIds }, _args, context) =>
          loadAll(context, removedReaderIds, (id) => context.loaders.readers.load(id)),
      }),
      addedInvitedSsoUserIds: t.exposeIDList('addedInvitedSsoUserIds', {
        description: 'Invited people who would join.',
      }),
      removedInvitedSsoUserIds: t.exposeIDList('removedInvitedSsoUserIds', {
        description: 'Invited people who would be removed.',
      }),
      removedInvitedSsoUsers: t.field({
        type: [InvitedSsoUserType],
        nullable: true,
        description: 'The same by name; those that no longer exist are left out.',
        resolve: ({ removedInvitedSsoUserIds }, _args, context) =>
          loadInvitedSsoUsers(context, removedInvitedSsoUserIds),
      }),
    }),
  });

export async function loadReaderGroupPreview(
  context: Context,
  update: ReaderGroupUpdate,
): Promise<Result<ReaderGroupPreviewPayload, BackendError>> {
  const group = await context.loaders.readerGroups.load(update.groupId);
  if (group === null) return err(readerGroupNotFound([]));
  const preview = previewReaderGroupUpdate(update, group);
  const problems = [
    ...(await unknownReaderProblems(context, preview.addedReaderIds)),
    ...(await unknownInvitationProblems(context, preview.addedInvitedSsoUserIds)),
    ...(await accessScopeProblems(context, update.accessScope)),
  ];
  return ok({ ...preview, kind: 'preview', problems });
}

async function unknownReaderProblems(context: Context, readerIds: readonly string[]): Promise<readonly string[]> {
  const readers = await loadAll(context, readerIds, (id) => context.loaders.readers.load(id));
  return readerIds.filter((_, index) => !readers[index]).map((id) => `Reader ${id} does not exist.`);
}

async function unknownInvitationProblems(
  context: Context,
  invitationIds: readonly string[],
): Promise<readonly string[]> {
  const users = await loadAll(context, invitationIds, (id) => context.loaders.invitedSsoUsers.load(id));
  return invitationIds.filter((_, index) => !users[index]).map((id) => `Invitation ${id} does not exist.`);
}

async function accessScopeProblems(context: Context, scope: AccessScope): Promise<readonly string[]> {
  if (scope.level === 'VERSION') {
    const versions = await loadAll(context, scope.projectVersionIds, (id) => findProjectVersion(context, id));
    const unknown = scope.projectVersionIds.filter((_, index) => !versions[index]);
    return unknown.map((id) => `Project version ${id} does not exist.`);
  }
  if (scope.level === 'LANGUAGE') return unknownLanguageProblems(context, scope.languages);
  if (scope.level !== 'CATEGORY') return [];
  const categories = await loadAll(context, scope.categories, (key) => context.loaders.categories.load(key));
  const unknown = scope.categories.filter(
    ({ projectVersionId }, index) => categories[index]?.projectVersionId !== projectVersionId,
  );
  return [
    ...unknown.map(({ categoryId }) => `Category ${categoryId} does not exist in its project version.`),
    ...(await unknownLanguageProblems(context, scope.categories)),
  ];
}

async function unknownLanguageProblems(
  context: Context,
  scopes: readonly { projectVersionId: string; languageCode: string }[],
): Promise<readonly string[]> {
  const languages = await loadAll(context, scopes, (scope) => findLanguage(context, scope));
  return scopes
    .filter((_, index) => !languages[index])
    .map(
      ({ projectVersionId, languageCode }) =>
        `Project version ${projectVersionId} does not exist, or has no language ${languageCode}.`,
    );
}
