import { isObject } from '../../domain/articles/articles.ts';
import type { Reader } from '../../domain/reader-groups/readers.ts';
import { ok } from '../../domain/result.ts';
import { decodeReaderEntries, decodeReaderEntry, type ReaderEntry } from '../../v2/readers.ts';
import { allOf, type Entries, type PagedList } from './reads/paging.ts';
import { decoded, decodedList, offered } from './reads/read-response.ts';
import { createMemo, type Found, type ReadSession } from './reads/request-cache.ts';

/** Readers come so many a page, counted from 1, those who are invited among them (facts, section 1). */
const PAGE_SIZE = 5_000;

/** The one call there is for readers: the service reads no reader by itself, and lists no invited users. */
export interface ReaderLists {
  /** Null, or what an email address must contain, whatever the case. */
  matching(session: ReadSession, emailContains: string | null): PagedList<Reader>;
  /** Everybody, by ID: the reader ID, or the invitation ID. */
  everybody(session: ReadSession): Found<ReadonlyMap<string, ReaderEntry>>;
}

export function createReaderLists(): ReaderLists {
  const pages = createMemo<Entries<ReaderEntry>>();
  const wholes = createMemo<ReadonlyMap<string, ReaderEntry>>();

  const read = async (session: ReadSession, offSet: number, searchEmail: string): Found<Entries<ReaderEntry>> => {
    const query = searchEmail === '' ? { offSet } : { offSet, searchEmail };
    const payload = offered(await session.get(['Readers'], query));
    if (payload.ok && isObject(payload.value)) return decoded(payload, decodeReaderEntries);
    return decodedList(payload, decodeReaderEntry);
  };

  const list = (session: ReadSession, searchEmail: string): PagedList<ReaderEntry> => ({
    pageSize: PAGE_SIZE,
    readPage: (index) => pages(session, `${index} ${searchEmail}`, () => read(session, index + 1, searchEmail)),
    idOf: entryId,
  });

  return {
    matching(session, emailContains) {
      const entries = list(session, emailContains ?? '');
      return {
        pageSize: PAGE_SIZE,
        async readPage(index) {
          const page = await entries.readPage(index);
          return page.ok ? ok(page.value.map((entry) => readerWith(emailContains, entry))) : page;
        },
        idOf: ({ readerId }) => readerId,
      };
    },
    everybody: (session) =>
      wholes(session, '', async () => {
        const all = await allOf(list(session, ''));
        return all.ok ? ok(new Map(all.value.map((entry) => [entryId(entry), entry]))) : all;
      }),
  };
}

const entryId = (entry: ReaderEntry): string =>
  entry.kind === 'reader' ? entry.reader.readerId : entry.user.invitationId;

/** The service filters by itself; held against it once more, a service that does not is found to answer the same. */
const readerWith = (emailContains: string | null, entry: ReaderEntry | null): Reader | null =>
  entry?.kind === 'reader' && hasEmail(entry.reader, emailContains) ? entry.reader : null;

/** Whether the address has the part that is looked for, whatever the case; where none is, everybody is found. */
export const hasEmail = ({ email }: { readonly email: string | null }, contains: string | null): boolean =>
  (email ?? '').toLowerCase().includes((contains ?? '').toLowerCase());
