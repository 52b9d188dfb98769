import type { InvitedSsoUser } from '../../domain/reader-groups/invited-sso-users.ts';
import { builder } from '../builder.ts';
import { type Context, loadAll } from '../context.ts';

export const InvitedSsoUserType = builder.objectRef<InvitedSsoUser>('InvitedSsoUser').implement({
  description:
    'A person who was invited through single sign-on (SSO) and has not signed in yet. Whoever signs in becomes a reader with another ID.',
  fields: (t) => ({
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
