import type { ObjectFieldBuilder } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { IdMap } from '../../../core/base/id-map.ts';
import { isSameId } from '../../../core/base/text.ts';
import { type InputIssue, readerGroupNotFound } from '../../../core/errors.ts';
import {
  type AccessScope,
  keptScopeProblem,
  listOfScope,
  pathOfScopeId,
  type ScopeEntry,
} from '../../../core/reader-groups/access-scopes.ts';
import {
  applyMembersUpdate,
  type CompletedMembersUpdate,
  type CompletedReaderGroupUpdate,
  changesNothing,
  type MembersChange,
  type MembersChanges,
  type MembersUpdate,
  previewReaderGroupUpdate,
  type ReaderGroupPreview,
  type ReaderGroupUpdate,
  validateMembersUpdate,
  validateReaderGroupUpdate,
} from '../../../core/reader-groups/reader-group-updates.ts';
import { groupProblem, type ReaderGroup } from '../../../core/reader-groups/reader-groups.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { authorizeRead, type Context, loadAll } from '../context.ts';
import { FieldChangeType } from '../field-changes.ts';
import { createGraphQLError, unwrapResult } from '../graphql-errors.ts';
import { ERROR_TYPES, InputIssueType, NoticeType } from '../mutation-errors.ts';
import { addWrite, REPLAYED_DESCRIPTION } from '../mutations.ts';
import { AccessScopeInput, AccessScopeType } from './access-scopes.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';
import { InvitedSsoUserType, loadInvitedSsoUsers, ReaderType } from './readers.ts';

const IF_REVISION =
  'The `revision` that was read of the group. The group is written only while it has it; else the answer is a `ChangedSinceError`. Left out: whatever is there is overwritten. Not null.';

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
    ifRevision: t.string({ description: IF_REVISION }),
  }),
});

interface Written extends Pick<CompletedReaderGroupUpdate, 'warnings' | 'information'> {
  readonly groupId: string;
  readonly replayed: boolean;
}

const READ_BACK = {
  type: ReaderGroupType,
  nullable: true,
  resolve: (
    ...[{ groupId }, _args, context, info]: readonly [{ groupId: string }, object, Context, GraphQLResolveInfo]
  ) => loadReaderGroup(groupId, authorizeRead(context), info),
} as const;

const writtenFields = (t: ObjectFieldBuilder<SchemaTypes, Written>, write: string, order: string) => ({
  replayed: t.exposeBoolean('replayed', { description: REPLAYED_DESCRIPTION }),
  warnings: t.expose('warnings', { type: [NoticeType], description: `Warnings in the service's answer, ${order}.` }),
  information: t.expose('information', {
    type: [NoticeType],
    description: `Information in the service's answer, ${order}.`,
  }),
  readerGroup: t.field({
    ...READ_BACK,
    description: `The group as it is after the ${write}, read back by one call to the service only where this field is selected. Null, with an entry in \`errors\`, where the read-back fails; the ${write} stands.`,
  }),
});

interface Previewed {
  readonly readerGroup: ReaderGroup;
  readonly issues: readonly InputIssue[];
}

const previewedFields = (t: ObjectFieldBuilder<SchemaTypes, Previewed>, write: string) => ({
  readerGroup: t.expose('readerGroup', {
    type: ReaderGroupType,
    description: `The reader group as it is now, without the ${write}.`,
  }),
  wouldSucceed: t.boolean({
    description: `True when the gateway finds no reason against the ${write}: \`issues\` is empty.`,
    resolve: ({ issues }) => issues.length === 0,
  }),
});

const UpdateReaderGroupPayload = builder
  .objectRef<CompletedReaderGroupUpdate & Written>('UpdateReaderGroupPayload')
  .implement({
    description: 'The service has confirmed the update of a reader group.',
    fields: (t) => ({
      serviceResult: t.exposeBoolean('serviceResult', {
        nullable: true,
        description:
          "The member `result` of the service's answer, as it came; null where the answer has none. It does not tell success: the service sends false with its successes.",
      }),
      extensionData: t.expose('extensionData', {
        type: 'JSON',
        nullable: true,
        description: "The member `extension_data` of the service's answer, as it came; null where the answer has none.",
      }),
      ...writtenFields(t, 'update', 'in its order'),
    }),
  });

