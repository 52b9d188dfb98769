import { ok, type Result } from '../../base/result.ts';
import type { BackendError, InputIssue } from '../../domain/errors.ts';
import { keptScopeProblem } from '../../domain/reader-groups/access-scopes.ts';
import {
  applyMembersUpdate,
  type CompletedMembersUpdate,
  changesNothing,
  type MembersChange,
  type MembersChanges,
  type MembersUpdate,
  validateMembersUpdate,
} from '../../domain/reader-groups/reader-group-members.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-groups.ts';
import { builder, createObjectType, flag, ids, list, one } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { InputIssueType, NoticeType } from '../mutation-errors.ts';
import {
  createResultType,
  idempotencyKeyArgs,
  KEYED_WRITE_ERROR_KINDS,
  REPLAYED_DESCRIPTION,
  runMutation,
  runWrite,
  WRITE_ERROR_KINDS,
} from '../mutations.ts';
import { callsForMembers, findUnknownMembers, loadPreviewedGroup } from './reader-group-issues.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';

const ChangeReaderGroupMembersInput = builder.inputType('ChangeReaderGroupMembersInput', {
  description:
    'Who is to join and who is to leave a reader group. All other members stay. At least one of the lists has an ID.',
  fields: (t) => ({
    groupId: t.id({
      required: true,
      description: "The service's ID of the reader group to change. Not empty, and neither `.` nor `..`.",
    }),
    addReaderIds: t.idList({ description: "The service's IDs of the readers who are to join." }),
    removeReaderIds: t.idList({
      description: "The service's IDs of the readers who are to leave. No ID is in `addReaderIds` too.",
    }),
    addInvitedSsoUserIds: t.idList({ description: 'Invitation IDs of the invited users who are to join.' }),
    removeInvitedSsoUserIds: t.idList({
      description: 'Invitation IDs of the invited users who are to leave. No ID is in `addInvitedSsoUserIds` too.',
    }),
  }),
});

const MembersChangeType = createObjectType<MembersChange>('MembersChange', {
  description:
    'How the members of one kind change: all IDs are of readers, or all are of invitations. Each list is in the order of the input, with each ID once.',
  members: {
    added: ids('IDs that were to join and were no members.'),
    removed: ids('IDs that were to leave and were members.'),
    alreadyMembers: ids('IDs that were to join and were members before, so that nothing changes for them.'),
    notMembers: ids('IDs that were to leave and were no members, so that nothing changes for them.'),
  },
});

interface MembersUpdatePayload extends CompletedMembersUpdate {
  readonly groupId: string;
  readonly replayed: boolean;
}

