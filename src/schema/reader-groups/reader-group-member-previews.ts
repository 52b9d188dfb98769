import { err, ok, type Result } from '../../base/result.ts';
import { type BackendError, type InputIssue, readerGroupNotFound } from '../../domain/errors.ts';
import { keptScopeProblem } from '../../domain/reader-groups/access-scopes.ts';
import {
  applyMembersUpdate,
  changesNothing,
  type MembersChanges,
  type MembersUpdate,
  validateMembersUpdate,
} from '../../domain/reader-groups/reader-group-members.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-groups.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context, checkFurtherCalls } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { InputIssueType } from '../errors/input-issues.ts';
import { runMutation } from '../run-mutation.ts';
import { READER_GROUP_PREVIEW_ERROR_KINDS } from './reader-group-errors.ts';
import { callsForMembers, findUnknownInvitations, findUnknownReaders } from './reader-group-issues.ts';
import { ChangeReaderGroupMembersInput, MembersChangeType } from './reader-group-members.ts';
import { ReaderGroupType } from './reader-groups.ts';

interface MembersPreview extends MembersChanges {
  readonly kind: 'preview';
  readonly group: ReaderGroup;
  readonly issues: readonly InputIssue[];
}

const ChangeReaderGroupMembersPreview = builder.objectRef<MembersPreview>('ChangeReaderGroupMembersPreview').implement({
  description: 'What a change of the members of a reader group would do. Nothing was written.',
  fields: (t) => ({
    wouldSucceed: t.boolean({
      description: 'True when the gateway finds no reason against the change: `issues` is empty.',
      resolve: ({ issues }) => issues.length === 0,
    }),
    issues: t.expose('issues', {
      type: [InputIssueType],
      description:
        'The reasons why the change would fail, in the order of the input fields: IDs to add that do not exist, and a group whose access scope cannot be written back. Empty when there is none.',
    }),
    readers: t.expose('readers', {
      type: MembersChangeType,
      description: 'Who of the named readers would join or leave, by reader ID.',
    }),
    invitedSsoUsers: t.expose('invitedSsoUsers', {
      type: MembersChangeType,
      description: 'Who of the named invited users would join or leave, by invitation ID.',
    }),
    readerGroup: t.expose('group', {
      type: ReaderGroupType,
      description: 'The reader group as it is now, without the change.',
    }),
  }),
});

const PreviewChangeReaderGroupMembersResult = builder.unionType('PreviewChangeReaderGroupMembersResult', {
  description: 'The preview of a change of members, or the error that says why there is none.',
  types: [ChangeReaderGroupMembersPreview, ...errorTypesOf(READER_GROUP_PREVIEW_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'preview' ? 'ChangeReaderGroupMembersPreview' : errorTypeName(result)),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  previewChangeReaderGroupMembers(input: { groupId: "g1", addReaderIds: ["r7"] }) {
    ... on ChangeReaderGroupMembersPreview { wouldSucceed issues { path message } readers { added alreadyMembers } }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationField('previewChangeReaderGroupMembers', (t) =>
  t.field({
    type: PreviewChangeReaderGroupMembersResult,
    nullable: true,
    description: `Checks a change of the members of a reader group, tells what \`changeReaderGroupMembers\` would do with the same input, and writes nothing. A mutation only so that no client caches the answer. Over the service, a preview reads the group, and the list of readers where somebody is to join.
${EXAMPLE}`,
    args: {
      input: t.arg({
        type: ChangeReaderGroupMembersInput,
        required: true,
        description: 'The reader group, who would join, and who would leave.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const result = await runMutation(context, {
        scope: 'groups:write',
        isPreview: true,
        validation: validateMembersUpdate(input),
        send: (update) => loadMembersPreview(authorizeRead(context), update),
      });
      return result.ok ? result.value : toErrorOfKinds(READER_GROUP_PREVIEW_ERROR_KINDS, result.error);
    },
  }),
);

async function loadMembersPreview(
  context: Context,
  update: MembersUpdate,
): Promise<Result<MembersPreview, BackendError>> {
  const calls = checkFurtherCalls(context, 1 + callsForMembers(update.addReaderIds, update.addInvitedSsoUserIds));
  if (!calls.ok) return calls;
  const group = await context.loaders.readerGroups.load(update.groupId);
  if (group === null) return err(readerGroupNotFound([]));
  const { changes } = applyMembersUpdate(group, update);
  // A change without effect writes nothing, so the scope need not be kept.
  const problem = changesNothing(changes) ? null : keptScopeProblem(group.accessScope);
  const readers = { field: 'addReaderIds', ids: update.addReaderIds, members: group.readerIds };
  const invited = { field: 'addInvitedSsoUserIds', ids: update.addInvitedSsoUserIds, members: group.invitedSsoUserIds };
  const issues = [
    ...(problem === null ? [] : [{ path: [], message: problem }]),
    ...(await findUnknownReaders(context, readers)),
    ...(await findUnknownInvitations(context, invited)),
  ];
  return ok({ ...changes, kind: 'preview', group, issues });
}
