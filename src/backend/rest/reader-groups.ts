import type { Page, PageRequest } from '../../domain/pages.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-group-updates.ts';
import { ok } from '../../domain/result.ts';
import { decodeReaderGroup } from '../../v2/reader-groups.ts';
import { allOf, type Entries, type PagedList, pageOf } from './reads/paging.ts';
import { decodedList, nullWhereAbsent, offered } from './reads/read-response.ts';
import { isLastPage, readWholeGroup } from './reads/reader-groups.ts';
import { canBeNamed, createMemo, type Found, type ReadSession } from './reads/request-cache.ts';

/** Groups come so many a page, counted from 1 (facts, section 1). */
const PAGE_SIZE = 5;

export interface ReaderGroupReads {
  byId(session: ReadSession, groupId: string): Found<ReaderGroup | null>;
  page(session: ReadSession, request: PageRequest): Found<Page<ReaderGroup>>;
  all(session: ReadSession): Found<readonly ReaderGroup[]>;
}

export function createReaderGroupReads(): ReaderGroupReads {
  const groups = createMemo<ReaderGroup | null>();
  const pages = createMemo<Entries<ReaderGroup>>();

  const byId: ReaderGroupReads['byId'] = async (session, groupId) => {
    if (!canBeNamed(groupId)) return ok(null);
    return groups(session, groupId, async () =>
      nullWhereAbsent(await readWholeGroup(groupId, ({ path, query }) => session.get(path, query))),
    );
  };

  const readPage = async (session: ReadSession, offSet: number): Found<Entries<ReaderGroup>> => {
    const query = { offSet, excludeReaders: false };
    const page = await decodedList(offered(await session.get(['Readers', 'groups'], query)), decodeReaderGroup);
    return page.ok ? withAllMembers(session, page.value) : page;
  };

  /** A group in a list shows the first page of its members; who has more is read by itself, and nobody is read twice. */
  const withAllMembers = async (session: ReadSession, entries: Entries<ReaderGroup>): Found<Entries<ReaderGroup>> => {
    const whole: (ReaderGroup | null)[] = [];
    for (const group of entries) {
      const isWhole = group === null || isLastPage(group);
      const read = isWhole ? ok(group) : await byId(session, group.groupId);
      if (!read.ok) return read;
      whole.push(read.value);
      if (isWhole && group !== null) groups(session, group.groupId, async () => ok(group));
    }
    return ok(whole);
  };

  const listOf = (session: ReadSession): PagedList<ReaderGroup> => ({
    pageSize: PAGE_SIZE,
    readPage: (index) => pages(session, `${index}`, () => readPage(session, index + 1)),
    idOf: ({ groupId }) => groupId,
  });

  return {
    byId,
    page: (session, request) => pageOf(listOf(session), request),
    all: (session) => allOf(listOf(session)),
  };
}
