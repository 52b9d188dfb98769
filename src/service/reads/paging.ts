import type { Page } from '../../core/backend.ts';
import { MAX_OPAQUE_LENGTH } from '../../core/base/limits.ts';
import { type Edge, LazyEdge, type PageRequest } from '../../core/base/pages.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { type BackendError, validationError } from '../../core/errors.ts';

/** The entries of a page. An entry that can't be read, or was not requested, is null and keeps its position. */
export type PageEntries<T> = readonly (T | null)[];

/** A list of the service in pages of one size. The last page is shorter. */
export interface PagedList<T> {
  readonly pageSize: number;
  /** `index` counts from 0. */
  readPage(index: number): Promise<Result<PageEntries<T>, BackendError>>;
  idOf(item: T): string;
}

/** A part of a list that was read. */
interface PageWindow<T> {
  /** The position of the first entry. */
  readonly start: number;
  readonly entries: PageEntries<T>;
  /** True where the list ends with this part. */
  readonly isEnd: boolean;
}

/**
 * Makes one page from as many pages of the service as needed. Reads one entry more to know whether others follow,
 * unless that is not used.
 */
export async function paginate<T>(list: PagedList<T>, request: PageRequest): Promise<Result<Page<T>, BackendError>> {
  const pageStart = pageStartOf(request);
  if (!pageStart.ok) return pageStart;
  const startOf = (window: PageWindow<T>) => startPosition(window, pageStart.value, list.idOf);
  const needed = request.itemsOnly ? request.limit : request.limit + 1;
  const isEnough = (window: PageWindow<T>) => countFrom(window, startOf(window)) >= needed;
  const windowRead = await readWindow(list, pageStart.value.position, isEnough);
  return mapOk(windowRead, (window) => pageFromWindow(window, startOf(window), { ...list, ...request }));
}

/** Makes one page of a list that was read already. */
export function paginateArray<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  request: PageRequest,
): Result<Page<T>, BackendError> {
  const pageStart = pageStartOf(request);
  if (!pageStart.ok) return pageStart;
  const window = { start: 0, entries: items, isEnd: true };
  return ok(pageFromWindow(window, startPosition(window, pageStart.value, idOf), { ...request, idOf }));
}

/** Reads the whole list in its order. A list of one page is that page itself. */
export async function readAllEntries<T>(list: PagedList<T>): Promise<Result<PageEntries<T>, BackendError>> {
  return mapOk(await readWindow(list, 0, () => false), ({ entries }) => entries);
}

/**
 * Reads pages until there are enough entries. A service without paging sends the whole list each time, which is
 * recognized by a page that is too long or repeated.
 */
async function readWindow<T>(
  list: PagedList<T>,
  position: number,
  isEnough: (window: PageWindow<T>) => boolean,
): Promise<Result<PageWindow<T>, BackendError>> {
  const firstIndex = Math.floor(position / list.pageSize);
  const start = firstIndex * list.pageSize;
  let entries: PageEntries<T> = [];
  for (let index = firstIndex; ; index += 1) {
    const page = await list.readPage(index);
    if (!page.ok) return page;
    if (page.value.length > list.pageSize) return ok({ start: 0, entries: page.value, isEnd: true });
    const isRepeat = isSamePage(list, entries.slice(-list.pageSize), page.value);
    if (!isRepeat) entries = entries.length === 0 ? page.value : [...entries, ...page.value];
    const window = { start, entries, isEnd: isRepeat || page.value.length < list.pageSize };
    if (window.isEnd || isEnough(window)) return ok(window);
  }
}

function isSamePage<T>({ idOf }: PagedList<T>, before: PageEntries<T>, after: PageEntries<T>): boolean {
  const [one, other] = [before[0], after[0]];
  return one != null && other != null && idOf(one) === idOf(other);
}

function startPosition<T>(
  { start, entries }: PageWindow<T>,
  { position, afterId }: PageStart,
  idOf: (item: T) => string,
) {
  const indexOfCursor = afterId === null ? -1 : entries.findIndex((item) => item !== null && idOf(item) === afterId);
  return indexOfCursor === -1 ? position : start + indexOfCursor + 1;
}

const countFrom = <T>({ start, entries }: PageWindow<T>, first: number): number =>
  entries.reduce((count, item, index) => (item === null || start + index < first ? count : count + 1), 0);

function pageFromWindow<T>(
  window: PageWindow<T>,
  first: number,
  { limit, idOf }: Pick<PageRequest, 'limit'> & Pick<PagedList<T>, 'idOf'>,
): Page<T> {
  const edges: Edge<T>[] = [];
  let hasNextPage = false;
  for (let index = Math.max(first - window.start, 0); index < window.entries.length && !hasNextPage; index += 1) {
    const item = window.entries[index];
    if (item == null) continue;
    hasNextPage = edges.length === limit;
    const position = window.start + index;
    if (!hasNextPage) edges.push(new LazyEdge(item, () => encodePositionCursor(position, idOf(item))));
  }
  const isComplete = window.start === 0 && window.isEnd;
  const totalCount = isComplete ? async () => ok(countFrom(window, 0)) : null;
  return { edges, hasNextPage, hasPreviousPage: first > 0, totalCount };
}

interface PageStart {
  readonly position: number;
  /** The item before the page when the cursor was made. If that item has moved, the page begins after its new position. */
  readonly afterId: string | null;
}

/** Opaque to callers: the position of an item and its ID. */
const encodePositionCursor = (position: number, id: string): string =>
  Buffer.from(`${position}:${id}`).toString('base64url');

const CURSOR_FORMAT = /^(?<position>\d{1,9}):(?<id>.+)$/su;

function pageStartOf({ after, skip = 0 }: PageRequest): Result<PageStart, BackendError> {
  if (after == null) return ok({ position: skip, afterId: null });
  const text = after.length > MAX_OPAQUE_LENGTH ? '' : Buffer.from(after, 'base64url').toString();
  const { position, id } = CURSOR_FORMAT.exec(text)?.groups ?? {};
  if (position !== undefined && id !== undefined && encodePositionCursor(Number(position), id) === after)
    return ok({ position: Number(position) + 1, afterId: id });
  const message = 'after must be a cursor from an earlier page of this list.';
  return err(validationError([{ path: ['after'], message }]));
}
