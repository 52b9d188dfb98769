import type { BackendError } from '../../domain/errors.ts';
import {
  type ReaderGroupUpdate,
  type ReaderGroupUpdated,
  readerGroupUpdateRules,
} from '../../domain/reader-groups/reader-group-updates.ts';
import { ok, type Result } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import { admitted, type Context } from '../context.ts';
import { errorTypeName } from '../errors/errors.ts';
import { NoticeType } from '../errors/notices.ts';
import { write } from '../run-mutation.ts';
import { AccessScopeInput } from './access-scope-input.ts';
import { READER_GROUP_ERROR_TYPES, readerGroupError } from './reader-group-errors.ts';
import { type GroupPreview, previewOfUpdate, UpdateReaderGroupPreview } from './reader-group-previews.ts';
import { loadGroup, ReaderGroupType } from './reader-groups.ts';

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

interface GroupPayload extends ReaderGroupUpdated {
  readonly kind: 'payload';
  readonly groupId: string;
}

const UpdateReaderGroupPayload = builder.objectRef<GroupPayload>('UpdateReaderGroupPayload').implement({
  description: 'The service confirmed the update.',
  fields: (t) => ({
    readerGroup: t.field({
      type: ReaderGroupType,
      nullable: true,
      description: 'The group as it stands now, read back only where it is selected. One call to the service.',
      resolve: (...[{ groupId }, _args, context, info]) => loadGroup(groupId, admitted(context), info),
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
  types: [UpdateReaderGroupPayload, UpdateReaderGroupPreview, ...READER_GROUP_ERROR_TYPES],
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
      const result = await write<ReaderGroupUpdate, GroupPayload | GroupPreview>(context, {
        scope: 'groups:write',
        isPreview: preview === true,
        rules: readerGroupUpdateRules(input),
        send: (update) => (preview ? previewOfUpdate(admitted(context), update) : sendUpdate(context, update)),
      });
      return result.ok ? result.value : readerGroupError(result.error);
    },
  }),
);

async function sendUpdate(
  { backend, caller }: Context,
  update: ReaderGroupUpdate,
): Promise<Result<GroupPayload, BackendError>> {
  const answer = await backend.updateReaderGroup(caller, update);
  return answer.ok ? ok({ ...answer.value, kind: 'payload' as const, groupId: update.groupId }) : answer;
}
