import { useState } from 'react';
import type { Api } from '../api.ts';
import {
  type InvitedFieldsFragment,
  InvitedSsoUsersDocument,
  type ReaderFieldsFragment,
  ReadersDocument,
} from '../generated/graphql.ts';
import { Button } from '../parts.tsx';
import { useShared } from '../shared.ts';

export interface Member {
  readonly id: string;
  readonly name: string;
}

export type MemberKind = 'readers' | 'invited';

export function memberOfReader({ readerId, firstName, lastName, email }: ReaderFieldsFragment): Member {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return { id: readerId, name: [name, email && `<${email}>`].filter(Boolean).join(' ') || readerId };
}

export const memberOfInvited = ({ invitationId, email }: InvitedFieldsFragment): Member => ({
  id: invitationId,
  name: email ?? invitationId,
});

const PAGE_SIZE = 100;

/** The most pages of people that one search by name reads. */
const PAGES_AT_ONCE = 10;

const MAX_SHOWN = 8;

interface People {
  readonly members: readonly Member[];
  /** The cursor of the next page; null where there is none. */
  readonly after: string | null;
  readonly problem: string | null;
}

interface PageRequest {
  readonly kind: MemberKind;
  readonly after: string | null;
  readonly emailContains: string | null;
}

async function readPage(api: Api, { kind, after, emailContains }: PageRequest): Promise<People> {
  const variables = { first: PAGE_SIZE, after, emailContains };
  const readers = kind === 'readers' ? await api.send(ReadersDocument, variables) : null;
  const invited = kind === 'invited' ? await api.send(InvitedSsoUsersDocument, variables) : null;
  const page = readers?.data?.readers ?? invited?.data?.invitedSsoUsers;
  return {
    members: [
      ...(readers?.data?.readers?.nodes ?? []).map(memberOfReader),
      ...(invited?.data?.invitedSsoUsers?.nodes ?? []).map(memberOfInvited),
    ],
    after: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null,
    problem: page ? null : (readers?.failure?.message ?? invited?.failure?.message ?? 'They cannot be read now.'),
  };
}

interface Found extends People {
  /** The number of people whose names were searched. */
  readonly named: number;
}

/** Finds people. The gateway searches e-mail addresses among everybody. Names are searched here, among the first people. */
async function searchPeople(api: Api, kind: MemberKind, text: string): Promise<Found> {
  const byEmail = await readPage(api, { kind, after: null, emailContains: text });
  const found = new Map(byEmail.members.map((member) => [member.id, member]));
  let named = 0;
  let page: People = { members: [], after: null, problem: byEmail.problem };
  for (let pages = 0; kind === 'readers' && page.problem === null && pages < PAGES_AT_ONCE; pages++) {
    page = await readPage(api, { kind, after: page.after, emailContains: null });
    named += page.members.length;
    for (const member of page.members)
      if (member.name.toLowerCase().includes(text.toLowerCase())) found.set(member.id, member);
    if (page.after === null) break;
  }
  return { members: [...found.values()], after: page.after, problem: page.problem, named };
}

interface MemberSearchProps {
  kind: MemberKind;
  /** The IDs of the present and the added members. */
  present: readonly string[];
  onAdd: (member: Member) => void;
}

export function MemberSearch({ kind, present, onAdd }: MemberSearchProps) {
  const { api } = useShared();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found | 'searching' | null>(null);
  const search = async () => {
    if (text.trim() === '') return;
    setFound('searching');
    setFound(await searchPeople(api, kind, text.trim()));
  };
  const members = found === null || found === 'searching' ? [] : found.members;
  const addable = members.filter(({ id }) => !present.includes(id));
  return (
    <>
      <label>
        {kind === 'readers' ? 'Add a reader, by name or email' : 'Add an invited person, by email'}
        <input
          type="search"
          maxLength={320}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            // Enter would submit the form.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void search();
          }}
        />
      </label>
      <Button onClick={search}>{kind === 'readers' ? 'Search readers' : 'Search invited people'}</Button>
      <span role="status">{found === 'searching' ? 'Searching…' : found && statusOf(found, addable.length)}</span>
      {addable.slice(0, MAX_SHOWN).map((member) => (
        <button key={member.id} type="button" onClick={() => onAdd(member)}>
          Add {member.name}
        </button>
      ))}
    </>
  );
}

function statusOf({ problem, after, named }: Found, addable: number): string {
  if (problem !== null) return problem;
  const count =
    addable === 0 ? 'Nobody to add is found.' : `${addable} found${addable > MAX_SHOWN ? `, ${MAX_SHOWN} shown` : ''}.`;
  return after === null
    ? count
    : `${count} Names are searched among the first ${named} only, email addresses among all.`;
}