const UpdateReaderGroupPreview = builder
  .objectRef<ReaderGroupPreview & Previewed>('UpdateReaderGroupPreview')
  .implement({
    description: 'What an update of a reader group would change. Nothing was written.',
    fields: (t) => ({
      issues: t.expose('issues', {
        type: [InputIssueType],
        description:
          'The reasons why the update would fail, in the order of the input fields: texts that the embedded store finds too long, IDs and languages that do not exist, and an access scope that cannot be kept. Empty when there is none.',
      }),
      ...previewedFields(t, 'update'),
      accessScope: t.expose('accessScope', {
        type: AccessScopeType,
        description: 'What the members of the group may read after the update.',
      }),
      changesAccessScope: t.exposeBoolean('changesAccessScope', {
        description: 'True when the update would change what the members of the group may read.',
      }),
      changes: t.expose('changes', {
        type: [FieldChangeType],
        description:
          'The changes of the title and of the description, in this order; empty where both stay as they are.',
      }),
      addedReaderIds: t.exposeIDList('addedReaderIds', {
        description: "The service's IDs of the readers who would join, in the order of the input.",
      }),
      removedReaderIds: t.exposeIDList('removedReaderIds', {
        description: "The service's IDs of the readers who would be removed, in the order of the group.",
      }),
      addedInvitedSsoUserIds: t.exposeIDList('addedInvitedSsoUserIds', {
        description: 'Invitation IDs of the invited users who would join, in the order of the input.',
      }),
      removedInvitedSsoUserIds: t.exposeIDList('removedInvitedSsoUserIds', {
        description: 'Invitation IDs of the invited users who would be removed, in the order of the group.',
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
        resolve: ({ removedInvitedSsoUserIds }, _args, context) =>
          loadInvitedSsoUsers(context, removedInvitedSsoUserIds),
      }),
    }),
  });

/** The kinds of failure of writes of one group, besides those of every write. */
const GROUP_ERRORS = ['reader-group-not-found', 'changed-since', 'outcome-unknown'] as const;
const GROUP_PREVIEW_ERRORS = ['reader-group-not-found', 'changed-since', 'too-costly'] as const;

builder.objectField(ERROR_TYPES['changed-since'], 'readerGroup', (t) =>
  t.field({ ...READ_BACK, description: 'The reader group as it is now, read only where this field is selected.' }),
);

addWrite('updateReaderGroup', {
  input: {
    type: UpdateReaderGroupInput,
    description: 'The reader group, and the new values of its properties.',
    example: '{ groupId: "partners", title: "Partners", accessScope: { level: PROJECT } }',
  },
  validate: validateReaderGroupUpdate,
  write: {
    description:
      'Changes properties of a reader group and keeps those that are left out. The service can only replace a whole group, so the gateway first reads what is left out and sends it along. Updates of one group through the gateway are made one after another; what others write at the service between the read and the write is overwritten.',
    selection: 'readerGroup { title }',
    payload: UpdateReaderGroupPayload,
    errorKinds: GROUP_ERRORS,
    toPayload: ({ value, replayed }, { groupId }) => ({ ...value, replayed, groupId }),
  },
  preview: {
    description:
      'Checks an update of a reader group, and tells what `updateReaderGroup` would change with the same input. Over the service, a preview reads the group, and what the input names: one call for readers and invitations, one for project versions, and one for each project version and language with categories; more where a list does not fit into one answer. Where these calls are too many, the answer is `TooCostlyError` before the first of them.',
    selection: 'wouldSucceed issues { path message } removedReaders { email }',
    payload: UpdateReaderGroupPreview,
    errorKinds: GROUP_PREVIEW_ERRORS,
    load: loadReaderGroupPreview,
  },
});

async function loadReaderGroupPreview(
  context: Context,
  update: ReaderGroupUpdate,
): Promise<ReaderGroupPreview & Previewed> {
  const { readerIds = [], invitedSsoUserIds = [], accessScope } = update;
  const calls = callsForMembers(readerIds, invitedSsoUserIds) + callsForScope(accessScope);
  const group = await loadPreviewedGroup(context, update, calls);
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
  return { ...previewReaderGroupUpdate(update, group), readerGroup: group, issues };
}

const unstorableTexts = ({ backend }: Context, update: ReaderGroupUpdate): readonly InputIssue[] =>
  (['title', 'description'] as const).flatMap((field) => {
    const text = update[field];
    const problem = text == null ? null : backend.storedTextProblem?.(field, text);
    return problem == null ? [] : [{ path: [field], message: `The ${field} ${problem}.` }];
  });

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
    ifRevision: t.string({ description: IF_REVISION }),
  }),
});

