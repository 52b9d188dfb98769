import { type CompletedMembersChange, validateMembersChange } from '../../domain/reader-groups/reader-group-members.ts';
import { ok } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType } from '../errors/notices.ts';
import { runMutation } from '../run-mutation.ts';
import { READER_GROUP_ERROR_KINDS } from './reader-group-errors.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';

const ChangeReaderGroupMembersInput = builder.inputType('ChangeReaderGroupMembersInput', {
  description: 'Who joins and who leaves a reader group; everybody else stays. At least one list names somebody.',
  fields: (t) => ({
    groupId: t.id({ required: true, description: 'The group. Not empty, `.` or `..`.' }),
    addReaderIds: t.idList({ description: 'Readers who join.' }),
    removeReaderIds: t.idList({ description: 'Readers who leave. None of them may stand in `addReaderIds` too.' }),
    addInvitedSsoUserIds: t.idList({ description: 'Invitation IDs of invited people who join.' }),
    removeInvitedSsoUserIds: t.idList({
      description: 'Invitation IDs of invited people who leave. None of them may stand in `addInvitedSsoUserIds` too.',
    }),
  }),
});

interface MembersChangePayload extends CompletedMembersChange {
  readonly kind: 'payload';
  readonly groupId: string;
}

const ChangeReaderGroupMembersPayload = builder
  .objectRef<MembersChangePayload>('ChangeReaderGroupMembersPayload')
  .implement({
    description: 'The service confirmed the change, or there was nothing to change. Lists have readers first.',
    fields: (t) => ({
      added: t.idList({ description: 'IDs of those who joined.', resolve: ({ report }) => report.added }),
      removed: t.idList({ description: 'IDs of those who left.', resolve: ({ report }) => report.removed }),
      alreadyMembers: t.idList({
        description: 'IDs that were to join and were members already.',
        resolve: ({ report }) => report.alreadyMembers,
      }),
      notMembers: t.idList({
        description: 'IDs that were to leave and were no members.',
        resolve: ({ report }) => report.notMembers,
      }),
      readerGroup: t.field({
        type: ReaderGroupType,
        nullable: true,
        description: 'The group as it stands now, read back only where it is selected. One call to the service.',
        resolve: (...[{ groupId }, _args, context, info]) => loadReaderGroup(groupId, authorizeRead(context), info),
      }),
      warnings: t.expose('warnings', { type: [NoticeType], description: 'Warnings of the service.' }),
      information: t.expose('information', { type: [NoticeType], description: 'Information of the service.' }),
    }),
  });

const ChangeReaderGroupMembersResult = builder.unionType('ChangeReaderGroupMembersResult', {
  description: 'The confirmed change, or the reason why there is none.',
  types: [ChangeReaderGroupMembersPayload, ...errorTypesOf(READER_GROUP_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'payload' ? 'ChangeReaderGroupMembersPayload' : errorTypeName(result)),
});

builder.mutationField('changeReaderGroupMembers', (t) =>
  t.field({
    type: ChangeReaderGroupMembersResult,
    nullable: true,
    description:
      'Adds and removes members of a reader group. The service can only replace the whole list, so the group is read, merged and written, with no other update of it through this gateway in between. The service knows no condition on a write: what others write there meanwhile is overwritten.',
    args: {
      input: t.arg({ type: ChangeReaderGroupMembersInput, required: true, description: 'Who joins and who leaves.' }),
    },
    resolve: async (_root, { input }, context) => {
      const result = await runMutation(context, {
        scope: 'groups:write',
        validation: validateMembersChange(input),
        send: async (change) => {
          const backendResult = await context.backend.changeReaderGroupMembers(context.caller, change);
          return backendResult.ok
            ? ok({ ...backendResult.value, kind: 'payload' as const, groupId: change.groupId })
            : backendResult;
        },
      });
      return result.ok ? result.value : toErrorOfKinds(READER_GROUP_ERROR_KINDS, result.error);
    },
  }),
);
