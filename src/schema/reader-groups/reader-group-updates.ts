import { ok, type Result } from '../../base/result.ts';
import type { BackendError, InputIssue } from '../../domain/errors.ts';
import { keptScopeProblem } from '../../domain/reader-groups/access-scopes.ts';
import {
  type CompletedReaderGroupUpdate,
  previewReaderGroupUpdate,
  type ReaderGroupPreview,
  type ReaderGroupUpdate,
  validateReaderGroupUpdate,
} from '../../domain/reader-groups/reader-group-updates.ts';
import { builder, createObjectType, flag, ids, json, list, one } from '../builder.ts';
import { authorizeRead, type Context, loadAll } from '../context.ts';
import { FieldChangeType } from '../field-changes.ts';
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
import { AccessScopeInput, AccessScopeType } from './access-scopes.ts';
import {
  callsForMembers,
  callsForScope,
  findUnknownMembers,
  findUnknownScopeEntries,
  loadPreviewedGroup,
} from './reader-group-issues.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';
import { InvitedSsoUserType, loadInvitedSsoUsers, ReaderType } from './readers.ts';

const UpdateReaderGroupInput = builder.inputType('UpdateReaderGroupInput', {
  description:
    'New values for the properties of a reader group. A property that is left out is kept as it is; at least one is given.',
  fields: (t) => ({
    groupId: t.id({
      required: true,
      description: "The service's ID of the reader group to change. Not empty, and neither `.` nor `..`.",
    }),
    title: t.string({
      description:
        "The new name of the group: 1 character or more, and none of ~ ` ! @ # $ % ^ & * ) ( + = | ] [ { } ; : ? / > ' . , Left out: the name is kept. null is a ValidationError.",
    }),
    description: t.string({
      description: 'What the group is for. Left out: the description is kept. null: the description is cleared.',
    }),
    readerIds: t.idList({
      description:
        "The service's IDs of all readers who are to be in the group: whoever is not listed is removed. Left out: all readers stay. []: all readers are removed. null is a ValidationError.",
    }),
    invitedSsoUserIds: t.idList({
      description:
        'Invitation IDs of all invited users who are to be in the group: whoever is not listed is removed. Left out: all invited users stay. []: all invited users are removed. null is a ValidationError.',
    }),
    accessScope: t.field({
      type: AccessScopeInput,
      description:
        'What the members of the group may read. Left out: the access scope is kept, also one whose level the gateway does not know. null is a ValidationError.',
    }),
  }),
});

interface ReaderGroupUpdatePayload extends CompletedReaderGroupUpdate {
  readonly groupId: string;
  readonly replayed: boolean;
}

