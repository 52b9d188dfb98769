import type { BackendResult, Page } from '../../core/backend.ts';
import { ok } from '../../core/base/result.ts';
import type { Reader } from '../../core/reader-groups/reader-groups.ts';
import { encodeReaderEntry, type ReaderEntry } from '../../service/v2/readers.ts';
import { type EnvelopeResult, type FacadeRequest, queryPage, queryText, succeedWith } from './route-handler.ts';

/** The service's page size: see docs/service.md, "Readers". */
const READER_PAGE_SIZE = 5000;

/** Lists the readers, then the users invited through single sign-on: the service has one list for both. */
export async function listReaders({ backend, caller, query }: FacadeRequest): EnvelopeResult {
  const page = queryPage(query);
  if (!page.ok) return page;
  const skip = page.value * READER_PAGE_SIZE;
  const emailContains = queryText(query, 'searchEmail') ?? null;
  const readers = await backend.listReaders(caller, emailContains, { limit: READER_PAGE_SIZE, skip });
  if (!readers.ok) return readers;
  const entries = readers.value.edges.map(({ node }): ReaderEntry => ({ kind: 'reader', reader: node }));
  const limit = READER_PAGE_SIZE - entries.length;
  if (limit === 0) return succeedWith({ result: entries.map(encodeReaderEntry) });
  const counted = await countReaders(readers.value, skip);
  if (!counted.ok) return counted;
  const rest = { limit, skip: Math.max(0, skip - counted.value) };
  const invited = await backend.listInvitedSsoUsers(caller, emailContains, rest);
  if (!invited.ok) return invited;
  const users = invited.value.edges.map(({ node }): ReaderEntry => ({ kind: 'invited', user: node }));
  return succeedWith({ result: [...entries, ...users].map(encodeReaderEntry) });
}

/** Counts all readers, given the last page of them or a page behind it. */
async function countReaders(page: Page<Reader>, skip: number): BackendResult<number> {
  if (skip === 0 || page.edges.length > 0) return ok(skip + page.edges.length);
  return (await page.totalCount?.()) ?? ok(skip);
}
