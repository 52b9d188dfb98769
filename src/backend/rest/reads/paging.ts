import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { encodeCursor, type PageStart, pageStartOf } from '../cursors.ts';

/** An entry that is not shown, because it can't be read or was not asked for, still takes its position. */
export type Entries<T> = readonly (T | null)[];

/** A list of the service that comes in pages of one size; the last of them is shorter. */
export interface PagedList<T> {
  readonly pageSize: number;
  /** `index` counts from 0. */
  readPage(index: number): Promise<Result<Entries<T>, BackendError>>;
  idOf(item: T): string;
}

/** A stretch of a list, as far as it was read. */
interface Stretch<T> {
  /** The position of its first entry. */
  readonly start: number;
  readonly entries: Entries<T>;
  /** Whether the list ends with it. */
  readonly isEnd: boolean;
}

/** One page of ours out of as many pages of the service as it takes: one more entry is read, to know whether more follow. */
export async function pageOf<T>(list: PagedList<T>, request: PageRequest): Promise<Result<Page<T>, BackendError>> {
  const from = pageStartOf(request);
  if (!from.ok) return from;
  const firstOf = (stretch: Stretch<T>) => firstPosition(stretch, from.value, list.idOf);
  const read = await readStretch(
    list,
    from.value.position,
    (stretch) => itemsFrom(stretch, firstOf(stretch)).length > request.limit,
  );
  return read.ok ? ok(cut(read.value, firstOf(read.value), { ...request, ...list })) : read;
}

/** The whole list, in its order. */
export async function allOf<T>(list: PagedList<T>): Promise<Result<readonly T[], BackendError>> {
  const read = await readStretch(list, 0, () => false);
  return read.ok ? ok(read.value.entries.flatMap((item) => (item === null ? [] : [item]))) : read;
}

/** A list that is in hand already. */
export const listOf = <T>(items: readonly T[], idOf: (item: T) => string): PagedList<T> => ({
  pageSize: Number.MAX_SAFE_INTEGER,
  readPage: async () => ok(items),
  idOf,
});

/**
 * Reads on until there is enough. A service that knows no pages answers everything at once, which shows in a page that
 * is too long, or in the same page once more.
 */
async function readStretch<T>(
  list: PagedList<T>,
  position: number,
  isEnough: (stretch: Stretch<T>) => boolean,
): Promise<Result<Stretch<T>, BackendError>> {
  const firstIndex = Math.floor(position / list.pageSize);
  let stretch: Stretch<T> = { start: firstIndex * list.pageSize, entries: [], isEnd: false };
  for (let index = firstIndex; !stretch.isEnd && !isEnough(stretch); index += 1) {
    const page = await list.readPage(index);
    if (!page.ok) return page;
    const entries = page.value;
    if (entries.length > list.pageSize) return ok({ start: 0, entries, isEnd: true });
    const isRepeat = entries.length > 0 && startsWithSame(list, stretch.entries.slice(-list.pageSize), entries);
    stretch = {
      start: stretch.start,
      entries: isRepeat ? stretch.entries : [...stretch.entries, ...entries],
      isEnd: isRepeat || entries.length < list.pageSize,
    };
  }
  return ok(stretch);
}

function startsWithSame<T>({ idOf }: PagedList<T>, before: Entries<T>, after: Entries<T>): boolean {
  const [one, other] = [before[0], after[0]];
  return one != null && other != null && idOf(one) === idOf(other);
}

/** The position at which the page begins. */
function firstPosition<T>({ start, entries }: Stretch<T>, { position, afterId }: PageStart, idOf: (item: T) => string) {
  const moved = afterId === null ? -1 : entries.findIndex((item) => item !== null && idOf(item) === afterId);
  return moved === -1 ? position : start + moved + 1;
}

interface Positioned<T> {
  readonly position: number;
  readonly item: T;
}

const itemsFrom = <T>({ start, entries }: Stretch<T>, first: number): readonly Positioned<T>[] =>
  entries.flatMap((item, index) => (item === null || start + index < first ? [] : [{ position: start + index, item }]));

function cut<T>(stretch: Stretch<T>, first: number, { limit, idOf }: PageRequest & PagedList<T>): Page<T> {
  const items = itemsFrom(stretch, first);
  const isWhole = stretch.start === 0 && stretch.isEnd;
  const total = itemsFrom(stretch, 0).length;
  return {
    edges: items.slice(0, limit).map(({ position, item }) => ({
      cursor: encodeCursor(position, idOf(item)),
      node: item,
    })),
    hasNextPage: items.length > limit,
    hasPreviousPage: first > 0,
    totalCount: isWhole ? async () => total : null,
  };
}
