import type { GraphQLResolveInfo } from 'graphql';
import type { ReaderGroup } from '../../domain/reader-groups/reader-group-updates.ts';
import { pathIdProblem } from '../../domain/text.ts';
import { builder } from '../builder.ts';
import { admitted, type Context } from '../context.ts';
import { unwrap } from '../errors/graphql-errors.ts';
import { connectionOf, pageArgs, pageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';
import { AccessScopeType } from './access-scopes.ts';
import { InvitedSsoUserType, invitedAmong, ReaderConnection } from './readers.ts';
import { selects } from './selected-fields.ts';

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
      resolve: async (group, _args, context) => (await whole(group, context)).accessScope,
    }),
    readerIds: t.idList({
      description: 'IDs of all readers in the group.',
      resolve: async (group, _args, context) => (await whole(group, context)).readerIds,
    }),
    invitedSsoUserIds: t.idList({
      description: 'Invitation IDs of all invited people in it.',
      resolve: async (group, _args, context) => (await whole(group, context)).invitedSsoUserIds,
    }),
    readers: t.field({
      type: ReaderConnection,
      nullable: true,
      description: 'The readers in the group.',
      args: pageArgs,
      resolve: async (group, args, context) => {
        const page = pageRequest(args);
        return context.loaders.readersOfGroups.load({ parent: await whole(group, context), page });
      },
    }),
    invitedSsoUsers: t.field({
      type: [InvitedSsoUserType],
      nullable: true,
      description: 'The invited people in the group.',
      resolve: async (group, _args, context) => invitedAmong(context, (await whole(group, context)).invitedSsoUserIds),
    }),
  }),
});

/** The group with its members and its scope; for a group that was read without them. */
async function whole(group: ReaderGroup, { loaders }: Context): Promise<ReaderGroup> {
  return group.isHead ? ((await loaders.readerGroups.load(group.groupId)) ?? group) : group;
}

/** The fields that only a whole group has. */
const OF_WHOLE_GROUPS: ReadonlySet<string> = new Set([
  'accessScope',
  'readerIds',
  'invitedSsoUserIds',
  'readers',
  'invitedSsoUsers',
]);

/**
 * Loads a group as the operation needs it: with members and scope only where they are selected, and then all of it at one
 * moment, so that no answer shows the title of one write and the members of another.
 */
export const loadGroup = (
  groupId: string,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<ReaderGroup | null> =>
  (selects(info, OF_WHOLE_GROUPS) ? loaders.readerGroups : loaders.readerGroupHeads).load(groupId);

/** The same for groups of a list that was read without members and scopes. */
export async function loadGroups(
  groups: readonly ReaderGroup[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<readonly ReaderGroup[]> {
  return selects(info, OF_WHOLE_GROUPS) ? Promise.all(groups.map((group) => whole(group, context))) : groups;
}

const ReaderGroupConnection = connectionOf('ReaderGroup', ReaderGroupType, 'reader groups');

builder.queryFields((t) => ({
  readerGroup: t.field({
    type: ReaderGroupType,
    nullable: true,
    description: 'One reader group; null where it does not exist.',
    args: { groupId: t.arg.id({ required: true, description: "The service's own ID of the group." }) },
    resolve: (...[_root, { groupId }, context, info]) => {
      admitted(context);
      return pathIdProblem(groupId) === null ? loadGroup(groupId, context, info) : null;
    },
  }),
  readerGroups: t.field({
    type: ReaderGroupConnection,
    nullable: true,
    description: 'The reader groups of the project. The service gives 5 in a call.',
    args: pageArgs,
    resolve: async (...[_root, args, context, info]) => {
      const { backend, caller } = admitted(context);
      const page = unwrap(await backend.listReaderGroups(caller, pageRequest(args), 'head'));
      const heads = page.edges.map(({ node }) => node);
      const groups = await loadGroups(heads, context, info);
      return { ...page, edges: page.edges.map((edge, index) => ({ ...edge, node: groups[index] ?? edge.node })) };
    },
  }),
}));
