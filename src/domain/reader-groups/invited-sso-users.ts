/** A person who was invited through single sign-on and has not signed in yet. */
export interface InvitedSsoUser {
  readonly invitationId: string;
  readonly email: string | null;
}
