import type { AccessScopeInput, ReaderGroupFieldsFragment, UpdateReaderGroupInput } from '../generated/graphql.ts';
import type { Member, MemberKind } from './members.tsx';

export interface GroupDraft {
  readonly title: string;
  readonly description: string;
  /** The new scope; null until one is chosen. A scope that is not sent is kept. */
  readonly scope: AccessScopeInput | null;
  /** The IDs of the members to remove. */
  readonly leaving: Readonly<Record<MemberKind, readonly string[]>>;
  /** The people to add. */
  readonly joining: Readonly<Record<MemberKind, readonly Member[]>>;
}

export const draftOf = ({ title, description }: ReaderGroupFieldsFragment): GroupDraft => ({
  title,
  description: description ?? '',
  scope: null,
  leaving: { readers: [], invited: [] },
  joining: { readers: [], invited: [] },
});

/** The input of an update. A scope or a list of members is sent only if it was edited: omitted members are kept. */
export function inputOf(group: ReaderGroupFieldsFragment, draft: GroupDraft): UpdateReaderGroupInput {
  const { title, description, scope, leaving, joining } = draft;
  const membersOf = (kind: MemberKind, present: readonly string[]) =>
    leaving[kind].length + joining[kind].length === 0
      ? null
      : [...new Set([...present.filter((id) => !leaving[kind].includes(id)), ...joining[kind].map(({ id }) => id)])];
  const readerIds = membersOf('readers', group.readerIds);
  const invitedSsoUserIds = membersOf('invited', group.invitedSsoUserIds);
  return {
    groupId: group.groupId,
    title,
    description: description === '' ? null : description,
    ...(scope && { accessScope: scope }),
    ...(readerIds && { readerIds }),
    ...(invitedSsoUserIds && { invitedSsoUserIds }),
  };
}
