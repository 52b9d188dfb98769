import type { InvitedSsoUser } from '../../domain/reader-groups/invited-sso-users.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context, loadAll } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgs, toPageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';
import { emailArgs, toEmailPart } from './readers.ts';

export const InvitedSsoUserType = builder.objectRef<InvitedSsoUser>('InvitedSsoUser');

InvitedSsoUserType.implement({
  description:
    'A person who was invited through single sign-on (SSO) and has not signed in yet. Whoever signs in becomes a reader with another ID.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'The global ID of the invitation, for `node` and `nodes`.',
      resolve: ({ invitationId }) => encodeGlobalId('InvitedSsoUser', [invitationId]),
    }),
    invitationId: t.exposeID('invitationId', {
      description: "The service's ID of the invitation, as `invitedSsoUserIds` has it.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The email address that was invited; null where the service shows none.',
    }),
  }),
});

/** Loads the invited users in the order of their IDs, with null in the place of those that no longer exist. */
export const loadInvitedSsoUsers = (
  context: Context,
  invitationIds: readonly string[],
): Promise<readonly (InvitedSsoUser | null)[]> =>
  loadAll(context, invitationIds, (id) => context.loaders.invitedSsoUsers.load(id));

const InvitedSsoUserConnection = createConnectionType('InvitedSsoUser', InvitedSsoUserType, 'invited users');

builder.queryField('invitedSsoUsers', (t) =>
  t.field({
    type: InvitedSsoUserConnection,
    nullable: true,
    description:
      'The people who were invited through single sign-on and have not signed in yet, in a group or not, by invitation ID. Over the service a page reads the list of all readers, of which each 5,000 cost a call.',
    args: { ...emailArgs, ...pageArgs },
    resolve: async (_root, { emailContains, ...args }, context) => {
      const { backend, caller } = authorizeRead(context);
      const emailPart = toEmailPart(emailContains);
      return unwrapResult(await backend.listInvitedSsoUsers(caller, emailPart, toPageRequest(args)));
    },
  }),
);
