import { isComplete } from './access-scope.ts';
import type {
  AccessScopeInput,
  InvitedFieldsFragment,
  ReaderFieldsFragment,
  ReaderGroupFieldsFragment,
  UpdateReaderGroupInput,
} from './generated/graphql.ts';

export interface GroupDraft {
  title: string;
  description: string;
  /** Null until another scope is chosen: a scope that is not sent is kept. */
  scope: AccessScopeInput | null;
  /** The IDs of the members to remove. */
  readersLeaving: readonly string[];
  invitedLeaving: readonly string[];
  /** The people to add, who are none of the present members. */
  joining: Joining;
}

export interface Joining {
  readers: readonly Member[];
  invited: readonly Member[];
}

export const draftOfGroup = (group: ReaderGroupFieldsFragment): GroupDraft => ({
  title: group.title,
  description: group.description ?? '',
  scope: null,
  readersLeaving: [],
  invitedLeaving: [],
  joining: { readers: [], invited: [] },
});

/** Null until the form is complete. A scope or a list of members is sent only when it was edited: what is left out is kept. */
export function inputOfGroup(group: ReaderGroupFieldsFragment, draft: GroupDraft): UpdateReaderGroupInput | null {
  if (draft.scope !== null && !isComplete(draft.scope)) return null;
  const { readersLeaving, invitedLeaving, joining } = draft;
  return {
    groupId: group.groupId,
    title: draft.title,
    description: draft.description === '' ? null : draft.description,
    ...(draft.scope !== null && { accessScope: draft.scope }),
    ...(readersLeaving.length + joining.readers.length > 0 && {
      readerIds: [...without(group.readerIds, readersLeaving), ...joining.readers.map(({ id }) => id)],
    }),
    ...(invitedLeaving.length + joining.invited.length > 0 && {
      invitedSsoUserIds: [...without(group.invitedSsoUserIds, invitedLeaving), ...joining.invited.map(({ id }) => id)],
    }),
  };
}

export const isEdited = (group: ReaderGroupFieldsFragment, draft: GroupDraft): boolean =>
  JSON.stringify(draft) !== JSON.stringify(draftOfGroup(group));

const without = (ids: readonly string[], leaving: readonly string[]) => ids.filter((id) => !leaving.includes(id));

export interface Member {
  id: string;
  name: string;
}

/** The readers whose names were read; a large group may have more. */
export const readersOf = ({ readers }: ReaderGroupFieldsFragment): readonly Member[] =>
  (readers?.nodes ?? []).map(memberOfReader);

export const invitedOf = ({ invitedSsoUsers }: ReaderGroupFieldsFragment): readonly Member[] =>
  (invitedSsoUsers ?? []).map(memberOfInvited);

export function memberOfReader({ readerId, firstName, lastName, email }: ReaderFieldsFragment): Member {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return { id: readerId, name: [name, email && `<${email}>`].filter(Boolean).join(' ') || readerId };
}

export const memberOfInvited = ({ invitationId, email }: InvitedFieldsFragment): Member => ({
  id: invitationId,
  name: email ?? invitationId,
});
