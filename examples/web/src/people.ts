import type { Client } from 'urql';
import { InvitedSsoUsersDocument, ReadersDocument } from './generated/graphql.ts';
import { type Member, memberOfInvited, memberOfReader } from './reader-group-draft.ts';

export interface PageArguments {
  first: number;
  after: string | null;
  /** Only people whose email address contains this; null for everybody. */
  emailContains: string | null;
}

export interface PeoplePage {
  members: readonly Member[];
  /** Null on the last page. */
  nextAfter: string | null;
}

/** A list of the gateway in which members are looked for. */
export interface People {
  label: string;
  one: string;
  many: string;
  /** False when the list has email addresses only, all of which the gateway searches. */
  hasNames: boolean;
  /** Resolves with the problem when the page cannot be read. */
  readPage(client: Client, page: PageArguments): Promise<PeoplePage | string>;
}

export const READERS: People = {
  label: 'Add a reader, by name or email',
  one: 'reader',
  many: 'readers',
  hasNames: true,
  async readPage(client, page) {
    const { data, error } = await client.query(ReadersDocument, page).toPromise();
    const read = data?.readers;
    return read ? { members: read.nodes.map(memberOfReader), nextAfter: nextAfter(read) } : problemOf(error);
  },
};

export const INVITED: People = {
  label: 'Add an invited person, by email',
  one: 'invited person',
  many: 'invited people',
  hasNames: false,
  async readPage(client, page) {
    const { data, error } = await client.query(InvitedSsoUsersDocument, page).toPromise();
    const read = data?.invitedSsoUsers;
    return read ? { members: read.nodes.map(memberOfInvited), nextAfter: nextAfter(read) } : problemOf(error);
  },
};

const nextAfter = ({ pageInfo }: { pageInfo: { hasNextPage: boolean; endCursor: string | null } }): string | null =>
  pageInfo.hasNextPage ? pageInfo.endCursor : null;

const problemOf = (error: Error | undefined): string => error?.message ?? 'They cannot be read now.';
