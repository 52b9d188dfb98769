import { err, ok } from '../../base/result.ts';
import { outcomeUnknown } from '../../domain/errors.ts';
import { validateKeyed } from '../../domain/jobs/idempotency-keys.ts';
import {
  type CompletedMembersUpdate,
  type MembersChange,
  validateMembersUpdate,
} from '../../domain/reader-groups/reader-group-members.ts';
import { membersAnswer } from '../../state/codec.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType } from '../errors/notices.ts';
import { idempotencyKeyArgs, REPLAYED_DESCRIPTION, sendOnce } from '../idempotency/send-once.ts';
import { runMutation } from '../run-mutation.ts';
import { READER_GROUP_ERROR_KINDS } from './reader-group-errors.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';

export const ChangeReaderGroupMembersInput = builder.inputType('ChangeReaderGroupMembersInput', {
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

export const MembersChangeType = builder.objectRef<MembersChange>('MembersChange').implement({
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

interface MembersUpdatePayload extends CompletedMembersUpdate {
  readonly kind: 'payload';
  readonly groupId: string;
  readonly replayed: boolean;
}

const ChangeReaderGroupMembersPayload = builder
  .objectRef<MembersUpdatePayload>('ChangeReaderGroupMembersPayload')
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
      readerGroup: t.field({
        type: ReaderGroupType,
        nullable: true,
        description:
          'The group as it is after the change, read back by one call to the service only where this field is selected. Null, with an entry in `errors`, where the read-back fails; the change stands.',
        resolve: (...[{ groupId }, _args, context, info]) => loadReaderGroup(groupId, authorizeRead(context), info),
      }),
      replayed: t.exposeBoolean('replayed', { description: REPLAYED_DESCRIPTION }),
      warnings: t.expose('warnings', {
        type: [NoticeType],
        description: "Warnings in the service's answer, in its order; empty where nothing was sent.",
      }),
      information: t.expose('information', {
        type: [NoticeType],
        description: "Information in the service's answer, in its order; empty where nothing was sent.",
      }),
    }),
  });

const ChangeReaderGroupMembersResult = builder.unionType('ChangeReaderGroupMembersResult', {
  description: 'The confirmed change of members, or the error that says why there is none.',
  types: [ChangeReaderGroupMembersPayload, ...errorTypesOf(READER_GROUP_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'payload' ? 'ChangeReaderGroupMembersPayload' : errorTypeName(result)),
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
    type: ChangeReaderGroupMembersResult,
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
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const result = await runMutation(context, {
        scope: 'groups:write',
        validation: validateKeyed(idempotencyKey, validateMembersUpdate(input)),
        send: async (update) => {
          const updated = await sendOnce(context, {
            operation: 'changeReaderGroupMembers',
            idempotencyKey,
            input: update,
            send: (caller) => context.backend.changeReaderGroupMembers(caller, update),
            answer: membersAnswer,
            outcomeUnknown: (reason) => err(outcomeUnknown(reason)),
          });
          if (!updated.ok) return updated;
          const { value, replayed } = updated.value;
          return ok({ ...value, replayed, kind: 'payload' as const, groupId: update.groupId });
        },
      });
      return result.ok ? result.value : toErrorOfKinds(READER_GROUP_ERROR_KINDS, result.error);
    },
  }),
);
