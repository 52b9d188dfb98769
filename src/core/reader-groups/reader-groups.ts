import { MAX_EMAIL_LENGTH } from '../base/limits.ts';
import { textProblem } from '../base/text.ts';
import type { ReadAccessScope } from './access-scopes.ts';

export interface ReaderGroup {
  readonly groupId: string;
  readonly title: string;
  readonly description: string | null;
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
  readonly accessScope: ReadAccessScope;
  /** True when members and access scope were not read. The lists are empty then, and the scope has no meaning. */
  readonly isSummary?: true | undefined;
}

/**
 * The members of a group that are read. A list of titles needs no members, and in a long list, groups with thousands of
 * members each are not read at once: `whole-if-short` leaves these as summaries. A backend may always read whole
 * groups.
 */
export type ReaderGroupSelection = 'whole' | 'whole-if-short' | 'summary';

export interface Reader {
  readonly readerId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  /** Null when the service's response has no groups. */
  readonly groupIds: readonly string[] | null;
}

/** The problem of a text to search for in e-mail addresses. Its length is bounded, since it becomes part of a URL. */
export function emailPartProblem(text: string): string | null {
  return text.length > MAX_EMAIL_LENGTH ? `must have at most ${MAX_EMAIL_LENGTH} characters` : textProblem(text);
}

/** A person who was invited through single sign-on and has not signed in yet. */
export interface InvitedSsoUser {
  readonly invitationId: string;
  readonly email: string | null;
}
