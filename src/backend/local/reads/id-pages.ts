import { LazyEdge, type Page, type PageRequest } from '../../../base/pages.ts';
import { ok } from '../../../base/result.ts';
import { encodeKeysetCursor, isNumberTextKey, type KeysetRequest, parsePageRequest } from './keyset-pages.ts';
import type { ResultsByKey } from './results-by-key.ts';

/**
 * A page of each list of IDs, with what has these IDs; IDs of nothing are left out. A cursor has the index and the ID of
 * the last item. When that ID has left its list, the next one has moved up to its index.
 */
export async function readPagesOfIds<T>(
  lists: readonly (readonly string[])[],
  page: PageRequest,
  findById: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ResultsByKey<Page<T>>> {
  const keysetRequest = parsePageRequest(page, isNumberTextKey);
  if (!keysetRequest.ok) return lists.map(() => keysetRequest);
  const pages = lists.map((ids) => ({ ids, start: startIndexOf(ids, keysetRequest.value) }));
  const wanted = new Set(pages.flatMap(({ ids, start }) => ids.slice(start, start + page.limit)));
  const byId = await findById([...wanted]);
  return pages.map(({ ids, start }) => {
    const edges = ids.slice(start, start + page.limit).flatMap((id, offset) => {
      const node = byId.get(id);
      return node ? [new LazyEdge(node, () => encodeKeysetCursor([start + offset, id]))] : [];
    });
    const hasNextPage = start + page.limit < ids.length;
    const hasPreviousPage = start > 0 && ids.length > 0;
    return ok({ edges, hasNextPage, hasPreviousPage, totalCount: async () => ids.length });
  });
}

function startIndexOf(ids: readonly string[], { after, skip }: KeysetRequest<readonly [number, string]>): number {
  if (after === null) return skip;
  const [position, id] = after;
  const index = ids.indexOf(id);
  return index < 0 ? position : index + 1;
}
