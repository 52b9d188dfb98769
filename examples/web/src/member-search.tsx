import { useId, useRef, useState } from 'react';
import type { People } from './people.ts';
import { usePeopleSearch } from './people-search.ts';
import type { Member } from './reader-group-draft.ts';

const MAX_SHOWN = 8;

interface MemberSearchProps {
  people: People;
  /** The IDs of those who are members already, or will be. */
  present: readonly string[];
  onAdd: (member: Member) => void;
}

export function MemberSearch({ people, present, onAdd }: MemberSearchProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const search = usePeopleSearch(people, text);
  const addable = search.found.filter((member) => !present.includes(member.id));
  // The button that was pressed disappears.
  const typeOn = () => input.current?.focus();
  const add = (member: Member) => {
    onAdd(member);
    setTyped('');
    typeOn();
  };
  return (
    <div className="field">
      <label htmlFor={id}>{people.label}</label>
      <input
        id={id}
        ref={input}
        type="search"
        autoComplete="off"
        maxLength={320}
        value={typed}
        aria-describedby={`${id}-found`}
        onChange={({ target }) => setTyped(target.value)}
        // Enter would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <span id={`${id}-found`} role="status" className={search.problem ? 'issue' : 'hint'}>
        {text !== '' && (search.problem ?? foundText(people, addable.length, search))}
      </span>
      {text !== '' && addable.length > 0 && (
        <ul className="rows" aria-label={`${people.many} to add`}>
          {addable.slice(0, MAX_SHOWN).map((member) => (
            <li key={member.id}>
              <button type="button" onClick={() => add(member)}>
                Add {member.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {text !== '' && search.named !== null && (
        <NamesSearched
          named={search.named}
          onMore={
            search.loadMore &&
            (() => {
              search.loadMore?.();
              typeOn();
            })
          }
        />
      )}
    </div>
  );
}

type Search = ReturnType<typeof usePeopleSearch>;

function foundText({ one, many }: People, addable: number, { found, isSearching, hasMore }: Search): string {
  if (isSearching) return 'Searching…';
  if (found.length === 0) return 'Nobody is found.';
  if (hasMore) return `More than ${found.length} ${many} are found. Type more.`;
  if (addable === 0) return 'All who are found are members already.';
  const people = `${addable} ${addable === 1 ? one : many} found`;
  return addable > MAX_SHOWN ? `${people}, of which ${MAX_SHOWN} are shown. Type more.` : `${people}.`;
}

interface NamesSearchedProps {
  /** The number of people whose names are searched. */
  named: number;
  /** Undefined when no more can be loaded, or not now. */
  onMore: (() => void) | undefined;
}

/** Says that somebody may not be found by name, and offers to load more names. */
function NamesSearched({ named, onMore }: NamesSearchedProps) {
  return (
    <div className="inline">
      <span className="hint">Names are searched among the first {named} people only, email addresses among all.</span>
      {onMore && (
        <button type="button" onClick={onMore}>
          Search more names
        </button>
      )}
    </div>
  );
}
