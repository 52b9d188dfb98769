import type { BackendError } from '../../domain/errors.ts';
import {
  type CompletedReaderGroupUpdate,
  type ReaderGroupUpdate,
  validateReaderGroupUpdate,
} from '../../domain/reader-groups/reader-group-updates.ts';
import { ok, type Result } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType } from '../errors/notices.ts';
import { runMutation } from '../run-mutation.ts';
import { AccessScopeInput } from './access-scope-input.ts';
import { READER_GROUP_ERROR_KINDS } from './reader-group-errors.ts';
import {
  loadReaderGroupPreview,
  type ReaderGroupPreviewPayload,
  UpdateReaderGroupPreview,
} from './reader-group-previews.ts';
import { loadReaderGroup, ReaderGroupType } from './reader-groups.ts';

const UpdateReaderGroupInput = builder.inputType('UpdateReaderGroupInput', {
  description:
    'A new state for a reader group. `title` and `accessScope` are always replaced; the rest is kept where it is left out.',
  fields: (t) => ({
    groupId: t.id({ required: true, description: 'The group. Not empty, `.` or `..`.' }),
    title: t.string({
      required: true,
      description: "The name: 1 character or more, and none of ~ ` ! @ # $ % ^ & * ) ( + = | ] [ { } ; : ? / > ' . ,",
    }),
    description: t.string({ description: 'What the group is for. Left out: kept. null: cleared.' }),
    readerIds: t.idList({
      description: 'All readers of the group: who is not listed is removed. Left out: kept. []: all removed. Not null.',
    }),
    invitedSsoUserIds: t.idList({
      description:
        'Invitation IDs of all invited people in the group: who is not listed is removed. Left out: kept. []: all removed. Not null.',
    }),
    accessScope: t.field({ type: AccessScopeInput, required: true, description: 'What the group may read.' }),
  }),
});

interface ReaderGroupUpdatePayload extends CompletedReaderGroupUpdate {
  readonly kind: 'payload';
  readonly groupId: string;
}

const UpdateReaderGroupPayload = builder.objectRef<ReaderGroupUpdatePayload>('UpdateReaderGroupPayload').implement({
  description: 'The service confirmed the update.',
  fields: (t) => ({
    readerGroup: t.field({
      type: ReaderGroupType,
      nullable: true,
      description: 'The group as it stands now, read back only where it is selected. One call to the service.',
      resolve: (...[{ groupId }, _args, context, info]) => loadReaderGroup(groupId, authorizeRead(context), info),
    }),
    serviceResult: t.exposeBoolean('serviceResult', {
      nullable: true,
      description:
        "The `result` of the service's envelope as it came. No success flag: the service sends false with its successes.",
    }),
    warnings: t.expose('warnings', { type: [NoticeType], description: 'Warnings of the service.' }),
    information: t.expose('information', { type: [NoticeType], description: 'Information of the service.' }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description: 'Extension data, as it came.',
    }),
  }),
});

const UpdateReaderGroupResult = builder.unionType('UpdateReaderGroupResult', {
  description: 'The confirmed update, or the reason why there is none.',
  types: [UpdateReaderGroupPayload, UpdateReaderGroupPreview, ...errorTypesOf(READER_GROUP_ERROR_KINDS)],
  resolveType: (result) => {
    if (result.kind === 'payload') return 'UpdateReaderGroupPayload';
    return result.kind === 'preview' ? 'UpdateReaderGroupPreview' : errorTypeName(result);
  },
});

builder.mutationField('updateReaderGroup', (t) =>
  t.field({
    type: UpdateReaderGroupResult,
    nullable: true,
    description:
      'Replaces the properties of a reader group. The service knows no partial update: what is left out is read first and sent along. Updates of one group through one gateway are taken one after another.',
    args: {
      input: t.arg({ type: UpdateReaderGroupInput, required: true, description: 'The new state.' }),
      preview: t.arg.boolean({
        defaultValue: false,
        description: 'true: checks everything and answers what would change. Nothing is written.',
      }),
    },
    resolve: async (_root, { input, preview }, context) => {
      const result = await runMutation<ReaderGroupUpdate, ReaderGroupUpdatePayload | ReaderGroupPreviewPayload>(
        context,
        {
          scope: 'groups:write',
          isPreview: preview === true,
          validation: validateReaderGroupUpdate(input),
          send: (update) =>
            preview ? loadReaderGroupPreview(authorizeRead(context), update) : callUpdateReaderGroup(context, update),
        },
      );
      return result.ok ? result.value : toErrorOfKinds(READER_GROUP_ERROR_KINDS, result.error);
    },
  }),
);

async function callUpdateReaderGroup(
  { backend, caller }: Context,
  update: ReaderGroupUpdate,
): Promise<Result<ReaderGroupUpdatePayload, BackendError>> {
  const result = await backend.updateReaderGroup(caller, update);
  return result.ok ? ok({ ...result.value, kind: 'payload' as const, groupId: update.groupId }) : result;
}
