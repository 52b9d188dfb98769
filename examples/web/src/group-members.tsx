import { focusAround } from './fields.tsx';
import type { ReaderGroupFieldsFragment } from './generated/graphql.ts';
import { MemberSearch } from './member-search.tsx';
import { INVITED, type People, READERS } from './people.ts';
import { type GroupDraft, invitedOf, type Member, readersOf } from './reader-group-draft.ts';

interface GroupMembersProps {
  group: ReaderGroupFieldsFragment;
  draft: GroupDraft;
  onEdit: (change: Partial<GroupDraft>) => void;
}

export function GroupMembers({ group, draft, onEdit }: GroupMembersProps) {
  return (
    <>
      <MemberList
        legend="Readers"
        members={readersOf(group)}
        total={group.readerIds.length}
        leaving={draft.readersLeaving}
        onChange={(readersLeaving) => onEdit({ readersLeaving })}
      />
      <JoiningMembers
        legend="Readers who join"
        people={READERS}
        present={group.readerIds}
        joining={draft.joining.readers}
        onChange={(readers) => onEdit({ joining: { ...draft.joining, readers } })}
      />
      <MemberList
        legend="Invited people"
        members={invitedOf(group)}
        total={group.invitedSsoUserIds.length}
        leaving={draft.invitedLeaving}
        onChange={(invitedLeaving) => onEdit({ invitedLeaving })}
      />
      <JoiningMembers
        legend="Invited people who join"
        people={INVITED}
        present={group.invitedSsoUserIds}
        joining={draft.joining.invited}
        onChange={(invited) => onEdit({ joining: { ...draft.joining, invited } })}
      />
    </>
  );
}

interface MemberListProps {
  legend: string;
  members: readonly Member[];
  /** The number of members, including those that were not read. */
  total: number;
  leaving: readonly string[];
  onChange: (leaving: readonly string[]) => void;
}

function MemberList({ legend, members, total, leaving, onChange }: MemberListProps) {
  if (total === 0) return null;
  const toggle = (id: string) =>
    onChange(leaving.includes(id) ? leaving.filter((other) => other !== id) : [...leaving, id]);
  return (
    <fieldset className="scroll">
      <legend>{legend} who stay</legend>
      {members.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" checked={!leaving.includes(id)} onChange={() => toggle(id)} />
          {name}
        </label>
      ))}
      {total > members.length && <p className="hint">{total - members.length} more stay as they are.</p>}
    </fieldset>
  );
}

interface JoiningMembersProps {
  legend: string;
  people: People;
  /** The IDs of the members of the group. */
  present: readonly string[];
  joining: readonly Member[];
  onChange: (joining: readonly Member[]) => void;
}

function JoiningMembers({ legend, people, present, joining, onChange }: JoiningMembersProps) {
  return (
    <fieldset tabIndex={-1}>
      <legend>{legend}</legend>
      {joining.map((member) => (
        <label key={member.id}>
          <input
            type="checkbox"
            checked
            onChange={({ currentTarget }) => {
              focusAround(currentTarget);
              onChange(joining.filter((other) => other !== member));
            }}
          />
          {member.name}
        </label>
      ))}
      <MemberSearch
        people={people}
        present={[...present, ...joining.map(({ id }) => id)]}
        onAdd={(member) => onChange([...joining, member])}
      />
    </fieldset>
  );
}
