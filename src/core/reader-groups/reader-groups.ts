import { digestOf } from '../base/digest.ts';
import { MAX_EMAIL_LENGTH } from '../base/limits.ts';
import { idKeyOf, textProblem } from '../base/text.ts';
import { type BackendError, groupChangedSince } from '../errors.ts';
import { listOfScope, type ReadAccessScope, rawLevelOf, type ScopeEntry } from './access-scopes.ts';

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
 * The revision of a whole group: an opaque text that is another one as soon as its title, description, scope or members
 * change. The order of members and of the parts of a scope means nothing.
 */
export const revisionOfGroup = ({ groupId, title, description, accessScope, ...members }: ReaderGroup): string =>
  digestOf([
    idKeyOf(groupId),
    title,
    description,
    rawLevelOf(accessScope),
    'json' in accessScope ? accessScope.json : listOfScope(accessScope).entries.map(entryKeyOf).toSorted(),
    members.readerIds.map(idKeyOf).toSorted(),
    members.invitedSsoUserIds.map(idKeyOf).toSorted(),
  ]);

const entryKeyOf = ({ projectVersionId, languageCode, categoryId }: ScopeEntry): string =>
  idKeyOf(JSON.stringify([projectVersionId, languageCode, categoryId]));

/** The error of a write that expects another revision than that of the group; null where it may be made. */
export function groupProblem(ifRevision: string | undefined, group: ReaderGroup): BackendError | null {
  if (ifRevision === undefined) return null;
  const found = revisionOfGroup(group);
  return ifRevision === found ? null : groupChangedSince(group.groupId, { expected: ifRevision, found });
}

/** The members of a group that are read. A summary has neither members nor scope. A backend may always read whole groups. */
export type ReaderGroupSelection = 'whole' | 'summary';

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
