import { err, ok, type Result } from '../../base/result.ts';
import { type BackendError, type InputIssue, readerGroupNotFound } from '../../domain/errors.ts';
import { keptScopeProblem } from '../../domain/reader-groups/access-scopes.ts';
import { previewReaderGroupUpdate, type ReaderGroupPreview } from '../../domain/reader-groups/reader-group-previews.ts';
import { type ReaderGroupUpdate, validateReaderGroupUpdate } from '../../domain/reader-groups/reader-group-updates.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context, checkFurtherCalls, loadAll } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { InputIssueType } from '../errors/input-issues.ts';
import { FieldChangeType } from '../field-changes.ts';
import { runMutation } from '../run-mutation.ts';
import { AccessScopeType } from './access-scopes.ts';
import { InvitedSsoUserType, loadInvitedSsoUsers } from './invited-sso-users.ts';
import { READER_GROUP_PREVIEW_ERROR_KINDS } from './reader-group-errors.ts';
import {
  callsForMembers,
  callsForScope,
  findUnknownInvitations,
  findUnknownReaders,
  findUnknownScopeEntries,
} from './reader-group-issues.ts';
import { UpdateReaderGroupInput } from './reader-group-updates.ts';
import { ReaderGroupType } from './reader-groups.ts';
import { ReaderType } from './readers.ts';

interface ReaderGroupPreviewPayload extends ReaderGroupPreview {
  readonly kind: 'preview';
  readonly issues: readonly InputIssue[];
}

const UpdateReaderGroupPreview = builder.objectRef<ReaderGroupPreviewPayload>('UpdateReaderGroupPreview').implement({
  description: 'What an update of a reader group would change. Nothing was written.',
  fields: (t) => ({
    wouldSucceed: t.boolean({
      description: 'True when the gateway finds no reason against the update: `issues` is empty.',
      resolve: ({ issues }) => issues.length === 0,
    }),
    issues: t.expose('issues', {
      type: [InputIssueType],
      description:
        'The reasons why the update would fail, in the order of the input fields: IDs and languages that do not exist, and an access scope that cannot be kept. Empty when there is none.',
    }),
    readerGroup: t.expose('group', {
      type: ReaderGroupType,
      description: 'The reader group as it is now, without the update.',
    }),
    accessScope: t.expose('accessScope', {
      type: AccessScopeType,
      description: 'What the members of the group may read after the update.',
    }),
    changesAccessScope: t.exposeBoolean('changesAccessScope', {
      description: 'True when the update would change what the members of the group may read.',
    }),
    changes: t.expose('changes', {
      type: [FieldChangeType],
      description: 'The changes of the title and of the description, in this order; empty where both stay as they are.',
    }),
    addedReaderIds: t.exposeIDList('addedReaderIds', {
      description: "The service's IDs of the readers who would join, in the order of the input.",
    }),
    removedReaderIds: t.exposeIDList('removedReaderIds', {
      description: "The service's IDs of the readers who would be removed, in the order of the group.",
    }),
    removedReaders: t.field({
      type: t.listRef(ReaderType, { nullable: true }),
      nullable: true,
      description:
        'The readers who would be removed, in the order of `removedReaderIds`, with null in the place of one that no longer exists. Null as a whole, with an entry in `errors`, where they cannot be read.',
      resolve: ({ removedReaderIds }, _args, context) =>
        loadAll(context, removedReaderIds, (id) => context.loaders.readers.load(id)),
    }),
    addedInvitedSsoUserIds: t.exposeIDList('addedInvitedSsoUserIds', {
      description: 'Invitation IDs of the invited users who would join, in the order of the input.',
    }),
    removedInvitedSsoUserIds: t.exposeIDList('removedInvitedSsoUserIds', {
      description: 'Invitation IDs of the invited users who would be removed, in the order of the group.',
    }),
    removedInvitedSsoUsers: t.field({
      type: t.listRef(InvitedSsoUserType, { nullable: true }),
      nullable: true,
      description:
        'The invited users who would be removed, in the order of `removedInvitedSsoUserIds`, with null in the place of one that no longer exists. Null as a whole, with an entry in `errors`, where they cannot be read.',
      resolve: ({ removedInvitedSsoUserIds }, _args, context) => loadInvitedSsoUsers(context, removedInvitedSsoUserIds),
    }),
  }),
});

const PreviewUpdateReaderGroupResult = builder.unionType('PreviewUpdateReaderGroupResult', {
  description: 'The preview of an update of a reader group, or the error that says why there is none.',
  types: [UpdateReaderGroupPreview, ...errorTypesOf(READER_GROUP_PREVIEW_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'preview' ? 'UpdateReaderGroupPreview' : errorTypeName(result)),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  previewUpdateReaderGroup(input: { groupId: "g1", readerIds: ["r1", "r2"] }) {
    ... on UpdateReaderGroupPreview { wouldSucceed issues { path message } removedReaders { email } }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationField('previewUpdateReaderGroup', (t) =>
  t.field({
    type: PreviewUpdateReaderGroupResult,
    nullable: true,
    description: `Checks an update of a reader group, tells what \`updateReaderGroup\` would change with the same input, and writes nothing. A mutation only so that no client caches the answer. Over the service, a preview reads the group, and what the input names: one call for readers and invitations, one for project versions, and one for each project version and language with categories; more where a list does not fit into one answer. Where these calls are too many, the answer is \`TooCostlyError\` before the first of them.
${EXAMPLE}`,
    args: {
      input: t.arg({
        type: UpdateReaderGroupInput,
        required: true,
        description: 'The reader group, and the values that its properties would get.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const result = await runMutation(context, {
        scope: 'groups:write',
        isPreview: true,
        validation: validateReaderGroupUpdate(input),
        send: (update) => loadReaderGroupPreview(authorizeRead(context), update),
      });
      return result.ok ? result.value : toErrorOfKinds(READER_GROUP_PREVIEW_ERROR_KINDS, result.error);
    },
  }),
);

async function loadReaderGroupPreview(
  context: Context,
  update: ReaderGroupUpdate,
): Promise<Result<ReaderGroupPreviewPayload, BackendError>> {
  const { readerIds = [], invitedSsoUserIds = [], accessScope } = update;
  const calls = checkFurtherCalls(
    context,
    1 + callsForMembers(readerIds, invitedSsoUserIds) + callsForScope(accessScope),
  );
  if (!calls.ok) return calls;
  const group = await context.loaders.readerGroups.load(update.groupId);
  if (group === null) return err(readerGroupNotFound([]));
  const problem = accessScope === undefined ? keptScopeProblem(group.accessScope) : null;
  const readers = { field: 'readerIds', ids: readerIds, members: group.readerIds };
  const invited = { field: 'invitedSsoUserIds', ids: invitedSsoUserIds, members: group.invitedSsoUserIds };
  const issues = [
    ...(await findUnknownReaders(context, readers)),
    ...(await findUnknownInvitations(context, invited)),
    ...(accessScope === undefined ? [] : await findUnknownScopeEntries(context, accessScope)),
    ...(problem === null ? [] : [{ path: ['accessScope'], message: problem }]),
  ];
  return ok({ ...previewReaderGroupUpdate(update, group), kind: 'preview', issues });
}
