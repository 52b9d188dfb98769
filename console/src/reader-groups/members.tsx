import { useState } from 'react';
import { counted } from '../counted.ts';
import type { ReaderGroupFieldsFragment } from '../generated/graphql.ts';
import { Button, Check, SearchField } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { type GroupDraft, isSame } from './group-draft.ts';
import { entriesOf, type Found, findPeople, includesText, type Member } from './people.ts';

interface MembersProps {
  /** The members whose names were read; a large group has more. */
  named: readonly Member[];
  group: ReaderGroupFieldsFragment;
  draft: GroupDraft;
  edit: (change: Partial<GroupDraft>) => void;
}

const has = (members: readonly Member[], member: Member): boolean => members.some((one) => isSame(one, member));

const without = (members: readonly Member[], member: Member): readonly Member[] =>
  members.filter((one) => !isSame(one, member));

/** The members of a group as a list with a search. Who is unticked leaves, and who is added joins. */
export function Members({ named, group, draft, edit }: MembersProps) {
  const { mayWriteGroups } = useShared();
  const { leaving, joining } = draft;
  const unnamed = group.readerIds.length + group.invitedSsoUserIds.length - named.length;
  const [text, setText] = useState('');
  const members = [...joining, ...named];
  const shown = members.filter((member) => includesText(member, text));
  const toggle = (member: Member) => {
    if (has(joining, member)) return edit({ joining: without(joining, member) });
    edit({ leaving: has(leaving, member) ? without(leaving, member) : [...leaving, member] });
  };
  return (
    <fieldset className="stack">
      <legend>
        <strong>Members</strong>
      </legend>
      {mayWriteGroups && <AddPeople members={members} onAdd={(added) => edit({ joining: [...added, ...joining] })} />}
      <div className="boxed stack">
        <SearchField
          label="Search members"
          placeholder={`Search ${counted(members.length, 'member')}`}
          value={text}
          onChange={setText}
        />
        <ul aria-label="Members">
          {shown.map((member) => (
            <li key={`${member.kind} ${member.id}`} className="inline">
              <Check
                label={<MemberName member={member} />}
                checked={!has(leaving, member)}
                onChange={() => toggle(member)}
              />
              {has(leaving, member) && <span className="bad">leaves</span>}
              {has(joining, member) && <span className="good">joins</span>}
            </li>
          ))}
        </ul>
        {shown.length === 0 && (
          <p className="hint">{members.length === 0 ? 'Nobody is in this group yet.' : 'No member matches.'}</p>
        )}
      </div>
      {unnamed > 0 && <p className="hint">{counted(unnamed, 'more member')} without a name here, who stay.</p>}
    </fieldset>
  );
}

const MemberName = ({ member: { kind, name, email } }: { member: Member }) => (
  <>
    {name}
    {email !== null && email !== name && <span className="hint"> {email}</span>}
    {kind === 'invited' && <span className="hint"> (invited)</span>}
  </>
);

const MOST_SHOWN = 8;

interface AddPeopleProps {
  /** Those who are in the group, or are to join. */
  members: readonly Member[];
  onAdd: (members: readonly Member[]) => void;
}

/** Finds one person by a part of their name or address, or adds a pasted list of people. Who is not known stays in the field. */
function AddPeople({ members, onAdd }: AddPeopleProps) {
  const { api } = useShared();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Member[]>([]);
  const [status, setStatus] = useState('');
  const find = async () => {
    const entries = entriesOf(text);
    if (entries.length === 0) return;
    setFound([]);
    setStatus('Searching…');
    const answer = await findPeople(api, entries);
    const added = answer.members.filter((member) => !has(members, member));
    setStatus(statusOf(answer, { added: added.length, isList: entries.length > 1 }));
    if (answer.problem !== null) return;
    if (entries.length === 1) return setFound(added);
    onAdd(added);
    setText(answer.unknown.join('\n'));
  };
  const shown = found.filter((member) => !has(members, member)).slice(0, MOST_SHOWN);
  return (
    <>
      <label>
        Add people
        <textarea
          rows={2}
          aria-describedby="people-hint"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            void find();
          }}
        />
      </label>
      <p id="people-hint" className="hint">
        Part of a name or email address, or a whole list with commas, semicolons or a line for each.
      </p>
      <p className="inline">
        <Button onClick={find}>Find people</Button>
        <span role="status">{status}</span>
      </p>
      {shown.length > 0 && (
        <ul aria-label="Found" className="inline">
          {shown.map((member) => (
            <li key={`${member.kind} ${member.id}`}>
              <Button onClick={() => onAdd([member])}>
                Add <MemberName member={member} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function statusOf(
  { members, unknown, named, problem }: Found,
  { added, isList }: { readonly added: number; readonly isList: boolean },
): string {
  if (problem !== null) return problem;
  const some = added > MOST_SHOWN ? `${added} found, ${MOST_SHOWN} shown.` : `${added} found.`;
  const one = added === 0 ? 'Nobody to add is found.' : some;
  const all = [
    `${added} added.`,
    members.length > added && `${members.length - added} in the group already.`,
    unknown.length > 0 && `${unknown.length} not known, still in the field: ${unknown.join(', ')}.`,
  ];
  const sentences = isList ? all.filter((sentence) => sentence !== false) : [one];
  const limit = `Names are searched among the first ${named} only, email addresses among all.`;
  return [...sentences, ...(named === null ? [] : [limit])].join(' ');
}
