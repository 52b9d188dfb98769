import { textProblem } from '../text.ts';

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

/** An email address has at most 64 characters, an @ and 255 more (RFC 3696, section 3). */
const MAX_EMAIL_LENGTH = 320;

/** What speaks against looking for addresses that contain a text: it is part of an address of a call, so it has a bound. */
export function emailPartProblem(text: string): string | null {
  return text.length > MAX_EMAIL_LENGTH ? `must have at most ${MAX_EMAIL_LENGTH} characters` : textProblem(text);
}
