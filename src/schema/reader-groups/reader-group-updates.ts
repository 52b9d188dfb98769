import { err, ok } from '../../base/result.ts';
import { outcomeUnknown } from '../../domain/errors.ts';
import { validateKeyed } from '../../domain/jobs/idempotency-keys.ts';
import {
  type CompletedReaderGroupUpdate,
  validateReaderGroupUpdate,
} from '../../domain/reader-groups/reader-group-updates.ts';
import { readerGroupAnswer } from '../../state/codec.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType } from '../errors/notices.ts';
import { idempotencyKeyArgs, REPLAYED_DESCRIPTION, sendOnce } from '../idempotency/send-once.ts';
import { runMutation } from '../run-mutation.ts';
import { AccessScopeInput } from './access-scope-input.ts';
import { READER_GROUP_ERROR_KINDS } from './reader-group-errors.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';

export const UpdateReaderGroupInput = builder.inputType('UpdateReaderGroupInput', {
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
  readonly kind: 'payload';
  readonly groupId: string;
  readonly replayed: boolean;
}

const UpdateReaderGroupPayload = builder.objectRef<ReaderGroupUpdatePayload>('UpdateReaderGroupPayload').implement({
  description: 'The service has confirmed the update of a reader group.',
  fields: (t) => ({
    readerGroup: t.field({
      type: ReaderGroupType,
      nullable: true,
      description:
        'The group as it is after the update, read back by one call to the service only where this field is selected. Null, with an entry in `errors`, where the read-back fails; the update stands.',
      resolve: (...[{ groupId }, _args, context, info]) => loadReaderGroup(groupId, authorizeRead(context), info),
    }),
    serviceResult: t.exposeBoolean('serviceResult', {
      nullable: true,
      description:
        "The member `result` of the service's answer, as it came; null where the answer has none. It does not tell success: the service sends false with its successes.",
    }),
    replayed: t.exposeBoolean('replayed', { description: REPLAYED_DESCRIPTION }),
    warnings: t.expose('warnings', {
      type: [NoticeType],
      description: "Warnings in the service's answer, in its order.",
    }),
    information: t.expose('information', {
      type: [NoticeType],
      description: "Information in the service's answer, in its order.",
    }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description: "The member `extension_data` of the service's answer, as it came; null where the answer has none.",
    }),
  }),
});

const UpdateReaderGroupResult = builder.unionType('UpdateReaderGroupResult', {
  description: 'The confirmed update of a reader group, or the error that says why there is none.',
  types: [UpdateReaderGroupPayload, ...errorTypesOf(READER_GROUP_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'payload' ? 'UpdateReaderGroupPayload' : errorTypeName(result)),
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
    type: UpdateReaderGroupResult,
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
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const result = await runMutation(context, {
        scope: 'groups:write',
        validation: validateKeyed(idempotencyKey, validateReaderGroupUpdate(input)),
        send: async (update) => {
          const updated = await sendOnce(context, {
            operation: 'updateReaderGroup',
            idempotencyKey,
            input: update,
            send: (caller) => context.backend.updateReaderGroup(caller, update),
            answer: readerGroupAnswer,
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