const UpdateReaderGroupPayload = createObjectType<ReaderGroupUpdatePayload>('UpdateReaderGroupPayload', {
  description: 'The service has confirmed the update of a reader group.',
  members: {
    serviceResult: flag.orNull(
      "The member `result` of the service's answer, as it came; null where the answer has none. It does not tell success: the service sends false with its successes.",
    ),
    replayed: flag(REPLAYED_DESCRIPTION),
    warnings: list(NoticeType)("Warnings in the service's answer, in its order."),
    information: list(NoticeType)("Information in the service's answer, in its order."),
    extensionData: json.orNull(
      "The member `extension_data` of the service's answer, as it came; null where the answer has none.",
    ),
  },
  fields: (t) => ({
    readerGroup: t.field({
      type: ReaderGroupType,
      nullable: true,
      description:
        'The group as it is after the update, read back by one call to the service only where this field is selected. Null, with an entry in `errors`, where the read-back fails; the update stands.',
      resolve: (...[{ groupId }, _args, context, info]) => loadReaderGroup(groupId, authorizeRead(context), info),
    }),
  }),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  updateReaderGroup(input: { groupId: "g1", title: "Partners", accessScope: { level: PROJECT } }) {
    ... on UpdateReaderGroupPayload { readerGroup { title } }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationField('updateReaderGroup', (t) =>
  t.field({
    type: createResultType('UpdateReaderGroupResult', {
      description: 'The confirmed update of a reader group, or the error that says why there is none.',
      payload: UpdateReaderGroupPayload,
      errorKinds: [...KEYED_WRITE_ERROR_KINDS, 'reader-group-not-found', 'outcome-unknown'],
    }),
    nullable: true,
    description: `Changes properties of a reader group and keeps those that are left out. The service can only replace a whole group, so the gateway first reads what is left out and sends it along. Updates of one group through the gateway are made one after another; what others write at the service between the read and the write is overwritten.
${EXAMPLE}`,
    args: {
      input: t.arg({
        type: UpdateReaderGroupInput,
        required: true,
        description: 'The reader group, and the new values of its properties.',
      }),
      ...idempotencyKeyArgs,
    },
    resolve: (_root, { input, idempotencyKey }, context) =>
      runWrite(context, 'updateReaderGroup', {
        idempotencyKey,
        validation: validateReaderGroupUpdate(input),
        toPayload: ({ value, replayed }, { groupId }) => ({ ...value, replayed, groupId }),
      }),
  }),
);

interface ReaderGroupPreviewPayload extends ReaderGroupPreview {
  readonly issues: readonly InputIssue[];
}

const UpdateReaderGroupPreview = createObjectType<ReaderGroupPreviewPayload>('UpdateReaderGroupPreview', {
  description: 'What an update of a reader group would change. Nothing was written.',
  members: {
    issues: list(InputIssueType)(
      'The reasons why the update would fail, in the order of the input fields: texts that the embedded store finds too long, IDs and languages that do not exist, and an access scope that cannot be kept. Empty when there is none.',
    ),
    accessScope: one(AccessScopeType)('What the members of the group may read after the update.'),
    changesAccessScope: flag('True when the update would change what the members of the group may read.'),
    changes: list(FieldChangeType)(
      'The changes of the title and of the description, in this order; empty where both stay as they are.',
    ),
    addedReaderIds: ids("The service's IDs of the readers who would join, in the order of the input."),
    removedReaderIds: ids("The service's IDs of the readers who would be removed, in the order of the group."),
    addedInvitedSsoUserIds: ids('Invitation IDs of the invited users who would join, in the order of the input.'),
    removedInvitedSsoUserIds: ids(
      'Invitation IDs of the invited users who would be removed, in the order of the group.',
    ),
  },
  fields: (t) => ({
    wouldSucceed: t.boolean({
      description: 'True when the gateway finds no reason against the update: `issues` is empty.',
      resolve: ({ issues }) => issues.length === 0,
    }),
    readerGroup: t.expose('group', {
      type: ReaderGroupType,
      description: 'The reader group as it is now, without the update.',
    }),
    removedReaders: t.field({
      type: t.listRef(ReaderType, { nullable: true }),
      nullable: true,
      description:
        'The readers who would be removed, in the order of `removedReaderIds`, with null in the place of one that no longer exists. Null as a whole, with an entry in `errors`, where they cannot be read.',
      resolve: ({ removedReaderIds }, _args, context) =>
        loadAll(context, removedReaderIds, (id) => context.loaders.readers.load(id)),
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

const PREVIEW_EXAMPLE = `
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
    type: createResultType('PreviewUpdateReaderGroupResult', {
      description: 'The preview of an update of a reader group, or the error that says why there is none.',
      payload: UpdateReaderGroupPreview,
      errorKinds: [...WRITE_ERROR_KINDS, 'reader-group-not-found', 'too-costly'],
    }),
    nullable: true,
    description: `Checks an update of a reader group, tells what \`updateReaderGroup\` would change with the same input, and writes nothing. A mutation only so that no client caches the answer. Over the service, a preview reads the group, and what the input names: one call for readers and invitations, one for project versions, and one for each project version and language with categories; more where a list does not fit into one answer. Where these calls are too many, the answer is \`TooCostlyError\` before the first of them.
${PREVIEW_EXAMPLE}`,
    args: {
      input: t.arg({
        type: UpdateReaderGroupInput,
        required: true,
        description: 'The reader group, and the values that its properties would get.',
      }),
    },
    resolve: (_root, { input }, context) =>
      runMutation(context, {
        write: 'updateReaderGroup',
        isPreview: true,
        validation: validateReaderGroupUpdate(input),
        send: (update) => loadReaderGroupPreview(authorizeRead(context), update),
      }),
  }),
);

async function loadReaderGroupPreview(
  context: Context,
  update: ReaderGroupUpdate,
): Promise<Result<ReaderGroupPreviewPayload, BackendError>> {
  const { readerIds = [], invitedSsoUserIds = [], accessScope } = update;
  const calls = callsForMembers(readerIds, invitedSsoUserIds) + callsForScope(accessScope);
  const loaded = await loadPreviewedGroup(context, update.groupId, calls);
  if (!loaded.ok) return loaded;
  const group = loaded.value;
  const problem = accessScope === undefined ? keptScopeProblem(group.accessScope) : null;
  const readers = { field: 'readerIds', ids: readerIds, members: group.readerIds };
  const invited = { field: 'invitedSsoUserIds', ids: invitedSsoUserIds, members: group.invitedSsoUserIds };
  const issues = [
    ...unstorableTexts(context, update),
    ...(await findUnknownMembers(context, 'readers', readers)),
    ...(await findUnknownMembers(context, 'invitedSsoUsers', invited)),
    ...(accessScope === undefined ? [] : await findUnknownScopeEntries(context, accessScope)),
    ...(problem === null ? [] : [{ path: ['accessScope'], message: problem }]),
  ];
  return ok({ ...previewReaderGroupUpdate(update, group), issues });
}

const unstorableTexts = ({ backend }: Context, update: ReaderGroupUpdate): readonly InputIssue[] =>
  (['title', 'description'] as const).flatMap((field) => {
    const text = update[field];
    const problem = text == null ? null : backend.storedTextProblem?.(field, text);
    return problem == null ? [] : [{ path: [field], message: `The ${field} ${problem}.` }];
  });
