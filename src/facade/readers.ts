import type { Page } from '../domain/pages.ts';
import type { Reader } from '../domain/reader-groups/readers.ts';
import { encodeReaderEntry, type ReaderEntry } from '../v2/readers.ts';
import { pageOf, textOf } from './query-params.ts';
import { answered, type Call, type Handled } from './route-handler.ts';

/** The service's page (facts, section 1). */
const READERS_A_PAGE = 5000;

/** The readers, and behind the last of them those invited through single sign-on: the service has one list for both. */
export async function listReaders({ backend, caller, query }: Call): Handled {
  const page = pageOf(query);
  if (!page.ok) return page;
  const skip = page.value * READERS_A_PAGE;
  const emailContains = textOf(query, 'searchEmail') ?? null;
  const readers = await backend.listReaders(caller, emailContains, { limit: READERS_A_PAGE, skip });
  if (!readers.ok) return readers;
  const entries = readers.value.edges.map(({ node }): ReaderEntry => ({ kind: 'reader', reader: node }));
  const room = READERS_A_PAGE - entries.length;
  if (room === 0) return answered({ result: entries.map(encodeReaderEntry) });
  const rest = { limit: room, skip: Math.max(0, skip - (await countOf(readers.value, skip))) };
  const invited = await backend.listInvitedSsoUsers(caller, emailContains, rest);
  if (!invited.ok) return invited;
  const users = invited.value.edges.map(({ node }): ReaderEntry => ({ kind: 'invited', user: node }));
  return answered({ result: [...entries, ...users].map(encodeReaderEntry) });
}

/** How many readers there are, once their last page was read. */
async function countOf(page: Page<Reader>, skip: number): Promise<number> {
  if (skip === 0 || page.edges.length > 0) return skip + page.edges.length;
  return (await page.totalCount?.()) ?? skip;
}
