import { isObject } from '../../../domain/json/json-objects.ts';
import type { Edge, Page, PageRequest } from '../../../domain/pages.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { ok } from '../../../domain/result.ts';
import { decodeReaderEntry, type ReaderEntry } from '../../../v2/readers.ts';
import type { BackendResult } from '../../backend.ts';
import { listFromArray, type PagedList, type PageEntries, paginate, readAllPages } from './paging.ts';
import { decodePayload, decodePayloadList, notOfferedIf404 } from './read-response.ts';
import { readAllReaderGroups, readReaderGroup } from './reader-groups.ts';
import type { RequestCache } from './request-cache.ts';

/** The size of a page, invited users included. Pages count from 1: see docs/service.md, "Readers". */
const PAGE_SIZE = 5_000;

export async function readReader(cache: RequestCache, readerId: string): BackendResult<Reader | null> {
  const entries = await readAllEntries(cache);
  if (!entries.ok) return entries;
  const entry = entries.value.get(readerId);
  return ok(entry?.kind === 'reader' ? entry.reader : null);
}

export function readReaderPage(
  cache: RequestCache,
  emailContains: string | null,
  request: PageRequest,
): BackendResult<Page<Reader>> {
  const entries = pagedEntries(cache, emailContains ?? '');
  const readers: PagedList<Reader> = {
    pageSize: PAGE_SIZE,
    async readPage(index) {
      const page = await entries.readPage(index);
      return page.ok ? ok(page.value.map((entry) => readerWithEmail(emailContains, entry))) : page;
    },
    idOf: readerIdOf,
  };
  return paginate(readers, request);
}

export async function readReadersOfGroup(
  cache: RequestCache,
  { readerIds }: ReaderGroup,
  request: PageRequest,
): BackendResult<Page<Reader>> {
  if (readerIds.length === 0) return paginate(listFromArray([], readerIdOf), request);
  const entries = await readAllEntries(cache);
  if (!entries.ok) return entries;
  const readers = readerIds.flatMap((id) => {
    const entry = entries.value.get(id);
    return entry?.kind === 'reader' ? [entry.reader] : [];
  });
  return paginate(listFromArray(readers, readerIdOf), request);
}

/** Looks through the members of all groups when the service's list of readers does not show them. */
export async function readGroupIdsOfReader(
  cache: RequestCache,
  { readerId, groupIds }: Reader,
): BackendResult<readonly string[]> {
  if (groupIds !== null) return ok(groupIds);
  const all = await readAllReaderGroups(cache);
  if (!all.ok) return all;
  return ok(all.value.filter(({ readerIds }) => readerIds.includes(readerId)).map(({ groupId }) => groupId));
}

/** Reads the groups of one page, each by a call of its own. */
export async function readGroupsOfReader(
  cache: RequestCache,
  reader: Reader,
  request: PageRequest,
): BackendResult<Page<ReaderGroup>> {
  const groupIds = await readGroupIdsOfReader(cache, reader);
  if (!groupIds.ok) return groupIds;
  const page = await paginate(listFromArray(groupIds.value, identity), request);
  if (!page.ok) return page;
  const edges: Edge<ReaderGroup>[] = [];
  const groups = await Promise.all(page.value.edges.map(({ node }) => readReaderGroup(cache, node)));
  for (const [index, group] of groups.entries()) {
    if (!group.ok) return group;
    const cursor = page.value.edges[index]?.cursor;
    if (group.value !== null && cursor !== undefined) edges.push({ cursor, node: group.value });
  }
  return ok({ ...page.value, edges });
}

const identity = (id: string): string => id;

/** All readers and invited users, by reader ID or invitation ID: the service has no call for one of them. */
export const readAllEntries = (cache: RequestCache): BackendResult<ReadonlyMap<string, ReaderEntry>> =>
  cache.readerLists.read('', async () => {
    const all = await readAllPages(pagedEntries(cache, ''));
    return all.ok ? ok(new Map(all.value.map((entry) => [entryIdOf(entry), entry]))) : all;
  });

const pagedEntries = (cache: RequestCache, searchEmail: string): PagedList<ReaderEntry> => ({
  pageSize: PAGE_SIZE,
  readPage: (index) =>
    cache.readerPages.read(`${index} ${searchEmail}`, () => readEntries(cache, index + 1, searchEmail)),
  idOf: entryIdOf,
});

async function readEntries(
  cache: RequestCache,
  offSet: number,
  searchEmail: string,
): BackendResult<PageEntries<ReaderEntry>> {
  const query = searchEmail === '' ? { offSet } : { offSet, searchEmail };
  const payload = notOfferedIf404(await cache.get(['Readers'], query));
  if (payload.ok && isObject(payload.value)) return decodePayload(payload, decodeSingleEntry);
  return decodePayloadList(payload, decodeReaderEntry, cache);
}

/** The documentation shows the list as one bare object: see docs/service.md, "Readers". */
function decodeSingleEntry(payload: unknown): PageEntries<ReaderEntry> | null {
  const entry = decodeReaderEntry(payload);
  return entry && [entry];
}

const readerIdOf = ({ readerId }: Reader): string => readerId;

const entryIdOf = (entry: ReaderEntry): string =>
  entry.kind === 'reader' ? entry.reader.readerId : entry.user.invitationId;

/** Filters again what the service should have filtered. */
const readerWithEmail = (emailContains: string | null, entry: ReaderEntry | null): Reader | null =>
  entry?.kind === 'reader' && emailContainsText(entry.reader, emailContains) ? entry.reader : null;

/** Ignores case. Null is contained in every address. */
export const emailContainsText = ({ email }: { readonly email: string | null }, contains: string | null): boolean =>
  (email ?? '').toLowerCase().includes((contains ?? '').toLowerCase());