const MembersChangeType = builder.objectRef<MembersChange>('MembersChange').implement({
  description:
    'How the members of one kind change: all IDs are of readers, or all are of invitations. Each list is in the order of the input, with each ID once.',
  fields: (t) => ({
    added: t.exposeIDList('added', { description: 'IDs that were to join and were no members.' }),
    removed: t.exposeIDList('removed', { description: 'IDs that were to leave and were members.' }),
    alreadyMembers: t.exposeIDList('alreadyMembers', {
      description: 'IDs that were to join and were members before, so that nothing changes for them.',
    }),
    notMembers: t.exposeIDList('notMembers', {
      description: 'IDs that were to leave and were no members, so that nothing changes for them.',
    }),
  }),
});

const ChangeReaderGroupMembersPayload = builder
  .objectRef<CompletedMembersUpdate & Written>('ChangeReaderGroupMembersPayload')
  .implement({
    description:
      'The service has confirmed the change of members, or there was nothing to change and nothing was sent.',
    fields: (t) => ({
      readers: t.expose('readers', {
        type: MembersChangeType,
        description: 'Who of the named readers joined or left, by reader ID.',
      }),
      invitedSsoUsers: t.expose('invitedSsoUsers', {
        type: MembersChangeType,
        description: 'Who of the named invited users joined or left, by invitation ID.',
      }),
      ...writtenFields(t, 'change', 'in its order; empty where nothing was sent'),
    }),
  });

const ChangeReaderGroupMembersPreview = builder
  .objectRef<MembersChanges & Previewed>('ChangeReaderGroupMembersPreview')
  .implement({
    description: 'What a change of the members of a reader group would do. Nothing was written.',
    fields: (t) => ({
      issues: t.expose('issues', {
        type: [InputIssueType],
        description:
          'The reasons why the change would fail, in the order of the input fields: IDs to add that do not exist, and a group whose access scope cannot be written back. Empty when there is none.',
      }),
      ...previewedFields(t, 'change'),
      readers: t.expose('readers', {
        type: MembersChangeType,
        description: 'Who of the named readers would join or leave, by reader ID.',
      }),
      invitedSsoUsers: t.expose('invitedSsoUsers', {
        type: MembersChangeType,
        description: 'Who of the named invited users would join or leave, by invitation ID.',
      }),
    }),
  });

addWrite('changeReaderGroupMembers', {
  input: {
    type: ChangeReaderGroupMembersInput,
    description: 'The reader group, who is to join, and who is to leave.',
    example: '{ groupId: "staff", addReaderIds: ["reader-bo"], removeReaderIds: ["reader-dana"] }',
  },
  validate: validateMembersUpdate,
  write: {
    description:
      'Adds and removes single members of a reader group, and keeps all others, the title, the description and the access scope. The service can only replace a whole group, so the gateway reads, merges and writes the group, with no other update of that group through the gateway in between; what others write at the service meanwhile is overwritten. Where nothing would change, nothing is written.',
    selection: 'readers { added removed alreadyMembers notMembers }',
    payload: ChangeReaderGroupMembersPayload,
    errorKinds: GROUP_ERRORS,
    toPayload: ({ value, replayed }, { groupId }) => ({ ...value, replayed, groupId }),
  },
  preview: {
    description:
      'Checks a change of the members of a reader group, and tells what `changeReaderGroupMembers` would do with the same input. Over the service, a preview reads the group, and the list of readers where somebody is to join.',
    selection: 'wouldSucceed issues { path message } readers { added alreadyMembers }',
    payload: ChangeReaderGroupMembersPreview,
    errorKinds: GROUP_PREVIEW_ERRORS,
    load: loadMembersPreview,
  },
});

async function loadMembersPreview(context: Context, update: MembersUpdate): Promise<MembersChanges & Previewed> {
  const calls = callsForMembers(update.addReaderIds, update.addInvitedSsoUserIds);
  const group = await loadPreviewedGroup(context, update, calls);
  const { changes } = applyMembersUpdate(group, update);
  // A change without effect writes nothing, so it needs no scope that can be kept.
  const problem = changesNothing(changes) ? null : keptScopeProblem(group.accessScope);
  const readers = { field: 'addReaderIds', ids: update.addReaderIds, members: group.readerIds };
  const invited = { field: 'addInvitedSsoUserIds', ids: update.addInvitedSsoUserIds, members: group.invitedSsoUserIds };
  const issues = [
    ...(problem === null ? [] : [{ path: [], message: problem }]),
    ...(await findUnknownMembers(context, 'readers', readers)),
    ...(await findUnknownMembers(context, 'invitedSsoUsers', invited)),
  ];
  return { ...changes, readerGroup: group, issues };
}

