import type { AccessScope } from '../domain/access-scopes.ts';
import { type BackendError, readerGroupNotFound } from '../domain/errors.ts';
import { previewReaderGroupUpdate, type ReaderGroupPreview } from '../domain/previews.ts';
import type { ReaderGroup, ReaderGroupUpdate } from '../domain/reader-groups.ts';
import type { InvitedSsoUser } from '../domain/readers.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { AccessScopeType } from './access-scopes.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { unwrap } from './failures.ts';
import { FieldChangeType } from './field-changes.ts';
import { findLanguage, findProjectVersion } from './project-versions.ts';
import { ReaderGroupType } from './reader-groups.ts';
import { InvitedSsoUserType, ReaderType } from './readers.ts';

export interface GroupPreview extends ReaderGroupPreview {
  readonly kind: 'preview';
  readonly problems: readonly string[];
}

export const UpdateReaderGroupPreview = builder.objectRef<GroupPreview>('UpdateReaderGroupPreview').implement({
  description: 'What the update would change. Nothing was written.',
  fields: (t) => ({
    wouldSucceed: t.boolean({
      description: 'Whether nothing speaks against the update.',
      resolve: ({ problems }) => problems.length === 0,
    }),
    problems: t.exposeStringList('problems', { description: 'What speaks against it: IDs that do not exist.' }),
    readerGroup: t.expose('group', { type: ReaderGroupType, description: 'The group as it stands.' }),
    accessScope: t.expose('accessScope', { type: AccessScopeType, description: 'What the group may read afterwards.' }),
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
      resolve: ({ removedReaderIds }, _args, { loaders }) =>
        Promise.all(removedReaderIds.map((id) => loaders.readers.load(id))),
    }),
    addedInvitedSsoUserIds: t.exposeIDList('addedInvitedSsoUserIds', { description: 'Invited people who would join.' }),
    removedInvitedSsoUserIds: t.exposeIDList('removedInvitedSsoUserIds', {
      description: 'Invited people who would be removed.',
    }),
    removedInvitedSsoUsers: t.field({
      type: [InvitedSsoUserType],
      nullable: true,
      description: 'The same by name; those that no longer exist are left out.',
      resolve: (preview, _args, context) => invitedAmong(context, preview.group, preview.removedInvitedSsoUserIds),
    }),
  }),
});

export async function previewOfUpdate(
  context: Context,
  update: ReaderGroupUpdate,
): Promise<Result<GroupPreview, BackendError>> {
  const group = await context.loaders.readerGroups.load(update.groupId);
  if (group === null) return err(readerGroupNotFound([]));
  const preview = previewReaderGroupUpdate(update, group);
  const problems = [
    ...(await unknownReaders(context, preview.addedReaderIds)),
    ...(await unknownInvitations(context, preview)),
    ...(await unknownInScope(context, update.accessScope)),
  ];
  return ok({ ...preview, kind: 'preview', problems });
}

async function unknownReaders({ loaders }: Context, readerIds: readonly string[]): Promise<readonly string[]> {
  const readers = await Promise.all(readerIds.map((id) => loaders.readers.load(id)));
  return readerIds.filter((_, index) => !readers[index]).map((id) => `Reader ${id} does not exist.`);
}

async function unknownInvitations(
  context: Context,
  { group, addedInvitedSsoUserIds }: ReaderGroupPreview,
): Promise<readonly string[]> {
  const users = await invitedAmong(context, group, addedInvitedSsoUserIds);
  const known = new Set(users.map(({ invitationId }) => invitationId));
  return addedInvitedSsoUserIds.filter((id) => !known.has(id)).map((id) => `Invitation ${id} does not exist.`);
}

/** Who stands behind these invitations: asked for as if the group had exactly them, since that is how they are found. */
async function invitedAmong(
  { backend, caller }: Context,
  group: ReaderGroup,
  invitedSsoUserIds: readonly string[],
): Promise<readonly InvitedSsoUser[]> {
  if (invitedSsoUserIds.length === 0) return [];
  const [users] = await backend.invitedSsoUsersOfGroups(caller, [{ ...group, invitedSsoUserIds }]);
  return users ? unwrap(users) : [];
}

async function unknownInScope(context: Context, scope: AccessScope): Promise<readonly string[]> {
  if (scope.level === 'VERSION') {
    const versions = await Promise.all(scope.projectVersionIds.map((id) => findProjectVersion(context, id)));
    const unknown = scope.projectVersionIds.filter((_, index) => !versions[index]);
    return unknown.map((id) => `Project version ${id} does not exist.`);
  }
  if (scope.level === 'LANGUAGE') return unknownLanguages(context, scope.languages);
  if (scope.level !== 'CATEGORY') return [];
  const categories = await Promise.all(scope.categories.map((key) => context.loaders.categories.load(key)));
  const unknown = scope.categories.filter(
    ({ projectVersionId }, index) => categories[index]?.projectVersionId !== projectVersionId,
  );
  return [
    ...unknown.map(({ categoryId }) => `Category ${categoryId} does not exist in its project version.`),
    ...(await unknownLanguages(context, scope.categories)),
  ];
}

async function unknownLanguages(
  context: Context,
  scopes: readonly { projectVersionId: string; languageCode: string }[],
): Promise<readonly string[]> {
  const languages = await Promise.all(scopes.map((scope) => findLanguage(context, scope)));
  return scopes
    .filter((_, index) => !languages[index])
    .map(
      ({ projectVersionId, languageCode }) =>
        `Project version ${projectVersionId} does not exist, or has no language ${languageCode}.`,
    );
}
