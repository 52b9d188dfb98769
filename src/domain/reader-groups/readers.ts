import { textProblem } from '../../base/text.ts';

export interface Reader {
  readonly readerId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  /** Null when the service's response has no groups. */
  readonly groupIds: readonly string[] | null;
}

/** 64 characters, an @ and 255 characters (RFC 3696, section 3). */
const MAX_EMAIL_LENGTH = 320;

/** The problem of a text to search in email addresses. It has a bound because it becomes part of a URL. */
export function emailPartProblem(text: string): string | null {
  return text.length > MAX_EMAIL_LENGTH ? `must have at most ${MAX_EMAIL_LENGTH} characters` : textProblem(text);
}
