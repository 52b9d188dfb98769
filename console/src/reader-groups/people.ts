import { type Api, NO_ANSWER, readPages } from '../api.ts';
import {
  type InvitedFieldsFragment,
  InvitedSsoUsersDocument,
  type ReaderFieldsFragment,
  ReadersDocument,
} from '../generated/graphql.ts';

/** Somebody who is in a group or can be. */
export interface Member {
  readonly kind: 'readers' | 'invited';
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

export const memberOfReader = ({ readerId: id, firstName, lastName, email }: ReaderFieldsFragment): Member => ({
  kind: 'readers',
  id,
  name: [firstName, lastName].filter(Boolean).join(' ') || email || id,
  email,
});

export const memberOfInvited = ({ invitationId: id, email }: InvitedFieldsFragment): Member => ({
  kind: 'invited',
  id,
  name: email ?? id,
  email,
});

const textOf = ({ name, email }: Member): string => `${name} ${email ?? ''}`.toLowerCase();

export const includesText = (member: Member, text: string): boolean =>
  textOf(member).includes(text.trim().toLowerCase());

/** The entries of a pasted list, each once: names, addresses, or addresses in angle brackets behind names. */
export function entriesOf(text: string): readonly string[] {
  const entries = text.split(/[,;\t\r\n]+/u).map((entry) => (/<([^<>]+)>/u.exec(entry)?.[1] ?? entry).trim());
  return [...new Map(entries.filter(Boolean).map((entry) => [entry.toLowerCase(), entry])).values()];
}

const PAGE_SIZE = 100;

/** The most pages of each kind of people that are read to search them by name. */
const MOST_PAGES = 10;

/** Reads readers and invited people, of whose addresses a text is a part; null for everybody. */
async function readPeople(api: Api, emailContains: string | null) {
  const [readers, invited] = await Promise.all([
    readPages(MOST_PAGES, async (after) => {
      const { data, failure } = await api.send(ReadersDocument, { first: PAGE_SIZE, after, emailContains });
      return data?.readers ?? failure?.message ?? NO_ANSWER;
    }),
    readPages(MOST_PAGES, async (after) => {
      const { data, failure } = await api.send(InvitedSsoUsersDocument, { first: PAGE_SIZE, after, emailContains });
      return data?.invitedSsoUsers ?? failure?.message ?? NO_ANSWER;
    }),
  ]);
  return {
    members: [...readers.nodes.map(memberOfReader), ...invited.nodes.map(memberOfInvited)],
    hasMore: readers.hasMore || invited.hasMore,
    problem: readers.problem ?? invited.problem,
  };
}

export interface Found {
  readonly members: readonly Member[];
  /** The entries that nobody has. */
  readonly unknown: readonly string[];
  /** The number of people whose names were searched; null where all were. */
  readonly named: number | null;
  readonly problem: string | null;
}

/**
 * Finds people by their names and addresses: by parts of them where it is one entry, else by whole ones. Names are searched here,
 * among the first 1,000 people of each kind, and addresses among all by the gateway.
 */
export async function findPeople(api: Api, entries: readonly string[]): Promise<Found> {
  const isOne = entries.length === 1;
  const has = (member: Member, entry: string) =>
    isOne
      ? includesText(member, entry)
      : [member.email, member.name].some((text) => text?.toLowerCase() === entry.toLowerCase());
  const people = await readPeople(api, null);
  let { members, problem } = people;
  const isUnknown = (entry: string) => !members.some((member) => has(member, entry));
  for (const entry of people.hasMore ? entries : []) {
    if (problem !== null) break;
    if (!isOne && !isUnknown(entry)) continue;
    const asked = await readPeople(api, entry);
    members = [...members, ...asked.members];
    problem = asked.problem;
  }
  const found = members.filter((member) => entries.some((entry) => has(member, entry)));
  return {
    members: [...new Map(found.map((member) => [`${member.kind} ${member.id}`, member])).values()],
    unknown: entries.filter(isUnknown),
    named: people.hasMore ? people.members.length : null,
    problem,
  };
}