const ChangeReaderGroupMembersPayload = createObjectType<MembersUpdatePayload>('ChangeReaderGroupMembersPayload', {
  description: 'The service has confirmed the change of members, or there was nothing to change and nothing was sent.',
  members: {
    readers: one(MembersChangeType)('Who of the named readers joined or left, by reader ID.'),
    invitedSsoUsers: one(MembersChangeType)('Who of the named invited users joined or left, by invitation ID.'),
    replayed: flag(REPLAYED_DESCRIPTION),
    warnings: list(NoticeType)("Warnings in the service's answer, in its order; empty where nothing was sent."),
    information: list(NoticeType)("Information in the service's answer, in its order; empty where nothing was sent."),
  },
  fields: (t) => ({
    readerGroup: t.field({
      type: ReaderGroupType,
      nullable: true,
      description:
        'The group as it is after the change, read back by one call to the service only where this field is selected. Null, with an entry in `errors`, where the read-back fails; the change stands.',
      resolve: (...[{ groupId }, _args, context, info]) => loadReaderGroup(groupId, authorizeRead(context), info),
    }),
  }),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  changeReaderGroupMembers(input: { groupId: "g1", addReaderIds: ["r7"], removeReaderIds: ["r2"] }) {
    ... on ChangeReaderGroupMembersPayload { readers { added removed alreadyMembers notMembers } }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationField('changeReaderGroupMembers', (t) =>
  t.field({
    type: createResultType('ChangeReaderGroupMembersResult', {
      description: 'The confirmed change of members, or the error that says why there is none.',
      payload: ChangeReaderGroupMembersPayload,
      errorKinds: [...KEYED_WRITE_ERROR_KINDS, 'reader-group-not-found', 'outcome-unknown'],
    }),
    nullable: true,
    description: `Adds and removes single members of a reader group, and keeps all others, the title, the description and the access scope. The service can only replace a whole group, so the gateway reads, merges and writes the group, with no other update of that group through the gateway in between; what others write at the service meanwhile is overwritten. Where nothing would change, nothing is written.
${EXAMPLE}`,
    args: {
      input: t.arg({
        type: ChangeReaderGroupMembersInput,
        required: true,
        description: 'The reader group, who is to join, and who is to leave.',
      }),
      ...idempotencyKeyArgs,
    },
    resolve: (_root, { input, idempotencyKey }, context) =>
      runWrite(context, 'changeReaderGroupMembers', {
        idempotencyKey,
        validation: validateMembersUpdate(input),
        toPayload: ({ value, replayed }, { groupId }) => ({ ...value, replayed, groupId }),
      }),
  }),
);

interface MembersPreview extends MembersChanges {
  readonly group: ReaderGroup;
  readonly issues: readonly InputIssue[];
}

const ChangeReaderGroupMembersPreview = createObjectType<MembersPreview>('ChangeReaderGroupMembersPreview', {
  description: 'What a change of the members of a reader group would do. Nothing was written.',
  members: {
    issues: list(InputIssueType)(
      'The reasons why the change would fail, in the order of the input fields: IDs to add that do not exist, and a group whose access scope cannot be written back. Empty when there is none.',
    ),
    readers: one(MembersChangeType)('Who of the named readers would join or leave, by reader ID.'),
    invitedSsoUsers: one(MembersChangeType)('Who of the named invited users would join or leave, by invitation ID.'),
  },
  fields: (t) => ({
    wouldSucceed: t.boolean({
      description: 'True when the gateway finds no reason against the change: `issues` is empty.',
      resolve: ({ issues }) => issues.length === 0,
    }),
    readerGroup: t.expose('group', {
      type: ReaderGroupType,
      description: 'The reader group as it is now, without the change.',
    }),
  }),
});

const PREVIEW_EXAMPLE = `
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
    type: createResultType('PreviewChangeReaderGroupMembersResult', {
      description: 'The preview of a change of members, or the error that says why there is none.',
      payload: ChangeReaderGroupMembersPreview,
      errorKinds: [...WRITE_ERROR_KINDS, 'reader-group-not-found', 'too-costly'],
    }),
    nullable: true,
    description: `Checks a change of the members of a reader group, tells what \`changeReaderGroupMembers\` would do with the same input, and writes nothing. A mutation only so that no client caches the answer. Over the service, a preview reads the group, and the list of readers where somebody is to join.
${PREVIEW_EXAMPLE}`,
    args: {
      input: t.arg({
        type: ChangeReaderGroupMembersInput,
        required: true,
        description: 'The reader group, who would join, and who would leave.',
      }),
    },
    resolve: (_root, { input }, context) =>
      runMutation(context, {
        write: 'changeReaderGroupMembers',
        isPreview: true,
        validation: validateMembersUpdate(input),
        send: (update) => loadMembersPreview(authorizeRead(context), update),
      }),
  }),
);

async function loadMembersPreview(
  context: Context,
  update: MembersUpdate,
): Promise<Result<MembersPreview, BackendError>> {
  const calls = callsForMembers(update.addReaderIds, update.addInvitedSsoUserIds);
  const loaded = await loadPreviewedGroup(context, update.groupId, calls);
  if (!loaded.ok) return loaded;
  const group = loaded.value;
  const { changes } = applyMembersUpdate(group, update);
  // A change without effect writes nothing, so the scope need not be kept.
  const problem = changesNothing(changes) ? null : keptScopeProblem(group.accessScope);
  const readers = { field: 'addReaderIds', ids: update.addReaderIds, members: group.readerIds };
  const invited = { field: 'addInvitedSsoUserIds', ids: update.addInvitedSsoUserIds, members: group.invitedSsoUserIds };
  const issues = [
    ...(problem === null ? [] : [{ path: [], message: problem }]),
    ...(await findUnknownMembers(context, 'readers', readers)),
    ...(await findUnknownMembers(context, 'invitedSsoUsers', invited)),
  ];
  return ok({ ...changes, group, issues });
}
