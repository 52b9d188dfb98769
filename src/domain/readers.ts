export interface Reader {
  readonly readerId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  /** Null where the answer did not say. */
  readonly groupIds: readonly string[] | null;
}

/** Someone invited through single sign-on who has not signed in yet. */
export interface InvitedSsoUser {
  readonly invitationId: string;
  readonly email: string | null;
}
