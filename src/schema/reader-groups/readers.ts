import { emailPartProblem, type InvitedSsoUser, type Reader } from '../../domain/reader-groups/readers.ts';
import { builder } from '../builder.ts';
import { admitted, type Context, loadAll } from '../context.ts';
import { invalidArgument, unwrap } from '../errors/graphql-errors.ts';
import { connectionOf, pageArgs, pageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';
import { loadGroups, ReaderGroupType } from './reader-groups.ts';

export const ReaderType = builder.objectRef<Reader>('Reader');

ReaderType.implement({
  description: 'Somebody who may read what is not public.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ description: 'The global ID.', resolve: ({ readerId }) => encodeGlobalId('Reader', [readerId]) }),
    readerId: t.exposeID('readerId', { description: "The service's own ID." }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'The first name.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'The last name.' }),
    email: t.exposeString('email', { nullable: true, description: 'The address the reader signs in with.' }),
    groups: t.field({
      type: [ReaderGroupType],
      nullable: true,
      description: 'The groups the reader is in. Over the service it costs one call for each group.',
      resolve: async (...[reader, _args, context, info]) =>
        loadGroups(await context.loaders.groupsOfReaders.load(reader), context, info),
    }),
  }),
});

export const ReaderConnection = connectionOf('Reader', ReaderType, 'readers');

export const InvitedSsoUserType = builder.objectRef<InvitedSsoUser>('InvitedSsoUser').implement({
  description: 'Somebody invited through single sign-on who has not signed in yet.',
  fields: (t) => ({
    invitationId: t.exposeID('invitationId', { description: "The service's ID of the invitation." }),
    email: t.exposeString('email', { nullable: true, description: 'The address that was invited.' }),
  }),
});

/** Who stands behind these invitations, in their order; those that no longer exist are left out. */
export async function invitedAmong(
  context: Context,
  invitationIds: readonly string[],
): Promise<readonly InvitedSsoUser[]> {
  const users = await loadAll(context, invitationIds, (id) => context.loaders.invitedSsoUsers.load(id));
  return users.filter((user) => user !== null);
}

builder.queryField('readers', (t) =>
  t.field({
    type: ReaderConnection,
    nullable: true,
    description: 'The readers of the project; people who are only invited are not among them.',
    args: {
      emailContains: t.arg.string({ description: 'Only readers whose address contains this, in any case.' }),
      ...pageArgs,
    },
    resolve: async (_root, { emailContains, ...args }, context) => {
      const { backend, caller } = admitted(context);
      const problem = emailPartProblem(emailContains ?? '');
      if (problem !== null) throw invalidArgument(['emailContains'], `emailContains ${problem}.`);
      return unwrap(await backend.listReaders(caller, emailContains || null, pageRequest(args)));
    },
  }),
);
