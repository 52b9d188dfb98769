import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-group-updates.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { ok } from '../../../domain/result.ts';
import type { ReaderGroupReads } from '../reader-groups.ts';
import type { ReaderLists } from '../reader-lists.ts';
import { listOf, pageOf } from './paging.ts';
import type { Found, ReadSession } from './request-cache.ts';

export interface ReaderReads {
  byId(session: ReadSession, readerId: string): Found<Reader | null>;
  page(session: ReadSession, emailContains: string | null, request: PageRequest): Found<Page<Reader>>;
  ofGroup(session: ReadSession, group: ReaderGroup, request: PageRequest): Found<Page<Reader>>;
  groupsOf(session: ReadSession, reader: Reader): Found<readonly ReaderGroup[]>;
}

export function createReaderReads(lists: ReaderLists, groups: ReaderGroupReads): ReaderReads {
  return {
    async byId(session, readerId) {
      const everybody = await lists.everybody(session);
      if (!everybody.ok) return everybody;
      const entry = everybody.value.get(readerId);
      return ok(entry?.kind === 'reader' ? entry.reader : null);
    },
    page: (session, emailContains, request) => pageOf(lists.matching(session, emailContains), request),
    async ofGroup(session, { readerIds }, request) {
      if (readerIds.length === 0) return pageOf(inHand([]), request);
      const everybody = await lists.everybody(session);
      if (!everybody.ok) return everybody;
      const readers = readerIds.flatMap((id) => {
        const entry = everybody.value.get(id);
        return entry?.kind === 'reader' ? [entry.reader] : [];
      });
      return pageOf(inHand(readers), request);
    },
    async groupsOf(session, { readerId, groupIds }) {
      if (groupIds === null) {
        const all = await groups.all(session);
        return all.ok ? ok(all.value.filter(({ readerIds }) => readerIds.includes(readerId))) : all;
      }
      const found: ReaderGroup[] = [];
      for (const group of await Promise.all(groupIds.map((groupId) => groups.byId(session, groupId)))) {
        if (!group.ok) return group;
        if (group.value !== null) found.push(group.value);
      }
      return ok(found);
    },
  };
}

const inHand = (readers: readonly Reader[]) => listOf(readers, ({ readerId }) => readerId);
