import type { BackendResult, BatchResults, Page } from '../../core/backend.ts';
import { MAX_MEMBER_PAGES } from '../../core/base/limits.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf, idProblem, isSameId } from '../../core/base/text.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import type { ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import {
  decodePayload,
  decodePayloadList,
  notOfferedIf404,
  nullIfMissing,
  type PayloadResult,
} from '../calls/read-response.ts';
import type { ServiceCall } from '../calls/service-call.ts';
import { decodeReaderGroup } from '../v2/reader-groups.ts';
import { type PagedList, type PageEntries, paginate } from './paging.ts';
import type { RequestCache } from './request-cache.ts';

/** The size of a page of groups. Pages count from 1: see docs/service.md, "Reader groups". */
const PAGE_SIZE = 5;

/** The most readers, and the most invitations, in a page of members: see docs/service.md, "Reader groups". */
const MEMBERS_PER_PAGE = 5_000;

const isLastMemberPage = ({ readerIds, invitedSsoUserIds }: ReaderGroup): boolean =>
  readerIds.length < MEMBERS_PER_PAGE && invitedSsoUserIds.length < MEMBERS_PER_PAGE;

const readReaderGroup = (cache: RequestCache, groupId: string): BackendResult<ReaderGroup | null> =>
  cache.readerGroups.of(idKeyOf(groupId), async () =>
    nullIfMissing(await readCompleteGroup(groupId, async ({ path, query }) => cache.get(path, query)), 'reader group'),
  );

/** So few groups are read one by one, since a page of the list may have none of them. */
const MAX_UNLISTED_GROUPS = 2;

/** Reads many groups in pages of the list while each page has one of them, and the rest one by one. */
export async function readReaderGroups(
  cache: RequestCache,
  groupIds: readonly string[],
): BatchResults<ReaderGroup | null> {
  const missing = new Set(groupIds.filter((id) => idProblem(id) === null).map(idKeyOf));
  for (const key of missing) if (cache.readerGroups.has(key)) missing.delete(key);
  const list = pagedList(cache);
  for (let index = 0, isUseful = true; isUseful && missing.size > MAX_UNLISTED_GROUPS; index += 1) {
    const page = await list.readPage(index);
    // Without the list, each group is read by a call of its own, which may fail with an error of its own.
    if (!page.ok) break;
    const found = page.value.filter((group) => group !== null && missing.delete(idKeyOf(group.groupId)));
    isUseful = found.length > 0 && page.value.length === list.pageSize;
  }
  return Promise.all(groupIds.map((groupId) => readReaderGroup(cache, groupId)));
}

export const readReaderGroupPage = (cache: RequestCache, request: PageRequest): BackendResult<Page<ReaderGroup>> =>
  paginate(pagedList(cache), request);

const pagedList = (cache: RequestCache): PagedList<ReaderGroup> => ({
  pageSize: PAGE_SIZE,
  readPage: (index) => readGroups(cache, index + 1),
  idOf: ({ groupId }) => groupId,
});

async function readGroups(cache: RequestCache, offSet: number): BackendResult<PageEntries<ReaderGroup>> {
  const response = await cache.get(['Readers', 'groups'], { offSet, excludeReaders: false });
  const groups = await cache.decoded.readerGroupPages.of(response, (payload) =>
    decodePayloadList(notOfferedIf404(payload), decodeReaderGroup, cache),
  );
  return groups.ok ? withAllMembers(cache, groups.value) : groups;
}

/** Reads the groups again whose entries in the list have only the first page of members. */
async function withAllMembers(
  cache: RequestCache,
  entries: PageEntries<ReaderGroup>,
): BackendResult<PageEntries<ReaderGroup>> {
  const completeGroups: (ReaderGroup | null)[] = [];
  for (const group of entries) {
    const isComplete = group === null || isLastMemberPage(group);
    const read = isComplete ? ok(group) : await readReaderGroup(cache, group.groupId);
    if (!read.ok) return read;
    completeGroups.push(read.value);
    if (isComplete && group !== null) cache.readerGroups.of(idKeyOf(group.groupId), async () => ok(group));
  }
  return ok(completeGroups);
}

/**
 * Reads a group with all pages of its members. Fails where a page can't be read, since a PUT without its members would
 * remove them from the group.
 */
export async function readCompleteGroup(
  groupId: string,
  read: (call: ServiceCall) => Promise<PayloadResult>,
): Promise<Result<ReaderGroup, BackendError>> {
  const readPage = async (offSet: number) =>
    decodePayload(
      await read({ kind: 'read', path: ['Readers', 'groups', { id: groupId }], query: { offSet } }),
      (payload) => {
        const group = decodeReaderGroup(payload);
        // A response for another group must not be merged into this one.
        return group !== null && isSameId(group.groupId, groupId) ? group : null;
      },
    );
  const first = await readPage(1);
  if (!first.ok) return first;
  const readerIds = new Set(first.value.readerIds);
  const invitedSsoUserIds = new Set(first.value.invitedSsoUserIds);
  let page = first.value;
  for (let offSet = 2; !isLastMemberPage(page); offSet += 1) {
    if (offSet > MAX_MEMBER_PAGES)
      return err(unavailable('The members of the reader group take too many pages to read.'));
    const next = nullIfMissing(await readPage(offSet), 'reader group');
    if (!next.ok) return next;
    if (next.value === null) return err(unavailable('The reader group vanished while its members were read.'));
    page = next.value;
    const known = readerIds.size + invitedSsoUserIds.size;
    for (const id of page.readerIds) readerIds.add(id);
    for (const id of page.invitedSsoUserIds) invitedSsoUserIds.add(id);
    if (readerIds.size + invitedSsoUserIds.size === known && !isLastMemberPage(page))
      return err(unavailable('The service repeats a page of members, so the reader group cannot be read to its end.'));
  }
  return ok({ ...first.value, readerIds: [...readerIds], invitedSsoUserIds: [...invitedSsoUserIds] });
}