/** Loads the group of a preview. Throws where it has another revision than is expected, and where the calls that follow would exceed the calls of one request. */
async function loadPreviewedGroup(
  { backend, caller, loaders }: Context,
  { groupId, ifRevision }: Pick<ReaderGroupUpdate, 'groupId' | 'ifRevision'>,
  furtherCalls: number,
): Promise<ReaderGroup> {
  const checked = backend.checkReadCalls?.(caller, 1 + furtherCalls);
  if (checked !== undefined) unwrapResult(checked);
  const group = await loaders.readerGroups.load(groupId);
  if (group === null) throw createGraphQLError(readerGroupNotFound());
  const problem = groupProblem(ifRevision, group);
  if (problem !== null) throw createGraphQLError(problem);
  return group;
}

interface MemberIds {
  /** The name of the list in the input. */
  readonly field: string;
  readonly ids: readonly string[];
  readonly members: readonly string[];
}

const MEMBER_NOUNS = { readers: 'Reader', invitedSsoUsers: 'Invitation' } as const;

/** Finds the IDs that do not exist. Members are not looked up: a group keeps them, whether they exist or not. */
async function findUnknownMembers(
  context: Context,
  kind: keyof typeof MEMBER_NOUNS,
  { field, ids: named, members }: MemberIds,
): Promise<readonly InputIssue[]> {
  const present = new IdMap(members.map((member) => [member, member]));
  const joining = [...named.entries().filter(([, member]) => !present.has(member))];
  const found = await loadAll<(typeof joining)[number], unknown>(context, joining, ([, member]) =>
    context.loaders[kind].load(member),
  );
  return joining
    .filter((_, index) => !found[index])
    .map(([index, member]) => ({
      path: [field, `${index}`],
      message: `${MEMBER_NOUNS[kind]} ${member} does not exist.`,
    }));
}

async function findUnknownScopeEntries(context: Context, scope: AccessScope): Promise<readonly InputIssue[]> {
  const { list: name, entries } = listOfScope(scope);
  const issues = await loadAll(context, entries, async (entry, index): Promise<InputIssue | null> => {
    const unknown = await findUnknownPart(context, entry);
    return unknown && { path: pathOfScopeId(name, index, unknown.member), message: unknown.message };
  });
  return issues.filter((issue) => issue !== null);
}

async function findUnknownPart(
  { loaders }: Context,
  { projectVersionId, languageCode, categoryId }: ScopeEntry,
): Promise<{ readonly member: keyof ScopeEntry; readonly message: string } | null> {
  const version = await loaders.findProjectVersion(projectVersionId);
  if (version === null) {
    return { member: 'projectVersionId', message: `Project version ${projectVersionId} does not exist.` };
  }
  const place = `does not exist in project version ${projectVersionId}.`;
  if (languageCode === undefined) return null;
  if (!version.languages.some(({ code }) => isSameId(code, languageCode))) {
    return { member: 'languageCode', message: `Language ${languageCode} ${place}` };
  }
  if (categoryId === undefined) return null;
  const category = await loaders.categories.load({ projectVersionId, categoryId, languageCode });
  if (isSameId(category?.projectVersionId, projectVersionId)) return null;
  return { member: 'categoryId', message: `Category ${categoryId} ${place}` };
}

/** The number of calls to the service that look up readers and invitations, which are all in one list. */
const callsForMembers = (...lists: readonly (readonly string[])[]): number =>
  lists.some(({ length }) => length > 0) ? 1 : 0;

/** The fewest calls to the service that `findUnknownScopeEntries` makes: one for each category tree. */
function callsForScope(scope: AccessScope | undefined): number {
  if (scope === undefined) return 0;
  const trees = scope.level === 'CATEGORY' ? scope.categories : [];
  const readTrees = new Set(trees.map(({ projectVersionId, languageCode }) => `${projectVersionId}\n${languageCode}`));
  return readTrees.size + (listOfScope(scope).entries.length > 0 ? 1 : 0);
}
