import { draftOf, inputOf, type ScopeDraft } from './access-scope.ts';
import type {
  InvitedFieldsFragment,
  ReaderFieldsFragment,
  ReaderGroupFieldsFragment,
  UpdateReaderGroupInput,
} from './generated/operations.ts';

export interface GroupDraft {
  title: string;
  description: string;
  scope: ScopeDraft | null;
  /** The IDs of the members to remove. */
  readersLeaving: readonly string[];
  invitedLeaving: readonly string[];
}

export const draftOfGroup = (group: ReaderGroupFieldsFragment): GroupDraft => ({
  title: group.title,
  description: group.description ?? '',
  scope: draftOf(group.accessScope),
  readersLeaving: [],
  invitedLeaving: [],
});

/** Null until the form is complete. A list of members is sent only when a member is removed: an absent list is kept. */
export function inputOfGroup(group: ReaderGroupFieldsFragment, draft: GroupDraft): UpdateReaderGroupInput | null {
  const accessScope = inputOf(draft.scope);
  if (accessScope === null) return null;
  return {
    groupId: group.groupId,
    title: draft.title,
    description: draft.description === '' ? null : draft.description,
    accessScope,
    ...(draft.readersLeaving.length > 0 && { readerIds: without(group.readerIds, draft.readersLeaving) }),
    ...(draft.invitedLeaving.length > 0 && {
      invitedSsoUserIds: without(group.invitedSsoUserIds, draft.invitedLeaving),
    }),
  };
}

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
