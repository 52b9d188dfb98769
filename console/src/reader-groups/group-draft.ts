import type { ReaderGroupFieldsFragment, UpdateReaderGroupInput } from '../generated/graphql.ts';
import { type ChosenScope, scopeInputOf } from './access-scope.ts';
import type { Member } from './people.ts';

/** What is edited of a group. Null members stay as they are, also where somebody else changes them meanwhile. */
export interface GroupDraft {
  readonly title: string | null;
  readonly description: string | null;
  readonly scope: ChosenScope | null;
  readonly leaving: readonly Member[];
  readonly joining: readonly Member[];
}

export const NO_DRAFT: GroupDraft = { title: null, description: null, scope: null, leaving: [], joining: [] };

export const isSame = (one: Member, other: Member): boolean => one.kind === other.kind && one.id === other.id;

/** The input of an update, which is written only while the group is as it was read. A scope or a list of members is sent only if it was edited. */
export function inputOf(group: ReaderGroupFieldsFragment, draft: GroupDraft): UpdateReaderGroupInput {
  const { title, description, scope } = draft;
  const idsOf = (kind: Member['kind'], present: readonly string[]) => {
    const [leaving, joining] = [draft.leaving, draft.joining].map((members) =>
      members.filter((member) => member.kind === kind).map(({ id }) => id),
    );
    const stay = present.filter((id) => !leaving?.includes(id));
    return leaving?.length || joining?.length ? [...new Set([...stay, ...(joining ?? [])])] : null;
  };
  const readerIds = idsOf('readers', group.readerIds);
  const invitedSsoUserIds = idsOf('invited', group.invitedSsoUserIds);
  return {
    groupId: group.groupId,
    ifRevision: group.revision,
    ...(title !== null && { title }),
    ...(description !== null && { description: description === '' ? null : description }),
    ...(scope && { accessScope: scopeInputOf(scope) }),
    ...(readerIds && { readerIds }),
    ...(invitedSsoUserIds && { invitedSsoUserIds }),
  };
}
