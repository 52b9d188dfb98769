import type { BackendError } from '../domain/errors.ts';
import type { Page } from '../domain/pages.ts';
import type { InvitedSsoUser, Reader } from '../domain/readers.ts';
import { ok, type Result } from '../domain/result.ts';
import { encodeReaderEntry, type ReaderEntry } from '../v2/readers.ts';
import { answered, type Call, type Handled } from './call.ts';
import { pageOf, textOf } from './query.ts';

/** The service's page (facts, section 1). */
const READERS_A_PAGE = 5000;

/** Groups that are asked at once for whom they invited. */
const GROUPS_AT_ONCE = 500;

/** The readers, and behind the last of them those invited through single sign-on: the service has one list for both. */
export async function listReaders(call: Call): Handled {
  const page = pageOf(call.query);
  if (!page.ok) return page;
  const skip = page.value * READERS_A_PAGE;
  const emailContains = textOf(call.query, 'searchEmail') ?? null;
  const readers = await call.backend.listReaders(call.caller, emailContains, { limit: READERS_A_PAGE, skip });
  if (!readers.ok) return readers;
  const entries = readers.value.edges.map(({ node }): ReaderEntry => ({ kind: 'reader', reader: node }));
  const room = READERS_A_PAGE - entries.length;
  if (room === 0) return answered({ result: entries.map(encodeReaderEntry) });
  const invited = await invitedUsers(call, emailContains);
  if (!invited.ok) return invited;
  const from = Math.max(0, skip - (await countOf(readers.value, skip)));
  const users = invited.value.slice(from, from + room).map((user): ReaderEntry => ({ kind: 'invited', user }));
  return answered({ result: [...entries, ...users].map(encodeReaderEntry) });
}

/** How many readers there are, once their last page was read. */
async function countOf(page: Page<Reader>, skip: number): Promise<number> {
  if (skip === 0 || page.edges.length > 0) return skip + page.edges.length;
  return (await page.totalCount?.()) ?? skip;
}

/** Whom the groups invited, by invitation: the port has no list of invitations but theirs. */
async function invitedUsers(
  { backend, caller }: Call,
  emailContains: string | null,
): Promise<Result<readonly InvitedSsoUser[], BackendError>> {
  const users = new Map<string, InvitedSsoUser>();
  let after: string | null | undefined;
  do {
    const groups = await backend.listReaderGroups(caller, { limit: GROUPS_AT_ONCE, after });
    if (!groups.ok) return groups;
    const { edges, hasNextPage } = groups.value;
    const nodes = edges.map(({ node }) => node);
    for (const invited of await backend.invitedSsoUsersOfGroups(caller, nodes)) {
      if (!invited.ok) return invited;
      for (const user of invited.value) users.set(user.invitationId, user);
    }
    after = hasNextPage ? edges.at(-1)?.cursor : null;
  } while (after != null);
  const found = [...users.values()].filter(({ email }) => emailContains === null || contains(email, emailContains));
  return ok(found.sort((a, b) => (a.invitationId < b.invitationId ? -1 : 1)));
}

const contains = (text: string | null, part: string): boolean =>
  text?.toLowerCase().includes(part.toLowerCase()) ?? false;
