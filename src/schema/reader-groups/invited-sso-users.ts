import type { InvitedSsoUser } from '../../domain/reader-groups/invited-sso-users.ts';
import { builder } from '../builder.ts';
import { type Context, loadAll } from '../context.ts';

export const InvitedSsoUserType = builder.objectRef<InvitedSsoUser>('InvitedSsoUser').implement({
  description: 'Somebody invited through single sign-on who has not signed in yet.',
  fields: (t) => ({
    invitationId: t.exposeID('invitationId', { description: "The service's ID of the invitation." }),
    email: t.exposeString('email', { nullable: true, description: 'The address that was invited.' }),
  }),
});

/** Loads the invited users in the order of their IDs. Those that no longer exist are left out. */
export async function loadInvitedSsoUsers(
  context: Context,
  invitationIds: readonly string[],
): Promise<readonly InvitedSsoUser[]> {
  const users = await loadAll(context, invitationIds, (id) => context.loaders.invitedSsoUsers.load(id));
  return users.filter((user) => user !== null);
}
