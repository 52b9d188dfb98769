import type { GraphQLResolveInfo } from 'graphql';
import type { Page } from '../../../core/backend.ts';
import { withNodes } from '../../../core/base/pages.ts';
import { idProblem } from '../../../core/base/text.ts';
import { type ReaderGroup, revisionOfGroup } from '../../../core/reader-groups/reader-groups.ts';
import { builder, globalId, NodeInterface } from '../builder.ts';
import { connectionOf, createConnectionType, pageArgs, selectsItemsOnly, toPageRequest } from '../connections.ts';
import { authorizeRead, type Context } from '../context.ts';
import { openRead } from '../graphql-errors.ts';
import { selectsAnyField } from '../selected-fields.ts';
import { AccessScopeType, loadScopeLinks } from './access-scopes.ts';
import { InvitedSsoUserType, loadInvitedSsoUsers, ReaderConnection, ReaderType } from './readers.ts';

export const ReaderGroupType = builder.objectRef<ReaderGroup>('ReaderGroup').implement({
  description: 'A set of readers and invited users, and what they may read in the knowledge base.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: globalId(t),
    groupId: t.exposeID('groupId', { description: "The service's own ID of the reader group." }),
    title: t.exposeString('title', { description: 'The name of the reader group.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What the reader group is for; null where the group has no description.',
    }),
    accessScope: t.field({
      type: AccessScopeType,
      description: 'What the members of the group may read.',
      resolve: (...[group, _args, context, info]) =>
        ofWholeGroup(group, context, ({ accessScope }) => loadScopeLinks(accessScope, context, info)),
    }),
    readerIds: t.idList({
      description: "The service's IDs of all readers in the group, in the order in which the service shows them.",
      resolve: (group, _args, context) => ofWholeGroup(group, context, ({ readerIds }) => readerIds),
    }),
    invitedSsoUserIds: t.idList({
      description: 'Invitation IDs of all invited users in the group, in the order in which the service shows them.',
      resolve: (group, _args, context) => ofWholeGroup(group, context, ({ invitedSsoUserIds }) => invitedSsoUserIds),
    }),
    revision: t.string({
      description:
        'An opaque text that is another one as soon as anything of the group changes. Writes take it as `ifRevision`.',
      resolve: (group, _args, context) => ofWholeGroup(group, context, revisionOfGroup),
    }),
    readers: t.field({
      type: ReaderConnection,
      nullable: true,
      description: 'The readers in the group, in the order of `readerIds`, without those that no longer exist.',
      args: pageArgs,
      resolve: (group, args, context) => {
        const page = toPageRequest(args);
        return ofWholeGroup(group, context, (parent) =>
          context.loaders.readersOfGroups.load({ parent, page }).then(connectionOf),
        );
      },
    }),
    invitedSsoUsers: t.field({
      type: [InvitedSsoUserType],
      nullable: true,
      description:
        'The invited users in the group, in the order of `invitedSsoUserIds`, without those that no longer exist.',
      resolve: async (group, _args, context) => {
        const { invitedSsoUserIds } = await loadWholeGroup(group, context);
        return (await loadInvitedSsoUsers(context, invitedSsoUserIds)).filter((user) => user !== null);
      },
    }),
  }),
});

async function loadWholeGroup(group: ReaderGroup, { loaders }: Context): Promise<ReaderGroup> {
  return group.isSummary ? ((await loaders.readerGroups.load(group.groupId)) ?? group) : group;
}

/** Picks from a whole group without a promise: loaders.ts says what a promise for a field of each item takes. */
const ofWholeGroup = <T>(
  group: ReaderGroup,
  context: Context,
  pick: (whole: ReaderGroup) => T | Promise<T>,
): T | Promise<T> => (group.isSummary ? loadWholeGroup(group, context).then(pick) : pick(group));

const WHOLE_GROUP_FIELDS: ReadonlySet<string> = new Set([
  'accessScope',
  'readerIds',
  'invitedSsoUserIds',
  'revision',
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

/** Loads the whole groups of a page of summaries when members or scope are selected. */
async function completePage(
  page: Page<ReaderGroup>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Page<ReaderGroup>> {
  const hasSummaries = page.edges.some(({ node }) => node.isSummary);
  if (!hasSummaries || !selectsAnyField(info, WHOLE_GROUP_FIELDS)) return page;
  return withNodes(page, await Promise.all(page.edges.map(({ node }) => loadWholeGroup(node, context))));
}

const ReaderGroupConnection = createConnectionType('ReaderGroup', ReaderGroupType, 'reader groups');

builder.objectField(ReaderType, 'groups', (t) =>
  t.field({
    type: ReaderGroupConnection,
    nullable: true,
    description:
      'The reader groups that the reader is in, in the order of `groupIds`, without those that no longer exist. Over the service, each group of the page costs at most about a call: one call for the list of groups may serve five of them.',
    args: pageArgs,
    resolve: async (...[reader, args, context, info]) => {
      const page = await context.loaders.groupsOfReaders.load({ parent: reader, page: toPageRequest(args) });
      return connectionOf(await completePage(page, context, info));
    },
  }),
);

builder.queryFields((t) => ({
  readerGroup: t.field({
    type: ReaderGroupType,
    nullable: true,
    description: 'The reader group with an ID; null where none has this ID.',
    args: { groupId: t.arg.id({ required: true, description: "The service's own ID of the reader group." }) },
    resolve: (...[_root, { groupId }, context, info]) => {
      authorizeRead(context);
      return idProblem(groupId) === null ? loadReaderGroup(groupId, context, info) : null;
    },
  }),
  readerGroups: t.field({
    type: ReaderGroupConnection,
    nullable: true,
    description: `The reader groups of the project, in the service's own order, which is stable. Over the service, each 5 groups cost a call.

\`\`\`graphql
query {
  readerGroups(first: 5) { nodes { groupId title accessScope { level } } }
}
\`\`\``,
    args: pageArgs,
    resolve: async (...[_root, args, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      const request = { ...toPageRequest(args), itemsOnly: selectsItemsOnly(info) };
      const page = await openRead(backend.listReaderGroups(caller, request, 'summary'));
      return connectionOf(await completePage(page, context, info));
    },
  }),
}));
