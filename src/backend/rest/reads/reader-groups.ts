import { type BackendError, unavailable } from '../../../domain/errors.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-group-updates.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { decodeReaderGroup } from '../../../v2/reader-groups.ts';
import type { Call } from '../http/client.ts';
import { decoded, nullWhereAbsent, type Payload } from './read-response.ts';

/** The members of a group come so many a page, readers and invitations each (facts, section 1). */
const MEMBERS_PER_PAGE = 5_000;

/** A group of a million members is not what this service is for: the pages have gone astray. */
const MAX_PAGES = 200;

/** Whether no page of members follows this one. */
export const isLastPage = ({ readerIds, invitedSsoUserIds }: ReaderGroup): boolean =>
  readerIds.length < MEMBERS_PER_PAGE && invitedSsoUserIds.length < MEMBERS_PER_PAGE;

/**
 * Reads a group with every page of its members. Whoever is missed here would be dissociated by the PUT that follows, so
 * a group that can't be read to its end counts as not read at all.
 */
export async function readWholeGroup(
  groupId: string,
  read: (call: Call) => Promise<Payload>,
): Promise<Result<ReaderGroup, BackendError>> {
  const readPage = async (offSet: number) =>
    decoded(await read({ method: 'GET', path: ['Readers', 'groups', groupId], query: { offSet } }), (payload) => {
      const group = decodeReaderGroup(payload);
      return group !== null && isNamed(group, groupId) ? group : null;
    });
  const first = await readPage(1);
  if (!first.ok) return first;
  const members = membersFrom(first.value);
  let page = first.value;
  for (let offSet = 2; !isLastPage(page); offSet += 1) {
    if (offSet > MAX_PAGES) return err(unavailable('The members of the reader group take too many pages to read.'));
    const next = nullWhereAbsent(await readPage(offSet));
    if (!next.ok) return next;
    if (next.value === null) return err(unavailable('The reader group vanished while its members were read.'));
    page = next.value;
    if (!members.add(page) && !isLastPage(page)) {
      return err(unavailable('The service repeats a page of members, so the reader group cannot be read to its end.'));
    }
  }
  return ok({ ...first.value, ...members.all() });
}

/** An answer for another group must never be merged into this one; some services write the same ID in another case. */
const isNamed = (group: ReaderGroup, groupId: string): boolean => group.groupId.toLowerCase() === groupId.toLowerCase();

function membersFrom(first: ReaderGroup) {
  const readerIds = new Set(first.readerIds);
  const invitedSsoUserIds = new Set(first.invitedSsoUserIds);
  const count = () => readerIds.size + invitedSsoUserIds.size;
  return {
    /** Whether the page brought anyone new. */
    add(page: ReaderGroup): boolean {
      const before = count();
      for (const id of page.readerIds) readerIds.add(id);
      for (const id of page.invitedSsoUserIds) invitedSsoUserIds.add(id);
      return count() > before;
    },
    all: () => ({ readerIds: [...readerIds], invitedSsoUserIds: [...invitedSsoUserIds] }),
  };
}
