import type { BackendResult, BatchResults, Page } from '../../core/backend.ts';
import { IdMap } from '../../core/base/id-map.ts';
import type { Edge, PageRequest } from '../../core/base/pages.ts';
import { mapOk, ok } from '../../core/base/result.ts';
import type { InvitedSsoUser, Reader, ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import { decodePayloadList, notOfferedIf404 } from '../calls/read-response.ts';
import { decodeReaderEntry, type ReaderEntry } from '../v2/readers.ts';
import { type PagedList, type PageEntries, paginate, paginateArray, readAllEntries } from './paging.ts';
import { readReaderGroups } from './reader-groups.ts';
import type { RequestCache } from './request-cache.ts';

/** The size of a page, invited users included. Pages count from 1: see docs/service.md, "Readers". */
const PAGE_SIZE = 5_000;

const readerIn = (entry: ReaderEntry | null | undefined): Reader | null =>
  entry?.kind === 'reader' ? entry.reader : null;

const invitedIn = (entry: ReaderEntry | null | undefined): InvitedSsoUser | null =>
  entry?.kind === 'invited' ? entry.user : null;

export const readReader = async (cache: RequestCache, readerId: string): BackendResult<Reader | null> =>
  mapOk(await readEntriesById(cache), (entries) => readerIn(entries.get(readerId)));

export const readInvitedSsoUser = async (
  cache: RequestCache,
  invitationId: string,
): BackendResult<InvitedSsoUser | null> =>
  mapOk(await readEntriesById(cache), (entries) => invitedIn(entries.get(invitationId)));

export function readReaderPage(
  cache: RequestCache,
  emailContains: string | null,
  request: PageRequest,
): BackendResult<Page<Reader>> {
  const entries = pagedEntries(cache, emailContains ?? '');
  const readPage = async (index: number) => mapOk(await entries.readPage(index), (page) => page.map(readerIn));
  return paginate({ pageSize: PAGE_SIZE, readPage, idOf: readerIdOf }, request);
}

export async function readReadersOfGroup(
  cache: RequestCache,
  { readerIds }: ReaderGroup,
  request: PageRequest,
): BackendResult<Page<Reader>> {
  if (readerIds.length === 0) return paginateArray([], readerIdOf, request);
  const entries = await readEntriesById(cache);
  if (!entries.ok) return entries;
  const readers = readerIds.flatMap((id) => readerIn(entries.value.get(id)) ?? []);
  return paginateArray(readers, readerIdOf, request);
}

/** Reads the groups of all readers together, since a page of the list of groups may serve many of them. */
export async function readGroupsOfReaders(
  cache: RequestCache,
  readers: readonly Reader[],
  request: PageRequest,
): BatchResults<Page<ReaderGroup>> {
  const pages = readers.map(({ groupIds }) => paginateArray(groupIds ?? [], (groupId) => groupId, request));
  const groupIds = new Set(pages.flatMap((page) => (page.ok ? page.value.edges.map(({ node }) => node) : [])));
  const groups = await readReaderGroups(cache, [...groupIds]);
  const byId = new Map([...groupIds].map((groupId, index) => [groupId, groups[index]]));
  return pages.map((page) => {
    if (!page.ok) return page;
    const edges: Edge<ReaderGroup>[] = [];
    for (const { cursor, node } of page.value.edges) {
      const group = byId.get(node);
      if (group?.ok === false) return group;
      if (group?.value) edges.push({ cursor, node: group.value });
    }
    return ok({ ...page.value, edges });
  });
}

/** Reads all readers and invited users, by reader ID or invitation ID, since the service has no call for one of them. */
const readEntriesById = (cache: RequestCache): BackendResult<ReadonlyMap<string, ReaderEntry>> =>
  cache.readerLists.of('', async () =>
    mapOk(await readAllEntries(pagedEntries(cache, '')), (all) => cache.decoded.readersById.of(all, entriesById)),
  );

const entriesById = (entries: PageEntries<ReaderEntry>): ReadonlyMap<string, ReaderEntry> =>
  new IdMap(entries.flatMap((entry) => (entry === null ? [] : [[entryIdOf(entry), entry]])));

const pagedEntries = (cache: RequestCache, searchEmail: string): PagedList<ReaderEntry> => ({
  pageSize: PAGE_SIZE,
  readPage: (index) => readEntries(cache, index + 1, searchEmail),
  idOf: entryIdOf,
});

async function readEntries(
  cache: RequestCache,
  offSet: number,
  searchEmail: string,
): BackendResult<PageEntries<ReaderEntry>> {
  const query = searchEmail === '' ? { offSet } : { offSet, searchEmail };
  return cache.decoded.readerPages.of(await cache.get(['Readers'], query), (payload) =>
    decodePayloadList(notOfferedIf404(payload), decodeReaderEntry, cache),
  );
}

const readerIdOf = ({ readerId }: Reader): string => readerId;

const entryIdOf = (entry: ReaderEntry): string =>
  entry.kind === 'reader' ? entry.reader.readerId : entry.user.invitationId;

/**
 * True where the address contains the text, ignoring case. Every address contains null.
 * @internal Exported for tests.
 */
export const emailContainsText = ({ email }: { readonly email: string | null }, contains: string | null): boolean =>
  (email ?? '').toLowerCase().includes((contains ?? '').toLowerCase());

/** Pages the invited users by invitation ID. One page needs the whole list, in which they are scattered among the readers. */
export async function readInvitedSsoUserPage(
  cache: RequestCache,
  emailContains: string | null,
  request: PageRequest,
): BackendResult<Page<InvitedSsoUser>> {
  const entries = await readEntriesById(cache);
  if (!entries.ok) return entries;
  const users = [...entries.value.values()]
    .flatMap((entry) => invitedIn(entry) ?? [])
    .filter((user) => emailContainsText(user, emailContains))
    .sort((a, b) => (a.invitationId < b.invitationId ? -1 : 1));
  return paginateArray(users, ({ invitationId }) => invitationId, request);
}
