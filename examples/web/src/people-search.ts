import { useEffect, useState } from 'react';
import { type Client, useClient } from 'urql';
import type { People } from './people.ts';
import type { Member } from './reader-group-draft.ts';
import { useTypingPause } from './typing-pause.ts';

const PAGE_SIZE = 100;
const PAGES_ON_DEMAND = 10;
const MAX_LOADED = 5000;

interface Loaded {
  members: readonly Member[];
  /** The cursor of the next page; null where the first page comes next. */
  after: string | null;
  isComplete: boolean;
  /** Why it was not read further. */
  problem?: string;
}

const NOBODY: Loaded = { members: [], after: null, isComplete: false };

/**
 * The gateway searches email addresses, and so finds everybody. Names are searched here, among the people who were
 * loaded: a first page, and more on demand.
 */
export function usePeopleSearch(people: People, text: string) {
  const byEmail = useEmailSearch(people, text);
  const { loaded, isLoading, loadMore } = useLoadedPeople(people, people.hasNames && text !== '');
  const named = loaded.members.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  const others = byEmail?.members.filter(({ id }) => named.every((member) => member.id !== id)) ?? [];
  return {
    found: [...named, ...others],
    isSearching: text !== '' && (byEmail === null || isLoading),
    /** True when more people have such an address. */
    hasMore: byEmail !== null && byEmail.problem === undefined && !byEmail.isComplete,
    problem: byEmail?.problem ?? loaded.problem,
    /** The number of people whose names are searched; null when these are all, or not known yet. */
    named: !people.hasNames || loaded.isComplete || loaded === NOBODY ? null : loaded.members.length,
    /** Undefined when no more names can be loaded. */
    loadMore,
  };
}

function useLoadedPeople(people: People, isNeeded: boolean) {
  const client = useClient();
  const [state, setState] = useState<{ loaded: Loaded; isLoading: boolean } | null>(null);
  const { loaded, isLoading } = state ?? { loaded: NOBODY, isLoading: false };
  const load = async (pages: number) => {
    setState({ loaded, isLoading: true });
    setState({ loaded: await readPages(client, people, { from: loaded, pages }), isLoading: false });
  };
  useEffect(() => {
    if (isNeeded && state === null) load(1);
  });
  const canLoad = state !== null && !isLoading && !loaded.isComplete && loaded.members.length < MAX_LOADED;
  return { loaded, isLoading, loadMore: canLoad ? () => load(PAGES_ON_DEMAND) : undefined };
}

/** Null until the search for this text has ended. */
function useEmailSearch(people: People, text: string): Loaded | null {
  const client = useClient();
  const searched = useTypingPause(text);
  const [found, setFound] = useState({ text: '', loaded: NOBODY });
  useEffect(() => {
    if (searched === '') return undefined;
    let isCurrent = true;
    readPage(client, people, { from: NOBODY, emailContains: searched }).then(
      (loaded) => isCurrent && setFound({ text: searched, loaded }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, people, searched]);
  return text !== '' && found.text === text ? found.loaded : null;
}

async function readPages(client: Client, people: People, { from, pages }: { from: Loaded; pages: number }) {
  let read = from;
  for (let page = 0; page < pages && !read.isComplete; page += 1) {
    read = await readPage(client, people, { from: read, emailContains: null });
    if (read.problem !== undefined) break;
  }
  return read;
}

interface NextPage {
  from: Loaded;
  emailContains: string | null;
}

async function readPage(client: Client, people: People, { from, emailContains }: NextPage): Promise<Loaded> {
  const page = await people.readPage(client, { first: PAGE_SIZE, after: from.after, emailContains });
  if (typeof page === 'string') return { ...from, problem: page };
  const members = [...from.members, ...page.members];
  return { members, after: page.nextAfter, isComplete: page.nextAfter === null };
}
