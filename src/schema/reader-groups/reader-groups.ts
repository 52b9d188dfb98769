import type { GraphQLResolveInfo } from 'graphql';
import { withNodes } from '../../domain/pages.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-groups.ts';
import { pathIdProblem } from '../../domain/text.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgs, toPageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';
import { selectsAnyField } from '../selected-fields.ts';
import { AccessScopeType } from './access-scopes.ts';
import { InvitedSsoUserType, loadInvitedSsoUsers } from './invited-sso-users.ts';
import { ReaderConnection, ReaderType } from './readers.ts';

export const ReaderGroupType = builder.objectRef<ReaderGroup>('ReaderGroup');

ReaderGroupType.implement({
  description: 'A set of readers and invited people, and what they may read.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ description: 'The global ID.', resolve: ({ groupId }) => encodeGlobalId('ReaderGroup', [groupId]) }),
    groupId: t.exposeID('groupId', { description: "The service's own ID." }),
    title: t.exposeString('title', { description: 'The name of the group.' }),
    description: t.exposeString('description', { nullable: true, description: 'What the group is for.' }),
    accessScope: t.field({
      type: AccessScopeType,
      description: 'What the group may read.',
      resolve: async (group, _args, context) => (await loadWholeGroup(group, context)).accessScope,
    }),
    readerIds: t.idList({
      description: 'IDs of all readers in the group.',
      resolve: async (group, _args, context) => (await loadWholeGroup(group, context)).readerIds,
    }),
    invitedSsoUserIds: t.idList({
      description: 'Invitation IDs of all invited people in it.',
      resolve: async (group, _args, context) => (await loadWholeGroup(group, context)).invitedSsoUserIds,
    }),
    readers: t.field({
      type: ReaderConnection,
      nullable: true,
      description: 'The readers in the group.',
      args: pageArgs,
      resolve: async (group, args, context) => {
        const page = toPageRequest(args);
        return context.loaders.readersOfGroups.load({ parent: await loadWholeGroup(group, context), page });
      },
    }),
    invitedSsoUsers: t.field({
      type: [InvitedSsoUserType],
      nullable: true,
      description: 'The invited people in the group.',
      resolve: async (group, _args, context) =>
        loadInvitedSsoUsers(context, (await loadWholeGroup(group, context)).invitedSsoUserIds),
    }),
  }),
});

/** Loads the members and the access scope of a summary. */
async function loadWholeGroup(group: ReaderGroup, { loaders }: Context): Promise<ReaderGroup> {
  return group.isSummary ? ((await loaders.readerGroups.load(group.groupId)) ?? group) : group;
}

/** The fields that a summary does not have. */
const WHOLE_GROUP_FIELDS: ReadonlySet<string> = new Set([
  'accessScope',
  'readerIds',
  'invitedSsoUserIds',
  'readers',
  'invitedSsoUsers',
]);

/**
 * Loads the whole group when members or scope are selected, else its summary. One read for all selected fields keeps a
 * response from showing the title of one write and the members of another.
 */
export const loadReaderGroup = (
  groupId: string,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<ReaderGroup | null> =>
  (selectsAnyField(info, WHOLE_GROUP_FIELDS) ? loaders.readerGroups : loaders.readerGroupSummaries).load(groupId);

/** Does the same for the summaries of a list. */
async function completeReaderGroups(
  groups: readonly ReaderGroup[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<readonly ReaderGroup[]> {
  return selectsAnyField(info, WHOLE_GROUP_FIELDS)
    ? Promise.all(groups.map((group) => loadWholeGroup(group, context)))
    : groups;
}

builder.objectField(ReaderType, 'groups', (t) =>
  t.field({
    type: [ReaderGroupType],
    nullable: true,
    description: 'The groups the reader is in. Over the service it costs one call for each group.',
    resolve: async (...[reader, _args, context, info]) =>
      completeReaderGroups(await context.loaders.groupsOfReaders.load(reader), context, info),
  }),
);

const ReaderGroupConnection = createConnectionType('ReaderGroup', ReaderGroupType, 'reader groups');

builder.queryFields((t) => ({
  readerGroup: t.field({
    type: ReaderGroupType,
    nullable: true,
    description: 'One reader group; null where it does not exist.',
    args: { groupId: t.arg.id({ required: true, description: "The service's own ID of the group." }) },
    resolve: (...[_root, { groupId }, context, info]) => {
      authorizeRead(context);
      return pathIdProblem(groupId) === null ? loadReaderGroup(groupId, context, info) : null;
    },
  }),
  readerGroups: t.field({
    type: ReaderGroupConnection,
    nullable: true,
    description: 'The reader groups of the project. The service gives 5 in a call.',
    args: pageArgs,
    resolve: async (...[_root, args, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      const page = unwrapResult(await backend.listReaderGroups(caller, toPageRequest(args), 'summary'));
      const summaries = page.edges.map(({ node }) => node);
      return withNodes(page, await completeReaderGroups(summaries, context, info));
    },
  }),
}));
