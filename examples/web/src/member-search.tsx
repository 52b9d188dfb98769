import { useEffect, useId, useRef, useState } from 'react';
import { type Client, useClient } from 'urql';
import { ReadersDocument } from './generated/operations.ts';
import { type Member, memberOfReader } from './reader-group-draft.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 10;
const MAX_SHOWN = 8;
const TYPING_PAUSE_MS = 300;

interface Readers {
  readonly members: readonly Member[];
  /** False when the project has more readers than are read here. */
  readonly isComplete: boolean;
  readonly problem?: string;
}

/** The gateway searches email addresses. Names are searched here, among the readers of the first pages. */
async function readReaders(client: Client): Promise<Readers> {
  const members: Member[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, error } = await client.query(ReadersDocument, { first: PAGE_SIZE, after }).toPromise();
    const readers: NonNullable<typeof data>['readers'] | undefined = data?.readers;
    if (!readers) return { members, isComplete: false, problem: error?.message ?? 'The readers cannot be read.' };
    members.push(...readers.nodes.map(memberOfReader));
    after = readers.pageInfo.endCursor;
    if (!readers.pageInfo.hasNextPage) return { members, isComplete: true };
  }
  return { members, isComplete: false };
}

async function findByEmail(client: Client, emailContains: string): Promise<readonly Member[]> {
  const { data } = await client.query(ReadersDocument, { first: MAX_SHOWN, after: null, emailContains }).toPromise();
  return (data?.readers?.nodes ?? []).map(memberOfReader);
}

function useReaderSearch(typed: string) {
  const client = useClient();
  const [readers, setReaders] = useState<Readers | null>(null);
  const [byEmail, setByEmail] = useState<{ typed: string; members: readonly Member[] } | null>(null);
  const isSearching = typed !== '';
  const isComplete = readers?.isComplete ?? true;
  useEffect(() => {
    let isCurrent = true;
    if (isSearching && readers === null) readReaders(client).then((read) => isCurrent && setReaders(read));
    return () => {
      isCurrent = false;
    };
  }, [client, isSearching, readers]);
  useEffect(() => {
    if (!isSearching || isComplete) return undefined;
    let isCurrent = true;
    const search = () => findByEmail(client, typed).then((members) => isCurrent && setByEmail({ typed, members }));
    // A search may be a call to the service, so that it waits for a pause.
    const timer = setTimeout(search, TYPING_PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, isSearching, isComplete, typed]);
  const named = (readers?.members ?? []).filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const others = byEmail?.typed === typed ? byEmail.members : [];
  const found = [...named, ...others.filter(({ id }) => named.every((member) => member.id !== id))];
  return { found, isReading: isSearching && readers === null, problem: readers?.problem };
}

interface MemberSearchProps {
  /** The IDs of those who are members already, or will be. */
  present: readonly string[];
  onAdd: (member: Member) => void;
}

export function MemberSearch({ present, onAdd }: MemberSearchProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const { found, isReading, problem } = useReaderSearch(text);
  const addable = found.filter((member) => !present.includes(member.id));
  const add = (member: Member) => {
    onAdd(member);
    setTyped('');
    // The button that was pressed disappears.
    input.current?.focus();
  };
  return (
    <div className="field">
      <label htmlFor={id}>Add a reader, by name or email</label>
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
      <span id={`${id}-found`} role="status" className={problem ? 'issue' : 'hint'}>
        {text !== '' && (problem ?? foundText(isReading, addable.length, found.length))}
      </span>
      {text !== '' && addable.length > 0 && (
        <ul className="rows" aria-label="Readers to add">
          {addable.slice(0, MAX_SHOWN).map((member) => (
            <li key={member.id}>
              <button type="button" onClick={() => add(member)}>
                Add {member.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function foundText(isReading: boolean, addable: number, found: number): string {
  if (isReading) return 'Loading…';
  if (found === 0) return 'Nobody is found.';
  if (addable === 0) return 'All who are found are members already.';
  const people = `${addable} ${addable === 1 ? 'reader' : 'readers'} found`;
  return addable > MAX_SHOWN ? `${people}, of which ${MAX_SHOWN} are shown. Type more.` : `${people}.`;
}
